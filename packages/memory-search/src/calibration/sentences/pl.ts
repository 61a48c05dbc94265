import type { SentenceTriple } from './sentence-triple.js'

/** Polish. */
export const pl: readonly SentenceTriple[] = [
  {
    fact: 'Zosia nie je orzechów, bo dostaje po nich wysypki.',
    paraphrase: 'Dlaczego Zosia nie może jeść orzechów?',
    nearMiss: 'Bartek nie pije mleka, bo boli go po nim brzuch.',
  },
  {
    fact: 'Spotkanie z panią Nowak odbędzie się 21 kwietnia o 14:00 w Krakowie.',
    paraphrase: 'O której 21 kwietnia mamy spotkanie z panią Nowak?',
    nearMiss: 'Spotkanie z panem Wilkiem odbędzie się 3 czerwca o 9:30 w Poznaniu.',
  },
  {
    fact: 'Faktura FV-7731 za remont łazienki została opłacona w sierpniu.',
    paraphrase: 'W sierpniu zapłaciliśmy za remont łazienki, faktura FV-7731.',
    nearMiss: 'Faktura FV-2046 za wynajem garażu została wysłana w lutym.',
  },
  {
    fact: 'Mój kuzyn Paweł jest strażakiem w Gdańsku.',
    paraphrase: 'Gdzie pracuje jako strażak mój kuzyn Paweł?',
    nearMiss: 'Moja ciotka Halina jest kwiaciarką w Lublinie.',
  },
  {
    fact: 'Piwnica numer 12 należy do nas, a klucz wisi w przedpokoju.',
    paraphrase: 'Klucz do naszej piwnicy, numer 12, wisi w przedpokoju.',
    nearMiss: 'Miejsce parkingowe numer 88 należy do sąsiada, a pilot leży w biurze.',
  },
  {
    fact: 'Kasia uczy się japońskiego i w maju zdaje egzamin.',
    paraphrase: 'Kiedy Kasia zdaje egzamin z japońskiego?',
    nearMiss: 'Marek uczy się niemieckiego i w październiku zaczyna nowy kurs.',
  },
  {
    fact: 'Zespół wybrał Linuksa na wszystkie serwery w magazynie.',
    paraphrase: 'Jaki system wybrał zespół na serwery w magazynie?',
    nearMiss: 'Dyrekcja wybrała nowe drukarki do biura rachunkowego.',
  },
  {
    fact: 'W lipcu jedziemy pod namiot na Mazury z rodziną Kowalskich.',
    paraphrase: 'Razem z rodziną Kowalskich spędzimy lipiec na Mazurach pod namiotem.',
    nearMiss: 'Zimą jedziemy na narty do Zakopanego z rodziną Wiśniewskich.',
  },
]
