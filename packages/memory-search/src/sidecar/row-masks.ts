import type { RequiredTags } from '../candidates/candidate-source.js'
import type { RowFilter } from '../candidates/row-filter.js'
import { ftsToken } from '../query/match-expression.js'
import { conversationTag } from '../query/tags.js'
import { rowsAboutEntities } from '../sqlite/row-condition.js'
import type { Connection } from '../sqlite/connection.js'
import { passing } from './passing.js'
import type { SidecarMemory } from './sidecar-memory.js'
import { KIND_BITS } from './slot-table.js'

/** Bits of a mask while it is made. */
const ABOUT = 1
const OUTSIDE = 2
const FIRST_GROUP = 4
/** Groups of tags that fit into a byte beside the two above; a query has at most three. */
const MAX_GROUPS = 6

/**
 * Which records may be candidates, as a mask by slot: 1 where the record carries the tags and passes the filter (SEA-7).
 * @returns undefined where all slots count
 * @throws {RangeError} more than six groups of tags
 */
export function maskOf(
  db: Connection,
  { slots, words, board }: SidecarMemory,
  required: RequiredTags,
  filter: RowFilter | undefined,
): Uint8Array | undefined {
  const { kind, aboutEntities, recordedBy, outsideConversations } = filter ?? {}
  const isPlain = [kind, aboutEntities, recordedBy, outsideConversations].every((part) => part === undefined)
  if (required.length === 0 && isPlain) return slots.dead === 0 ? undefined : slots.live
  if (required.length > MAX_GROUPS) throw new RangeError(`A query has at most ${MAX_GROUPS} groups of tags.`)

  const mask = new Uint8Array(slots.size)
  let wanted = 0
  required.forEach((group, at) => {
    wanted |= FIRST_GROUP << at
    for (const tag of group) words.mark(ftsToken(tag), mask, FIRST_GROUP << at, board)
  })
  for (const id of outsideConversations ?? []) words.mark(ftsToken(conversationTag(id)), mask, OUTSIDE, board)
  if (aboutEntities !== undefined) {
    wanted |= ABOUT
    for (const row of rowsAboutEntities(db, aboutEntities)) {
      const slot = slots.slotOf(row)
      if (slot !== undefined) mask[slot] = (mask[slot] as number) | ABOUT
    }
  }
  const { live, recordedAt, kinds } = slots
  passing(mask, live, wanted, OUTSIDE)
  if (recordedBy !== undefined) {
    const latest = Date.parse(recordedBy)
    for (let slot = 0; slot < mask.length; slot++) {
      mask[slot] = (mask[slot] as number) & Number((recordedAt[slot] as number) <= latest)
    }
  }
  if (kind !== undefined) {
    const bits = KIND_BITS[kind]
    for (let slot = 0; slot < mask.length; slot++) {
      mask[slot] = (mask[slot] as number) & Number(((kinds[slot] as number) & bits) === bits)
    }
  }
  return mask
}
