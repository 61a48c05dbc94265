// What memories and questions say. Composed sentences have the words of a language in its proportions: a few that stand
// everywhere, and very many of which each is rare. Real ones come from a data set of dialogs, if there is one.
import { readFileSync } from 'node:fs'
import { pick, randomFrom, seedOf, zipf } from './random.mjs'

const FUNCTION_WORDS =
  'the to a and i of it in that was for you is my on with we at have about this had but they so from her his as when'.split(
    ' ',
  )
/** Share of a sentence that function words are, as in English. */
const FUNCTION_SHARE = 0.45
const VOCABULARY_SIZE = 20_000
const SYLLABLES = 'ka lo mi ne ru ta si vo pe du gar lin mor ten bel fas'.split(' ')
const VOCABULARY = Array.from({ length: VOCABULARY_SIZE }, (_, n) => {
  let word = ''
  for (let rest = n + 16; rest > 0; rest = Math.floor(rest / 16)) word += SYLLABLES[rest % 16]
  return word
})

export const SPEAKERS = ['Ana', 'Morgan', 'Zoë', 'Piotr', 'Mirjam', 'Teo', 'Aiko', 'Sven']

/** A list grows by what `make` gives until it has `count` different members. */
function different(count, make) {
  const found = new Set()
  for (let n = 0; found.size < count; n++) found.add(make(n))
  return [...found]
}

const word = (random) =>
  random() < FUNCTION_SHARE
    ? FUNCTION_WORDS[zipf(FUNCTION_WORDS.length, random)]
    : VOCABULARY[zipf(VOCABULARY_SIZE, random)]

/** @returns `count` different sentences of 8 to 19 words */
export const composedSentences = (count, seed) =>
  different(count, (n) => {
    const random = randomFrom(seedOf(seed, n))
    return Array.from({ length: 8 + Math.floor(random() * 12) }, () => word(random)).join(' ')
  })

/**
 * Questions about composed sentences, in their words and some others: three of five as plain words, one naming a speaker,
 * one a month.
 * @returns `{ text, kind }`
 */
export function composedQuestions(sentences, count, seed) {
  return Array.from({ length: count }, (_, n) => {
    const random = randomFrom(seedOf(seed, n))
    const asked = pick(sentences, random)
      .split(' ')
      .filter((one) => !FUNCTION_WORDS.includes(one) || random() < 0.5)
      .slice(0, 6)
    const text = [...asked, ...Array.from({ length: 3 }, () => word(random))].join(' ')
    if (n % 5 === 3) return { text: `what did ${pick(SPEAKERS, random)} say about ${text}`, kind: 'author' }
    if (n % 5 === 4) return { text: `what was in March 2024 about ${text}`, kind: 'month' }
    return { text, kind: 'plain' }
  })
}

const oneLine = (text) => text.replace(/\s+/g, ' ').trim()

/** Turns and questions of a LoCoMo file. @returns sentences with who said them, and questions, all different */
export function dialogSentences(path) {
  const conversations = JSON.parse(readFileSync(path, 'utf8'))
  const sentences = new Map()
  for (const { documents } of conversations) {
    for (const { text, speaker } of documents) sentences.set(oneLine(text), { text: oneLine(text), speaker })
  }
  const questions = conversations.flatMap((one) => one.questions.map(({ q }) => ({ text: oneLine(q), kind: 'author' })))
  return { sentences: [...sentences.values()], questions }
}

const WHO = [
  'My sister',
  'Our neighbour',
  'The teacher',
  'A friend from work',
  'My manager',
  'The doctor',
  'Grandmother',
]
const DID = ['bought', 'lost', 'repaired', 'painted', 'asked about', 'sold', 'found', 'borrowed', 'forgot', 'cleaned']
const WHAT = 'violin,bicycle,garden,camera,old boat,kitchen table,red coat,telescope,piano,tent,bookshelf,guitar'.split(
  ',',
)
const WHERE = 'in Lisbon,at the market,near the river,in the mountains,by the sea,at school,in the office'.split(',')
const WHEN = 'last summer,on her birthday,before the concert,after the storm,in the spring,on Sunday'.split(',')

/** English sentences and questions where no data set is given. */
export function plainEnglish(sentences, questions, seed) {
  const said = different(sentences, (n) => {
    const random = randomFrom(seedOf(seed, n))
    const of = (list) => pick(list, random)
    return `${of(WHO)} ${of(DID)} the ${of(WHAT)} ${of(WHERE)} ${of(WHEN)}, and then ${of(DID)} a ${of(WHAT)}.`
  })
  const asked = different(questions, (n) => {
    const random = randomFrom(seedOf(~seed, n))
    const of = (list) => pick(list, random)
    return `What happened to the ${of(WHAT)} and the ${of(WHAT)} ${of(WHERE)} ${of(WHEN)}?`
  })
  const random = randomFrom(seed)
  return {
    sentences: said.map((text) => ({ text, speaker: pick(SPEAKERS, random) })),
    questions: asked.map((text) => ({ text, kind: 'plain' })),
  }
}

/** More sentences of real ones: the first half of one and the second half of another; all different. */
export function recombined(sentences, count, seed) {
  const found = new Map(sentences.slice(0, count).map((one) => [one.text, one]))
  for (let n = 0; found.size < count; n++) {
    const random = randomFrom(seedOf(seed, n))
    const [a, b] = [pick(sentences, random), pick(sentences, random)]
    const [first, second] = [a.text.split(' '), b.text.split(' ')]
    const text = [...first.slice(0, Math.ceil(first.length / 2)), ...second.slice(Math.ceil(second.length / 2))].join(
      ' ',
    )
    found.set(text, { text, speaker: a.speaker })
  }
  return [...found.values()]
}
