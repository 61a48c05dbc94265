// A library is filled with the same memories and asked some of the same questions, by turns with the store.
import { report } from '../report.mjs'
import { floorsOf } from './floors.mjs'
import { both, interleave, p50 } from './interleave.mjs'
import { skip } from './lines.mjs'
import { LIMIT, recall } from './store.mjs'

/** Questions asked, by memories: mem0 takes ten seconds and more for one at 100,000. */
const ASKED = { lancedb: [23, 13], orama: [23, 9], mem0: [4, 1] }

/** @param key  name of a file in `peers/` */
export async function peerSpeed(key, reader, corpus, directory) {
  const { name, size, questions } = corpus
  const floor = floorsOf(size).peers[key]
  const { name: title, open } = await import(`./peers/${key}.mjs`)
  const line = { name: `${title}, ${name}, p50 against hybrid recall`, floor: `≥ ${floor} ×` }
  let opened
  const from = performance.now()
  try {
    opened = await open(corpus, directory, LIMIT)
  } catch (error) {
    return skip({ ...line, why: String(error.message).split('\n')[0] })
  }
  const seconds = ((performance.now() - from) / 1000).toFixed(0)
  const asked = questions.slice(0, ASKED[key][size > 10_000 ? 1 : 0])
  const warm = Math.min(3, Math.floor(asked.length / 4))
  const { ours, theirs } = await interleave(
    { ours: (question) => recall(reader, question), theirs: (question) => opened.ask(question) },
    asked,
    warm,
  )
  await opened.close()
  const value = p50(theirs.times) / p50(ours.times)
  report({
    ...line,
    value,
    unit: '× slower',
    ok: value >= floor,
    detail: `${both(theirs)} against ${both(ours)}, ${asked.length - warm} questions; filled in ${seconds} s`,
  })
}
