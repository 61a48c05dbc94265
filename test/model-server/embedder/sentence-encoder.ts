import { Worker } from 'node:worker_threads'
import type { EmbeddedText } from '../types.js'

export const SENTENCE_ENCODER = 'universal-sentence-encoder'
export const SENTENCE_ENCODER_DIM = 512

/** The model takes longer texts, but its time grows with the square; real services have such a limit too. */
export const SENTENCE_ENCODER_CONTEXT_TOKENS = 512

export interface SentenceEncoder {
  /** In the order of `texts`; a text over `contextTokens` is cut there. The vector of a text does not depend on the others. */
  embed(texts: readonly string[], contextTokens: number): Promise<EmbeddedText[]>
  /** Ends the thread; what is under way is rejected. */
  close(): Promise<void>
}

interface Job {
  resolve(answer: Answer): void
  reject(error: Error): void
}
interface Answer {
  readonly id: number
  readonly vectors: Float32Array
  readonly tokens: Int32Array
  readonly error?: string
}

/** The Universal Sentence Encoder Lite in a worker thread, which starts (a third of a second) with the first texts. */
export function createSentenceEncoder(): SentenceEncoder {
  let worker: Worker | null = null
  let nextId = 0
  const jobs = new Map<number, Job>()

  const fail = (failed: Worker, error: Error) => {
    // A thread that breaks says so twice, by its error and by its end; by then another one may be at work.
    if (worker !== failed) return
    worker = null
    for (const job of jobs.values()) job.reject(error)
    jobs.clear()
  }

  const start = () => {
    const started = new Worker(new URL('./sentence-encoder-worker.mjs', import.meta.url), { execArgv: [] })
    started.on('message', (answer: Answer) => {
      const job = jobs.get(answer.id)
      jobs.delete(answer.id)
      // An idle thread must not keep a finished program alive, a busy one must.
      if (jobs.size === 0) started.unref()
      if (answer.error === undefined) job?.resolve(answer)
      else job?.reject(new Error(`The sentence encoder failed: ${answer.error}`))
    })
    started.on('error', (error) => fail(started, error instanceof Error ? error : new Error(String(error))))
    started.on('exit', () => fail(started, new Error('The sentence encoder ended before it had answered.')))
    return started
  }

  return {
    async embed(texts, contextTokens) {
      worker ??= start()
      const id = nextId++
      const { vectors, tokens } = await new Promise<Answer>((resolve, reject) => {
        jobs.set(id, { resolve, reject })
        worker?.ref()
        worker?.postMessage({ id, texts, contextTokens })
      })
      return texts.map((_, index) => ({
        vector: vectors.slice(index * SENTENCE_ENCODER_DIM, (index + 1) * SENTENCE_ENCODER_DIM),
        tokens: tokens[index] ?? 0,
      }))
    },
    async close() {
      await worker?.terminate()
    },
  }
}
