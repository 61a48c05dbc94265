// The models of the demo: real embeddings, and chat answers from a book, both spoken to as Ollama is.
import { fileURLToPath } from 'node:url'
import { loadModelServer } from '../../test/model-server/load.mjs'

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
  'new-memories': (memories) =>
    memories.map(({ index, text, offered }) => ({
      index,
      text,
      offered: offered.map(({ alias, text }) => `${alias} ${text}`),
    })),
}

/** The same request with its data alone: what a recording is looked up by. */
export function dataOf(request) {
  const user = request.messages.filter(({ role }) => role === 'user').map(({ content }) => content)
  const data = [...user.join('\n').matchAll(DATA)].map(([, name, json]) => [name, WORDS[name](JSON.parse(json))])
  if (data.length === 0) throw new Error(`A request of ${request.schemaName} holds no section of data.`)
  return { ...request, messages: [{ role: 'user', content: JSON.stringify(Object.fromEntries(data)) }] }
}

/**
 * Starts both. A question that nobody recorded is answered with HTTP 500, and said by `assertComplete`.
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
  server.chat.respondWith((request) => book.responder(dataOf(request)))
  return {
    url: server.url,
    book,
    dim: models.SENTENCE_ENCODER_DIM,
    /** @throws {Error} something was asked that is not in the book */
    assertComplete() {
      const [first] = book.missing
      if (first === undefined) return
      throw new Error(`Nobody recorded an answer to ${first.schema} ${first.digest}, which asks:\n${first.asked}`)
    },
    close: () => server.close(),
  }
}
