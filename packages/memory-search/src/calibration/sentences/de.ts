import type { SentenceTriple } from './sentence-triple.js'

/** German. */
export const de: readonly SentenceTriple[] = [
  {
    fact: 'Jonas verträgt keine Laktose und trinkt seinen Kaffee mit Hafermilch.',
    paraphrase: 'Welche Milch nimmt Jonas in den Kaffee, wenn er keine Laktose verträgt?',
    nearMiss: 'Birgit verträgt kein Gluten und trinkt ihren Tee mit Zitrone.',
  },
  {
    fact: 'Der Termin beim Zahnarzt Dr. Lindner ist am 14. Mai um 8:15 Uhr.',
    paraphrase: 'Um wie viel Uhr muss ich am 14. Mai beim Zahnarzt sein?',
    nearMiss: 'Der Termin beim Augenarzt Dr. Pohl ist am 2. Juni um 11:30 Uhr.',
  },
  {
    fact: 'Die neue Wohnung von Katharina liegt in Leipzig, dritter Stock ohne Aufzug.',
    paraphrase: 'Katharina wohnt jetzt in Leipzig, und einen Aufzug gibt es dort nicht.',
    nearMiss: 'Das neue Haus von Stefan liegt in Bremen und hat einen großen Garten.',
  },
  {
    fact: 'Die Waschmaschine hat die Seriennummer WM-40713, die Garantie läuft bis 2028.',
    paraphrase: 'Wie lange gilt die Garantie für die Waschmaschine WM-40713?',
    nearMiss: 'Der Kühlschrank hat die Seriennummer KS-22690, seine Garantie ist 2021 abgelaufen.',
  },
  {
    fact: 'Tobias lernt seit einem Jahr Cello und spielt im Orchester der Musikschule.',
    paraphrase: 'In der Musikschule sitzt Tobias mit seinem Cello im Orchester.',
    nearMiss: 'Anke lernt seit dem Sommer Klavier und übt jeden Abend allein zu Hause.',
  },
  {
    fact: 'Für das Projekt Seeadler nehmen wir PostgreSQL statt MongoDB.',
    paraphrase: 'Welche Datenbank wurde für Seeadler gewählt, PostgreSQL oder MongoDB?',
    nearMiss: 'Für das Projekt Kranich bleiben wir bei der alten Datenbank von Oracle.',
  },
  {
    fact: 'Im August wandern wir mit Oma Hilde eine Woche in den Dolomiten.',
    paraphrase: 'Wohin geht die Wanderung mit Oma Hilde im August?',
    nearMiss: 'Zu Ostern fährt Onkel Rolf mit dem Rad eine Woche an die Nordsee.',
  },
  {
    fact: 'Das Auto muss spätestens im März zum TÜV, die Winterreifen liegen im Keller.',
    paraphrase: 'Bis März braucht das Auto einen neuen TÜV; die Reifen für den Winter sind im Keller.',
    nearMiss: 'Das Motorrad wurde im Juli umgemeldet, der Helm hängt in der Garage.',
  },
]
