import {
  checkSentence,
  contentHash,
  layout,
  MemoryError,
  newBullet,
  StoreError,
  withOutcome,
  type Remembered,
  type RememberRequest,
  type WriteOutcome,
  type WriterLease,
} from '@mono-agent/memory-store'
import { isLive, type IndexedMemory, type SearchIndex } from '@mono-agent/memory-search'
import type { CanonicalWriter } from './canonical-writer.js'
import { holdsCredential } from './credentials.js'
import { BujoError } from './errors.js'

/** A deliberate fact outweighs an observation; the format's own example value. */
const REMEMBERED_SALIENCE = 0.7

export interface RememberParts {
  readonly writer: CanonicalWriter
  readonly index: SearchIndex
  readonly lease: Pick<WriterLease, 'assertHeld'>
  readonly now: () => number
  /** A fresh, time-ordered id without prefix. */
  readonly newId: (now: number) => string
}

/** How far a Remember came: what its failure means depends on it. */
type Stage = 'looking' | 'publishing' | 'published'

/**
 * Writes one deliberate fact to Markdown and index in one critical section, so that it can be recalled when this returns
 * (REC-25). Idempotent by content hash (REC-26).
 * @throws {StoreError} `sentence_invalid`  @throws {BujoError} `credential_rejected`: nothing was written
 * @throws {MemoryError} each with its `outcome`: `not_written` up to the publication of the day file, `unknown` where the
 *   memory may stand in it; asked again, it is `duplicate` if it does
 */
export async function remember(parts: RememberParts, request: RememberRequest): Promise<Remembered> {
  let stage: Stage = 'looking'
  try {
    return await rememberInStages(parts, request, (reached) => {
      stage = reached
    })
  } catch (error) {
    throw withOutcome(error, outcomeOf(error, stage, parts.lease))
  }
}

function outcomeOf(error: unknown, stage: Stage, lease: RememberParts['lease']): WriteOutcome {
  if (stage === 'looking') return 'not_written'
  const isCertain = stage === 'publishing' && error instanceof MemoryError && error.outcome === 'not_written'
  // A lease that ended says the same of every write, also of one that had replaced the file by then.
  return isCertain && isHeld(lease) ? 'not_written' : 'unknown'
}

function isHeld(lease: RememberParts['lease']): boolean {
  try {
    lease.assertHeld()
    return true
  } catch {
    return false // the failure that led here is the one to tell
  }
}

async function rememberInStages(
  parts: RememberParts,
  request: RememberRequest,
  reach: (stage: Stage) => void,
): Promise<Remembered> {
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
    parts.lease.assertHeld() // of a lease that was lost before, nothing is in flight
    reach('publishing')
    await writer.write([{ file, changes: [{ kind: 'add', bullets: [bullet] }] }], () => reach('published'))
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
  return index.findByContentHash(hash).find(({ status }) => isLive(status))
}
