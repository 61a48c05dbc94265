import type { SentenceTriple } from './sentence-triple.js'

/** Turkish. */
export const tr: readonly SentenceTriple[] = [
  {
    fact: 'Elif fıstığa alerjisi olduğu için baklava yemiyor.',
    paraphrase: 'Elif neden baklava yemiyor?',
    nearMiss: 'Kerem süte alerjisi olduğu için dondurma yemiyor.',
  },
  {
    fact: "Avukat Demir ile görüşme 19 Mart saat 10:30'a alındı.",
    paraphrase: "Avukat Demir ile 19 Mart'ta saat kaçta görüşme var?",
    nearMiss: "Doktor Arslan ile görüşme 7 Nisan saat 14:00'e alındı.",
  },
  {
    fact: 'FT-8213 numaralı fatura mutfak dolapları için ve henüz ödenmedi.',
    paraphrase: 'Mutfak dolapları için gelen FT-8213 numaralı fatura hâlâ duruyor, parası ödenmedi.',
    nearMiss: 'FT-1460 numaralı fatura salon perdeleri için ve geçen ay ödendi.',
  },
  {
    fact: "Kuzenim Burak İzmir'de diş hekimi olarak çalışıyor.",
    paraphrase: "Kuzenim Burak İzmir'de ne iş yapıyor?",
    nearMiss: "Teyzem Nermin Bursa'da pastacı olarak çalışıyor.",
  },
  {
    fact: 'Yazlığın yedek anahtarı mavi kutunun içinde duruyor.',
    paraphrase: 'Yazlığın yedek anahtarı nerede duruyor?',
    nearMiss: 'Eski kameralar tavan arasındaki bavulun içinde duruyor.',
  },
  {
    fact: 'Zeynep keman çalıyor ve mayısta konser verecek.',
    paraphrase: 'Zeynep mayısta keman ile konser verecek, bunun için hazırlanıyor.',
    nearMiss: 'Onur satranç oynuyor ve kasımda turnuvaya katılacak.',
  },
  {
    fact: 'Ekip ödeme sistemini eylül ayında buluta taşıyacak.',
    paraphrase: 'Ekip ödeme sistemini ne zaman buluta taşıyacak?',
    nearMiss: 'Yönetim satış ofisini ocak ayında başka bir binaya taşıyacak.',
  },
  {
    fact: "Temmuzda Aydın ailesiyle Kapadokya'da balona bineceğiz.",
    paraphrase: "Aydın ailesiyle temmuzda balona binmek için Kapadokya'da olacağız.",
    nearMiss: "Ocakta Yılmaz ailesiyle Uludağ'da kayak yapacağız.",
  },
]
