import type { SentenceTriple } from './sentence-triple.js'

/** Chinese. */
export const zh: readonly SentenceTriple[] = [
  {
    fact: '小林对海鲜过敏，不能吃虾和螃蟹。',
    paraphrase: '小林为什么不能吃虾？',
    nearMiss: '阿强对花生过敏，不能吃花生酱。',
  },
  {
    fact: '和陈律师的会面改到六月三日下午两点。',
    paraphrase: '六月三日几点跟陈律师见面？',
    nearMiss: '和王医生的会面改到九月十七日上午九点。',
  },
  {
    fact: '订单号 73905 的书架少了两块隔板。',
    paraphrase: '73905 号订单里的书架缺隔板，少了两块。',
    nearMiss: '订单号 20846 的台灯已经由邻居代收。',
  },
  { fact: '我表哥志远在成都当消防员。', paraphrase: '志远在成都做什么工作？', nearMiss: '我姑姑在杭州当花艺师。' },
  {
    fact: '备用钥匙放在门口的红色鞋柜里。',
    paraphrase: '备用钥匙藏在哪个柜子里？',
    nearMiss: '车的备用遥控器放在书房的抽屉里。',
  },
  {
    fact: '团队决定把支付系统迁到上海的机房。',
    paraphrase: '支付系统要迁到哪里的机房？',
    nearMiss: '团队决定把旧打印机送给广州的办事处。',
  },
  {
    fact: '八月我们和老周一家坐火车去西藏。',
    paraphrase: '跟老周一家去西藏的火车旅行定在八月。',
    nearMiss: '二月我们和小吴一家坐飞机去哈尔滨。',
  },
  {
    fact: '晓雯在学古筝，十二月要上台表演。',
    paraphrase: '晓雯什么时候上台表演古筝？',
    nearMiss: '建国在学游泳，三月要参加比赛。',
  },
]
