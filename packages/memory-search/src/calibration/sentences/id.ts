import type { SentenceTriple } from './sentence-triple.js'

/** Indonesian. */
export const id: readonly SentenceTriple[] = [
  {
    fact: 'Sari alergi udang, jadi ia selalu memesan ayam.',
    paraphrase: 'Mengapa Sari memesan ayam dan bukan udang?',
    nearMiss: 'Budi tidak kuat minum susu, jadi ia memilih kopi hitam.',
  },
  {
    fact: 'Pertemuan dengan notaris Hartono dipindah ke 18 Juli pukul 10.00.',
    paraphrase: 'Pukul berapa pertemuan dengan notaris Hartono pada 18 Juli?',
    nearMiss: 'Pertemuan dengan dokter Lestari dipindah ke 5 November pukul 15.30.',
  },
  {
    fact: 'Tagihan TG-5094 untuk perbaikan atap belum dibayar.',
    paraphrase: 'Perbaikan atap masih berutang, tagihannya bernomor TG-5094.',
    nearMiss: 'Tagihan TG-8831 untuk perawatan kebun sudah dibayar bulan lalu.',
  },
  {
    fact: 'Sepupu saya Rizky bekerja sebagai perawat di Surabaya.',
    paraphrase: 'Apa pekerjaan Rizky di Surabaya?',
    nearMiss: 'Bibi saya Ratna bekerja sebagai perangkai bunga di Bogor.',
  },
  {
    fact: 'Kunci cadangan rumah ada di laci meja dekat jendela.',
    paraphrase: 'Di laci mana kunci cadangan rumah disimpan?',
    nearMiss: 'Kunci cadangan mobil ada di dalam tas hitam di kamar.',
  },
  {
    fact: 'Tim memutuskan memindahkan layanan pembayaran ke server di Jakarta.',
    paraphrase: 'Layanan pembayaran akan berjalan di server Jakarta sesuai keputusan tim.',
    nearMiss: 'Tim memutuskan mengirim kursi lama ke kantor di Medan.',
  },
  {
    fact: 'Bulan Agustus kami berlibur ke Lombok bersama keluarga Wijaya.',
    paraphrase: 'Ke mana kami berlibur bersama keluarga Wijaya di bulan Agustus?',
    nearMiss: 'Bulan Januari kami mendaki gunung di Jawa Timur bersama Dewi.',
  },
  {
    fact: 'Putri belajar biola dan akan tampil pada bulan Desember.',
    paraphrase: 'Kapan Putri akan tampil dengan biolanya?',
    nearMiss: 'Agus belajar berenang dan akan berlomba pada bulan Maret.',
  },
]
