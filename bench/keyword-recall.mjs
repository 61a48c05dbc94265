// Keyword recall at 100,000 memories against the bare FTS5 query for the same terms: same table, same MATCH expression,
// `order by rank limit 10`, interleaved in one loop. Prints JSON lines {name, value, floor, ok}.
import { readdirSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { openWritableIndex } from '../packages/memory-search/dist/index.js'
import { MISSED } from './report.mjs'
import { withRootOfDays } from './root-with-days.mjs'

const Database = createRequire(new URL('../packages/memory-search/package.json', import.meta.url))('better-sqlite3')

const MEMORIES = 100_000
const A_DAY = 500
const QUERIES = 60
const MAX_RATIO = 2

/** Deterministic: the same store and queries in every run. */
let state = 1
/** mulberry32, 0..1. */
function random() {
  state = (state + 0x6d2b79f5) | 0
  let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
  mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
  return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
}
const pick = (list) => list[Math.floor(random() * list.length)]

/** Words as rare as words are: the n-th is used 1/n as often as the first (Zipf). */
const SYLLABLES = 'ka lo mi ne ru ta si vo pe du gar lin mor ten bel fas'.split(' ')
const VOCABULARY = Array.from({ length: 20_000 }, (_, n) => {
  let word = ''
  for (let rest = n + 16; rest > 0; rest = Math.floor(rest / 16)) word += SYLLABLES[rest % 16]
  return word
})
const zipf = () => VOCABULARY[Math.floor(VOCABULARY.length ** random()) - 1]
const SPEAKERS = ['Ana', 'Morgan', 'Zoë', 'Piotr']
const sentence = (words) => Array.from({ length: words }, zipf).join(' ')

function* days() {
  for (let day = 0; day * A_DAY < MEMORIES; day++) {
    const date = new Date(Date.UTC(2024, 0, 1 + day)).toISOString().slice(0, 10)
    yield [
      date,
      Array.from({ length: A_DAY }, (_, n) => ({
        id: `m-${day * A_DAY + n}`,
        sentence: sentence(8 + Math.floor(random() * 12)),
        createdAt: `${date}T${String(8 + Math.floor(n / 60)).padStart(2, '0')}:${String(n % 60).padStart(2, '0')}:00.000Z`,
        speaker: pick(SPEAKERS),
        conversationId: `chat-${day % 20}`,
      })),
    ]
  }
}

/** The terms as the index asks for them: a long word also by its first five letters. */
const matchOf = (query) => {
  const tokens = query
    .toLowerCase()
    .split(' ')
    .flatMap((word) => (word.length > 5 ? [word, word.slice(0, 5)] : [word]))
  return [...new Set(tokens)].map((token) => `"${token}"`).join(' OR ')
}

const median = (values) => values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)]

function compare(name, index, bare, queries) {
  const [ours, theirs] = [[], []]
  for (const { asked, terms } of queries) {
    const match = matchOf(terms)
    let from = performance.now()
    bare.all(match)
    theirs.push(performance.now() - from)
    from = performance.now()
    index.search({ query: asked, limit: 10 })
    ours.push(performance.now() - from)
  }
  const value = median(ours) / median(theirs)
  console.error(`${name}: recall ${median(ours).toFixed(2)} ms, bare FTS5 ${median(theirs).toFixed(2)} ms`)
  const ok = value <= MAX_RATIO
  console.log(
    JSON.stringify({ name: `${name}, 100,000 memories, × the bare FTS5 query`, value, floor: `<= ${MAX_RATIO}`, ok }),
  )
  if (!ok) process.exitCode = MISSED
}

/** The longest time that nothing else ran, in milliseconds, while `work` went on. */
async function longestHold(work) {
  let longest = 0
  let last = performance.now()
  let isDone = false
  const tick = () => {
    const now = performance.now()
    longest = Math.max(longest, now - last)
    last = now
    if (!isDone) setImmediate(tick)
  }
  setImmediate(tick)
  const result = await work()
  isDone = true
  return { result, longest }
}

await withRootOfDays(days(), async (options) => {
  const from = performance.now()
  const { result: index, longest } = await longestHold(() => openWritableIndex(options))
  console.error(
    `build: ${((performance.now() - from) / 1000).toFixed(1)} s, longest hold of the event loop ${longest.toFixed(0)} ms`,
  )
  const [generation] = readdirSync(join(options.root, '.index/generations'))
  const db = new Database(join(options.root, '.index/generations', generation, 'memory.db'), { readonly: true })
  const bare = db.prepare('select rowid from memory_words where memory_words match ? order by rank limit 10')
  const plain = Array.from({ length: QUERIES }, () => sentence(3 + Math.floor(random() * 8))).map((terms) => ({
    asked: terms,
    terms,
  }))
  compare('keyword recall', index, bare, plain)
  compare(
    'keyword recall naming an author',
    index,
    bare,
    plain.map(({ terms }) => ({ asked: `${terms} morgan`, terms: `${terms} morgan` })),
  )
  compare(
    'keyword recall naming a month',
    index,
    bare,
    plain.map(({ terms }) => ({ asked: `${terms} June 2024`, terms: `${terms} june 2024` })),
  )
  db.close()
  index.close()
})
