import type { SentenceTriple } from './sentence-triple.js'

/** Dutch. */
export const nl: readonly SentenceTriple[] = [
  {
    fact: 'Femke eet geen varkensvlees en houdt niet van spruitjes.',
    paraphrase: 'Welk vlees eet Femke niet?',
    nearMiss: 'Daan eet geen vis en houdt niet van olijven.',
  },
  {
    fact: 'Het gesprek met de makelaar is verzet naar woensdag 7 februari om 11 uur.',
    paraphrase: 'Wanneer is het gesprek met de makelaar in februari?',
    nearMiss: 'Het gesprek met de lerares is verzet naar vrijdag 19 mei om 9 uur.',
  },
  {
    fact: 'Bestelling BE-6620 is bezorgd bij de buren op nummer 43.',
    paraphrase: 'De buren van nummer 43 hebben bestelling BE-6620 aangenomen.',
    nearMiss: 'Bestelling BE-1385 ligt nog bij het postkantoor in Zwolle.',
  },
  {
    fact: 'Mijn zus Marieke werkt als dierenarts in Groningen.',
    paraphrase: 'Wat voor werk doet mijn zus Marieke in Groningen?',
    nearMiss: 'Mijn oom Kees werkt als fietsenmaker in Gouda.',
  },
  {
    fact: 'Sander wil in april de halve marathon van Rotterdam lopen.',
    paraphrase: 'In april loopt Sander mee met de halve marathon in Rotterdam.',
    nearMiss: "Lotte wil in juni de Alpe d'Huez op fietsen.",
  },
  {
    fact: 'De boot van opa Henk ligt in de haven van Harlingen.',
    paraphrase: 'In welke haven ligt de boot van opa Henk?',
    nearMiss: 'De caravan van tante Joke staat op een camping in Drenthe.',
  },
  {
    fact: 'Voor het project IJsvogel gebruiken we Python en geen Java.',
    paraphrase: 'Python is de taal van het project IJsvogel, Java doen we niet.',
    nearMiss: 'Voor het project Reiger gebruiken we Cobol en geen C.',
  },
  {
    fact: 'Ik wil mijn facturen per mail krijgen en niet op papier.',
    paraphrase: 'Hoe wil ik mijn facturen krijgen, per mail of op papier?',
    nearMiss: 'Mijn schoonvader wil zijn krant op papier krijgen en niet op een tablet.',
  },
]
