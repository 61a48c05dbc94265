import { checkSentence, contentHash, StoreError, type Remembered, type RememberRequest } from '@mono-agent/memory-store'
import { holdsCredential } from '../credentials.js'
import { BujoError } from '../errors.js'
import type { RememberParts } from './parts.js'
import { rememberByPlan } from './remember-by-plan.js'
import { rememberLine } from './remember-line.js'
import { parseRequest } from './request.js'
import { inStages } from './stages.js'

/**
 * Writes one deliberate fact to Markdown and index in one critical section, so that it can be recalled when this returns
 * (REC-25). Idempotent by content hash (REC-26). In bujo it can be linked to a known person and take the place of an ordinary
 * note, which stays as history (REC-27); both are written by plan, so that a crash leaves all of it or nothing.
 * @throws {TypeError} a field that is none, or of another type
 * @throws {StoreError} `sentence_invalid`  @throws {BujoError} `credential_rejected`, `unsupported_in_tier`,
 *   `person_unknown`, `person_ambiguous`, `target_unknown`, `target_not_current`, `not_replaceable`, `lifecycle_full`,
 *   `outbox_invalid`: nothing was written; `target_changed`: as its `outcome` says
 * @throws {MemoryError} each with its `outcome`: `not_written` up to the publication of the day file or plan, `unknown` where
 *   the memory may stand, or will; asked again, it is `duplicate` if it does
 */
export function remember(parts: RememberParts, request: RememberRequest): Promise<Remembered> {
  return inStages(parts.lease, async (reach) => {
    const { conversationId, detail, text: given } = parseRequest(request, parts.tier)
    const text = await checkedText(given)
    const note = { text, hash: contentHash(text), ...(conversationId === undefined ? {} : { conversationId }) }
    if (detail?.about === undefined && detail?.supersedes === undefined) return rememberLine(parts, note, detail, reach)
    const { plannedWrites } = parts
    if (plannedWrites === undefined) throw new RangeError(`A store of ${parts.tier} writes nothing by plan.`)
    return rememberByPlan({ ...parts, plannedWrites }, note, detail, reach)
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
