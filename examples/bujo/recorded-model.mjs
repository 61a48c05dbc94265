// The models of the demo: real embeddings, and chat answers from a book, both spoken to as Ollama is.
import { fileURLToPath } from 'node:url'
import { loadModelServer } from '../../test/model-server/load.mjs'

/** The recordings. */
export const BOOK = fileURLToPath(new URL('recordings.json', import.meta.url))
/** What the store knows them by. */
export const EMBEDDING_MODEL = 'universal-sentence-encoder'
export const CHAT_MODEL = 'recorded'

/** Sections that hold what was said and what is stored. The rest of a prompt is rules, whose wording may change. */
const DATA = /^<(human-words|turn|lines|new-memories)>\n(.*)\n<\/\1>$/gm

/** Of each section the words, and what an answer refers to; how they are dressed for the model is wording too. */
const WORDS = {
  'human-words': ({ text }) => text,
  turn: ({ text }) => text,
  lines: (lines) => lines.map(({ index, text }) => ({ index, text })),
  'new-memories': (memories) => memories.map(({ index, text }) => ({ index, text })),
}

/** What the sections of a request hold, by name. */
function sectionsOf({ schemaName, messages }) {
  const user = messages.filter(({ role }) => role === 'user').map(({ content }) => content)
  const found = [...user.join('\n').matchAll(DATA)].map(([, name, json]) => [name, JSON.parse(json)])
  if (found.length === 0) throw new Error(`A request of ${schemaName} holds no section of data.`)
  return Object.fromEntries(found)
}

/** The same request with its data alone: what a recording is looked up by. */
function dataOf(request) {
  const words = Object.entries(sectionsOf(request)).map(([name, data]) => [name, WORDS[name](data)])
  return { ...request, messages: [{ role: 'user', content: JSON.stringify(Object.fromEntries(words)) }] }
}

/**
 * A recorded decision names the line that it is about by its words; what that line is called in this call is looked up.
 * @throws {Error} the line is not offered
 */
function withAliases(answer, request) {
  if (request.schemaName !== 'reconcile') return answer
  const { 'new-memories': memories } = sectionsOf(request)
  const decisions = JSON.parse(answer.content).decisions.map((decision, place) => {
    if (decision.target === undefined) return decision
    const found = memories[place].offered.find(({ text }) => text === decision.target)
    if (found === undefined)
      throw new Error(`It was recorded that a line is meant which is not offered: ${decision.target}`)
    return { ...decision, target: found.alias }
  })
  return { ...answer, content: JSON.stringify({ decisions }) }
}

/**
 * Starts both. What nobody recorded is answered with HTTP 500, and said by `assertComplete`.
 * @param bookOf  makes the book; by default the one beside this file
 */
export async function startRecordedModel(bookOf = ({ openBook }) => openBook(BOOK)) {
  const models = await loadModelServer()
  const server = await models.startModelServer({
    service: 'ollama',
    models: [{ name: EMBEDDING_MODEL, serves: models.SENTENCE_ENCODER }],
    chatModels: [CHAT_MODEL],
  })
  const book = bookOf(models)
  server.chat.respondWith(async (request) => withAliases(await book.responder(dataOf(request)), request))
  return {
    url: server.url,
    book,
    dim: models.SENTENCE_ENCODER_DIM,
    /** @throws {Error} something was asked that the book does not answer */
    assertComplete() {
      const [first] = server.chat.unexpected
      if (first !== undefined) throw new Error(first.reason)
    },
    close: () => server.close(),
  }
}
