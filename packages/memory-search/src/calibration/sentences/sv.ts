import type { SentenceTriple } from './sentence-triple.js'

/** Swedish. */
export const sv: readonly SentenceTriple[] = [
  {
    fact: 'Elsa tål inte ägg och tar med sig egen mat till skolan.',
    paraphrase: 'Varför har Elsa med sig egen mat till skolan?',
    nearMiss: 'Gustav tål inte mjölk och dricker sitt kaffe svart.',
  },
  {
    fact: 'Mötet med mäklaren Lundgren är flyttat till den 6 mars klockan 17.',
    paraphrase: 'När är mötet med mäklaren Lundgren i mars?',
    nearMiss: 'Mötet med tandläkaren Ek är flyttat till den 24 september klockan 8.',
  },
  {
    fact: 'Order 38814 kom utan skruvar, så hyllan står kvar i kartongen.',
    paraphrase: 'Det saknades skruvar i order 38814, och hyllan är inte uppsatt.',
    nearMiss: 'Order 67203 kom i lördags och står hos grannen.',
  },
  {
    fact: 'Min kusin Axel arbetar som lärare i Umeå.',
    paraphrase: 'Vad arbetar min kusin Axel med i Umeå?',
    nearMiss: 'Min moster Birgitta arbetar som kock i Visby.',
  },
  {
    fact: 'Reservnyckeln till stugan hänger bakom vedboden.',
    paraphrase: 'Var hänger reservnyckeln till stugan?',
    nearMiss: 'Reservnyckeln till bilen ligger i skrivbordslådan.',
  },
  {
    fact: 'Gruppen byter databas till SQLite i den nya appen.',
    paraphrase: 'I den nya appen blir SQLite gruppens databas.',
    nearMiss: 'Ledningen byter skärmar på alla säljare till våren.',
  },
  {
    fact: 'I juli seglar vi till Gotland med familjen Berg.',
    paraphrase: 'Med familjen Berg ska vi segla till Gotland, det blir i juli.',
    nearMiss: 'I januari åker vi skidor i Åre med familjen Nilsson.',
  },
  {
    fact: 'Maja spelar trumpet och har konsert i december.',
    paraphrase: 'När har Maja konsert med sin trumpet?',
    nearMiss: 'Viktor spelar schack och har turnering i mars.',
  },
]
