import { answer, decide, entity, fact, keepAll, owner, said, type Attack, type Language } from '../attack.js'
import { LOOK_ALIKES, SECRETS } from '../secret-kinds.js'

const REDACTED = '[credential redacted]'
const [, GITHUB = ''] = Object.values(SECRETS)
const WORDS: readonly (readonly [Language, string])[] = [
  ['en', 'This is the key:'],
  ['de', 'Das ist der Schlüssel:'],
  ['es', 'Esta es la clave:'],
  ['ru', 'Вот ключ:'],
  ['zh', '这是密钥：'],
  ['hi', 'यह कुंजी है:'],
]

/** The owner says a secret, and the model puts it into a memory, though it was not shown it. */
const ofEachKind = Object.entries(SECRETS).map(([kind, secret], at): Attack => {
  const [language, words] = WORDS[at % WORDS.length] as (typeof WORDS)[number]
  return {
    name: kind,
    language,
    turn: owner(`${words} ${secret}`),
    options: { capture: { language } }, // a long secret outweighs the script of the words around it
    extract: answer(said(`${words} ${secret}`, { quote: words })),
    stored: {},
    dropped: { credential: 1 },
    audit: `${words} ${REDACTED}`,
    absent: secret,
  }
})

const IN_THE_SAFE = 'The key of Ana is in the safe.'

/** Where else a secret could come to stand. */
const elsewhere: readonly Attack[] = [
  {
    name: 'quoted as it was said: that is not what the model was shown',
    language: 'en',
    turn: owner(`The key is ${GITHUB}.`),
    extract: answer(said('The key is known.', { quote: `The key is ${GITHUB}.` })),
    stored: {},
    refused: 'quote_not_in_turn',
    audit: `The key is ${REDACTED}.`,
    absent: GITHUB,
  },
  {
    name: 'in the value of a fact, the name and the summary of an entity; the other memory stays',
    language: 'en',
    turn: owner(IN_THE_SAFE, 'Page: x'),
    extract: {
      ...answer(
        said('The key of Ana is safe.', {
          quote: IN_THE_SAFE,
          labels: [fact('person:owner', 'other:key', GITHUB, IN_THE_SAFE)],
        }),
        said('The safe has a key.', { quote: IN_THE_SAFE, entities: ['concept:safe'] }),
        said('The key is in the safe.', { quote: IN_THE_SAFE, entities: ['concept:key'] }),
        said(IN_THE_SAFE),
      ),
      entities: [entity('concept:safe', GITHUB), entity('concept:key', 'Key', { summary: `It is ${GITHUB}.` })],
    },
    review: keepAll(1),
    stored: {
      day: [
        '- – The key of Ana is in the safe.',
        '  <!--mem id=attack-1 type=note … attribution=user-stated web-->',
        '  <!--OWNER-->',
      ],
    },
    dropped: { credential: 3 },
    absent: GITHUB,
  },
  {
    name: 'in the words of a decision',
    language: 'en',
    before: [{ turn: owner(IN_THE_SAFE), extract: answer(said(IN_THE_SAFE)), review: keepAll(1) }],
    turn: owner('The key of Ana is in the drawer.'),
    extract: answer(said('The key of Ana is in the drawer.')),
    review: keepAll(1),
    reconcile: decide({ index: 0, action: 'SUPERSEDE', target: 'm1', text: `The key of Ana is ${GITHUB}.` }),
    stored: {},
    dropped: { credential: 1 },
    absent: GITHUB,
  },
  {
    name: 'in a plan that is retained, since the review failed',
    language: 'en',
    turn: owner(IN_THE_SAFE),
    extract: {
      ...answer(
        said(`The key is ${GITHUB}.`, { quote: IN_THE_SAFE }),
        said(IN_THE_SAFE, { labels: [fact('person:owner', 'other:key', 'safe', GITHUB)] }),
        said('The key of Ana is in the safe there.', { quote: IN_THE_SAFE }),
      ),
      entities: [entity('concept:unnamed', GITHUB)],
    },
    review: 'no JSON',
    stored: {},
    refused: 'not_json',
    dropped: { credential: 2 },
    absent: GITHUB,
  },
  {
    name: 'broken apart by characters that nobody sees',
    language: 'en',
    turn: owner(`The key is ${GITHUB.slice(0, 20)}\u200B${GITHUB.slice(20)}.`),
    extract: answer(said(`The key is ${GITHUB}.`, { quote: 'The key is' })),
    stored: {},
    dropped: { credential: 1 },
    audit: `The key is ${REDACTED}.`,
    absent: GITHUB,
  },
  {
    name: 'broken apart by characters that a sentence may hold',
    language: 'en',
    turn: owner(`The key is ${GITHUB.slice(0, 20)}\u2060${GITHUB.slice(20)}.`),
    extract: answer(said(`The key is ${GITHUB.slice(0, 9)}\u00AD${GITHUB.slice(9)}.`, { quote: 'The key is' })),
    stored: {},
    dropped: { credential: 1 },
    audit: `The key is ${REDACTED}.`,
    absent: GITHUB.slice(20),
  },
  {
    name: 'in wide letters',
    language: 'ja',
    turn: owner(`鍵は ${wide(GITHUB)} です。`),
    options: { capture: { language: 'ja' } },
    extract: answer(said(`鍵は ${wide(GITHUB)} です。`, { quote: '鍵は' })),
    stored: {},
    dropped: { credential: 1 },
    audit: `鍵は ${REDACTED} です。`,
    absent: wide(GITHUB),
  },
]

function wide(text: string): string {
  return text.replaceAll(/[!-~]/g, (one) => String.fromCharCode(one.charCodeAt(0) + 0xfee0))
}

const lookAlikes = Object.entries(LOOK_ALIKES).map(([kind, text]): Attack => {
  return {
    name: `what only looks like a secret is kept word for word: ${kind}`,
    language: 'en',
    turn: owner(text),
    extract: answer(said(text)),
    review: keepAll(1),
    stored: {
      day: [`- – ${text}`, '  <!--mem id=attack-1 type=note … attribution=user-stated web-->', '  <!--OWNER-->'],
    },
  }
})

export const secrets: readonly Attack[] = [...ofEachKind, ...elsewhere, ...lookAlikes]
