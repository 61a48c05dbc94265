import { expect, test } from 'vitest'
import { dominantScript, isSameScript } from '../../../src/capture/contract/dominant-script.js'

test.each([
  ['The user moved to Graz.', 'Latin'],
  ['Der Nutzer wohnt in Köln.', 'Latin'],
  ['Người dùng sống ở Hà Nội.', 'Latin'],
  ['Пользователь живёт в Граце.', 'Cyrillic'],
  ['Купил MacBook Pro', 'Cyrillic'],
  ['The word дом means house.', 'Latin'],
  ['Ο χρήστης μένει στην Αθήνα.', 'Greek'],
  ['המשתמש גר בחיפה.', 'Hebrew'],
  ['انتقل المستخدم إلى القاهرة.', 'Arabic'],
  ['उपयोगकर्ता दिल्ली में रहता है।', 'Devanagari'],
  ['ব্যবহারকারী ঢাকায় থাকেন।', 'Bengali'],
  ['பயனர் சென்னையில் வசிக்கிறார்.', 'Tamil'],
  ['ผู้ใช้อยู่ที่กรุงเทพ', 'Thai'],
  ['მომხმარებელი თბილისში ცხოვრობს.', 'Georgian'],
  ['사용자는 서울에 산다.', 'Hangul'],
  ['用户住在上海。', 'Han'],
  ['東京', 'Han'],
  ['お茶がすき', 'Han'],
  ['コーヒー', 'Han'],
  ['ⵜⴰⵎⴰⵣⵉⵖⵜ', 'Other'],
  ['', undefined],
  ['2026-09-08, 12:30 🙂', undefined],
])('%j is mostly %s', (text, script) => {
  expect(dominantScript(text)).toBe(script)
})

test.each([
  ['The user likes tea.', 'I like tea', true],
  ['The user likes tea.', 'Я люблю чай', false],
  ['Пользователь любит чай.', 'I like tea', false],
  ['東京に住んでいる。', '東京都', true],
  ['The user is 42.', '42', true],
  ['42', 'мне 42', true],
])('%j of the quote %j: %s', (text, quote, isSame) => {
  expect(isSameScript(text, quote)).toBe(isSame)
})
