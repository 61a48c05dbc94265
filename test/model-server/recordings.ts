import { createHash } from 'node:crypto'
import { readFileSync, writeFileSync } from 'node:fs'
import { z } from 'zod'
import { partOf } from './scripted-capture.js'
import type { ChatAnswer, ChatRequest, ChatResponder } from './types.js'

const recording = z.strictObject({
  /** Name of the schema: which of the calls it was. */
  schema: z.string().min(1),
  /** Of schema and normalised user section: what it is looked up by. */
  digest: z.string().regex(/^[0-9a-f]{64}$/),
  /** The beginning of the user section, for people; nothing is looked up by it. */
  asked: z.string(),
  answer: z.string(),
  finish: z.enum(['stop', 'length']).optional(),
})
const book = z.strictObject({ version: z.literal(1), recordings: z.array(recording) })

export type Recording = z.output<typeof recording>

export interface BookOptions {
  /** What of a user section is looked up, instead of `normaliseUserSection`: to leave out what differs from run to run. */
  readonly normalise?: (user: string) => string
  /** Asked what the book does not hold, and its answers are kept: that is how a book is made. */
  readonly recordFrom?: ChatResponder
}

export interface Book {
  /** For `server.chat.respondWith`; throws, and so answers 500 with the reason, to what nobody recorded. */
  readonly responder: ChatResponder
  /** What was asked and is not recorded. */
  readonly missing: readonly Pick<Recording, 'schema' | 'digest' | 'asked'>[]
  /** Recordings that nobody asked for: a prompt changed, or they are of no use any more. */
  unused(): readonly Recording[]
  recordings(): readonly Recording[]
  /** Adds or replaces what is answered to a request. */
  record(request: Pick<ChatRequest, 'messages' | 'schemaName'>, answer: string | ChatAnswer): void
  /** Writes a book that `openBook` reads: sorted, so that two books of the same answers are the same bytes. */
  save(path: string): void
}

const ASKED_UNITS = 200

/** @throws {Error} the file is no book, or has one digest twice  @throws the system's error if it cannot be read */
export function openBook(path: string, options: BookOptions = {}): Book {
  const { recordings } = book.parse(JSON.parse(readFileSync(path, 'utf8')))
  return bookOf(recordings, options)
}

/** A book of these recordings, or an empty one. */
export function bookOf(given: readonly Recording[], options: BookOptions = {}): Book {
  const { normalise = normaliseUserSection, recordFrom } = options
  const byDigest = new Map(given.map((one) => [one.digest, one]))
  if (byDigest.size !== given.length) throw new Error('One request is recorded twice.')
  const asked = new Set<string>()
  const missing: Pick<Recording, 'schema' | 'digest' | 'asked'>[] = []

  const keyOf = (request: Pick<ChatRequest, 'messages' | 'schemaName'>) => {
    const schema = request.schemaName
    if (schema === null) throw new Error('A request without a schema cannot be looked up.')
    const user = partOf(request, 'user')
    const digest = createHash('sha256')
      .update(`${schema}\0${normalise(user)}`)
      .digest('hex')
    return { schema, digest, asked: user.slice(0, ASKED_UNITS) }
  }

  const record: Book['record'] = (request, answer) => {
    const { content, finish } = typeof answer === 'string' ? { content: answer, finish: undefined } : answer
    const key = keyOf(request)
    byDigest.set(key.digest, { ...key, answer: content, ...(finish === undefined ? {} : { finish }) })
  }

  return {
    missing,
    record,
    recordings: () => sorted([...byDigest.values()]),
    unused: () => sorted([...byDigest.values()].filter(({ digest }) => !asked.has(digest))),
    save(path) {
      const recordings = sorted([...byDigest.values()])
      writeFileSync(path, `${JSON.stringify({ version: 1, recordings } satisfies z.input<typeof book>, null, 2)}\n`)
    },
    async responder(request) {
      const key = keyOf(request)
      asked.add(key.digest)
      const found = byDigest.get(key.digest)
      if (found !== undefined) {
        return { content: found.answer, ...(found.finish === undefined ? {} : { finish: found.finish }) }
      }
      if (recordFrom === undefined) {
        missing.push(key)
        const shown = JSON.stringify(key.asked)
        throw new Error(`Nobody recorded an answer to ${key.schema} ${key.digest}, which asks: ${shown}`)
      }
      const answer = await recordFrom(request)
      if (answer !== null) record(request, answer)
      return answer
    },
  }
}

/** Runs of 32 hex digits or more: ids that are derived from what differs from run to run. */
const DERIVED_IDS = /[0-9a-f]{32,}/g

/** One form for what is asked: white space folded, derived ids left out. */
export function normaliseUserSection(user: string): string {
  return user.normalize('NFKC').replace(DERIVED_IDS, '<id>').replace(/\s+/g, ' ').trim()
}

function sorted(recordings: readonly Recording[]): Recording[] {
  const byPlace = (one: Recording, other: Recording) =>
    one.schema === other.schema ? (one.digest < other.digest ? -1 : 1) : one.schema < other.schema ? -1 : 1
  return [...recordings].sort(byPlace)
}
