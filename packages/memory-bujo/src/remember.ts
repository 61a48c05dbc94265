import {
  checkSentence,
  contentHash,
  layout,
  newBullet,
  StoreError,
  type Remembered,
  type RememberRequest,
} from '@mono-agent/memory-store'
import type { IndexedMemory, SearchIndex } from '@mono-agent/memory-search'
import type { CanonicalWriter } from './canonical-writer.js'
import { holdsCredential } from './credentials.js'
import { BujoError } from './errors.js'

/** A deliberate fact outweighs an observation; the format's own example value. */
const REMEMBERED_SALIENCE = 0.7

export interface RememberParts {
  readonly writer: CanonicalWriter
  readonly index: SearchIndex
  readonly now: () => number
  /** A fresh, time-ordered id without prefix. */
  readonly newId: (now: number) => string
}

/**
 * Writes one deliberate fact to Markdown and index in one critical section, so that it can be recalled when this returns
 * (REC-25). Idempotent by content hash (REC-26).
 * @throws {StoreError} `sentence_invalid`  @throws {BujoError} `credential_rejected`: nothing was written
 */
export async function remember(parts: RememberParts, request: RememberRequest): Promise<Remembered> {
  const text = await checkedText(request.text)
  const { writer, now } = parts
  return writer.exclusive(async () => {
    const instant = now()
    const createdAt = new Date(instant).toISOString()
    const file = layout.dayFile(createdAt.slice(0, 10))
    const known = await findKnown(parts, contentHash(text), file)
    if (known !== undefined) return { status: 'duplicate', id: known.id, text: known.text }
    const bullet = newBullet({
      id: `m-${parts.newId(instant)}`,
      sentence: text,
      type: 'note',
      status: 'open',
      salience: REMEMBERED_SALIENCE,
      createdAt,
      ...(request.conversationId === undefined ? {} : { conversationId: request.conversationId }),
    })
    await writer.write([{ file, changes: [{ kind: 'add', bullets: [bullet] }] }])
    return { status: 'stored', id: bullet.id, text }
  })
}

async function checkedText(given: string): Promise<string> {
  const text = given.normalize('NFKC').trim()
  const fault = checkSentence(text)
  if (fault !== undefined) {
    throw new StoreError('sentence_invalid', `The text cannot be remembered: ${fault}. Nothing was written.`)
  }
  if (await holdsCredential(text)) {
    throw new BujoError(
      'credential_rejected',
      'The text holds a credential. Nothing was written. Send it without the secret.',
    )
  }
  return text
}

/**
 * The live memory of these words, if there is one. The index is believed only after the day file of each hit has been
 * looked at, and today's: a person may have removed the line, or written it, a moment ago.
 */
async function findKnown(parts: RememberParts, hash: string, today: string): Promise<IndexedMemory | undefined> {
  const { writer, index } = parts
  const files = index.findByContentHash(hash).map(({ file }) => file)
  await writer.catchUp([...new Set([today, ...files])])
  return index.findByContentHash(hash).find(({ status }) => status !== 'dropped' && status !== 'invalidated')
}
