// What the rebuild scenarios have in common: from lite, or from a journal of one model, to a journal of another.
import { acknowledge } from './acknowledge.mjs'
import { hashEmbeddings } from './embeddings.mjs'
import { preparedTellings, rebuild } from './open-journal.mjs'
import { contentOf } from './tellings.mjs'
import { wordOf } from './turns.mjs'

const OTHER_DIMENSION = 32

/** A service for each identity that an index may be of; lite has none. */
export const servicesOf = () => ({
  lite: undefined,
  'other model': hashEmbeddings(OTHER_DIMENSION),
  rebuilt: hashEmbeddings(),
})

/** Rebuilds for the new model, and says which words a kill may not lose the vectors of any more. */
export async function rebuildTelling(root) {
  const service = hashEmbeddings()
  let last = []
  service.onAsked = (texts) => {
    if (last.length > 0) acknowledge('staged', last.join(BETWEEN)) // the next request comes when the last answer is kept
    last = turnsAmong(texts)
  }
  await rebuild(root, service)
  acknowledge('switched')
  return service
}

/** Between the texts of one request, in what is acknowledged of it. */
export const BETWEEN = ' | '

const words = new Set(preparedTellings().map((runId) => wordOf(contentOf(runId))))

/** And not one of the sentences that a model is measured with. */
const isOfATurn = (text) => text.split(/\s+/).some((word) => words.has(word))

export const turnsAmong = (texts) => texts.filter(isOfATurn)

/** Which of `servicesOf` an index was made for. */
export function nameOfIdentity({ fingerprint }) {
  const found = Object.entries(servicesOf()).find(([, service]) => service?.embed.identity.fingerprint === fingerprint)
  return found[0]
}
