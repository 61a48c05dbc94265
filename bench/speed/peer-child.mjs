// A process of its own for one library: it makes the memories anew, fills the library with them, and answers the questions it
// is sent by their number, with the time each took. So nobody pays for the garbage that another leaves on the heap.
// Arguments: name of a file in `peers/`, memories, questions, a directory.
import { clusteredCorpus } from './corpus.mjs'
import { timed } from './interleave.mjs'
import { LIMIT } from './store.mjs'

const [key, size, count, directory] = process.argv.slice(2)
const corpus = clusteredCorpus(Number(size), Number(count))
const { open } = await import(`./peers/${key}.mjs`)

async function filled() {
  const from = performance.now()
  const opened = await open(corpus, directory, LIMIT)
  process.send({ seconds: (performance.now() - from) / 1000 })
  return opened
}

async function answer(opened, number) {
  const { answer: ids, ms, cpu } = await timed(() => opened.ask(corpus.questions[number]))
  process.send({ ms, cpu, found: ids.length })
}

const tell = (error) => process.send({ failed: String(error.message).split('\n')[0] })

try {
  const opened = await filled()
  process.on('message', ({ ask }) => void answer(opened, ask).catch(tell))
  process.on('disconnect', () => process.exit())
} catch (error) {
  tell(error)
  process.disconnect()
}
