import type { SentenceTriple } from './sentence-triple.js'

/** English. */
export const en: readonly SentenceTriple[] = [
  {
    fact: 'Priya is allergic to peanuts and carries an adrenaline pen.',
    paraphrase: 'Why should nothing with peanuts be served to Priya?',
    nearMiss: 'Arun is allergic to cats and takes a tablet before he visits us.',
  },
  {
    fact: 'The quarterly review with Dana moved to Thursday at 15:30.',
    paraphrase: 'When do we meet Dana for the quarterly review?',
    nearMiss: 'The weekly call with Oskar moved to Monday at 9:00.',
  },
  {
    fact: 'Invoice INV-2087 for the kitchen tiles is still unpaid.',
    paraphrase: 'Nobody has settled the bill for the tiles yet, number INV-2087.',
    nearMiss: 'Invoice INV-1954 for the garden fence was paid in May.',
  },
  {
    fact: 'Marta keeps the spare house key in the blue flowerpot by the garage.',
    paraphrase: 'Where did Marta hide the second key to the house?',
    nearMiss: 'Leo keeps the spare bicycle key in a drawer in the hall.',
  },
  {
    fact: 'The team decided to move the billing service from Heroku to a server in Frankfurt.',
    paraphrase: 'The billing service will run in Frankfurt and no longer on Heroku.',
    nearMiss: 'The team decided to keep the search service on its old server in Dublin.',
  },
  {
    fact: 'Grandma Ruth turns eighty on the third of October.',
    paraphrase: "On which day is Ruth's eightieth birthday?",
    nearMiss: 'Uncle Frank turns seventy at the end of November.',
  },
  {
    fact: 'I prefer short answers in bullet points over long paragraphs.',
    paraphrase: 'How long should answers to me be, and in what form, bullet points or paragraphs?',
    nearMiss: 'My sister prefers long handwritten letters over short messages.',
  },
  {
    fact: 'We will spend two weeks in Lisbon in September and rent a flat near the river.',
    paraphrase: 'The holiday in Lisbon, a fortnight in September, will be in a rented flat by the water.',
    nearMiss: 'Last winter we spent four nights in Oslo at a hotel by the harbour.',
  },
]
