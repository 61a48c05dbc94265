import { bulletDigest, type Bullet } from './bullet.js'
import { changeBullet } from './compose-bullet.js'
import { makeDayDocument, renumberBlocks, type BulletBlock, type DayBlock, type DayDocument } from './day-document.js'

/** One change that a machine makes to a day file, planned earlier: a person may have edited the file since (FMT-13). */
export type DayChange =
  /** All or nothing: if any of these ids is there, this was published before and nothing is added. */
  | { readonly kind: 'add'; readonly bullets: readonly Bullet[] }
  | {
      readonly kind: 'set'
      readonly id: string
      /** `bulletDigest` of the bullet as it was when the change was planned. */
      readonly baseDigest: string
      /** The result, under the same id, with a `rev` of its own. */
      readonly bullet: Bullet
      /** Id of the new bullet that our result becomes where a person changed or removed the old one. */
      readonly spareId: string
    }

/**
 * What became of a change; `ids` are those under which its result stands in the file.
 * - `added`, `replaced`: done now. `already_applied`: an earlier run had done it.
 * - `kept_theirs`: a person had changed the bullet; theirs stays, ours was added under the spare id.
 * - `target_removed`: a person had removed the bullet; ours was added under the spare id and replaces nothing.
 */
export interface DayChangeOutcome {
  readonly status: 'added' | 'replaced' | 'already_applied' | 'kept_theirs' | 'target_removed'
  readonly ids: readonly string[]
}

/** The blocks under change, by id. Ids in broken lines are taken, but nothing there can be replaced. */
class Draft {
  readonly blocks: DayBlock[]
  private readonly places = new Map<string, number>()
  private readonly heldIds = new Set<string>()
  isChanged = false

  constructor(document: DayDocument) {
    this.blocks = [...document.blocks]
    for (const [place, block] of this.blocks.entries()) {
      if (block.kind === 'bullet') this.places.set(block.bullet.id, place)
      else if (block.heldId !== undefined) this.heldIds.add(block.heldId)
    }
  }

  holds(id: string): boolean {
    return this.places.has(id) || this.heldIds.has(id)
  }

  find(id: string): Bullet | undefined {
    const block = this.blocks[this.places.get(id) ?? -1]
    return block?.kind === 'bullet' ? block.bullet : undefined
  }

  add(bullet: Bullet): void {
    this.places.set(bullet.id, this.blocks.length)
    this.blocks.push({ kind: 'bullet', bullet, line: 0, lineEnd: '\n' })
    this.isChanged = true
  }

  replace(bullet: Bullet): void {
    const place = this.places.get(bullet.id) as number
    this.blocks[place] = { ...(this.blocks[place] as BulletBlock), bullet }
    this.isChanged = true
  }
}

function applyAdd(draft: Draft, bullets: readonly Bullet[]): DayChangeOutcome {
  const ids = bullets.map((bullet) => bullet.id)
  if (new Set(ids).size !== ids.length) throw new RangeError('A change adds two bullets of one id.')
  const present = ids.filter((id) => draft.holds(id))
  if (present.length > 0) return { status: 'already_applied', ids: present }
  for (const bullet of bullets) draft.add(bullet)
  return { status: 'added', ids }
}

function applySet(draft: Draft, change: DayChange & { kind: 'set' }): DayChangeOutcome {
  const { id, baseDigest, bullet, spareId } = change
  if (bullet.id !== id || spareId === id)
    throw new RangeError('A change sets a bullet of another id, or its spare id is its own.')
  if (bullet.rev === undefined) throw new RangeError('A bullet that is set needs a rev: a replay knows its work by it.')
  if (draft.holds(spareId)) return { status: 'already_applied', ids: [spareId] }
  const theirs = draft.find(id)
  if (theirs?.rev === bullet.rev) return { status: 'already_applied', ids: [id] }
  if (theirs !== undefined && bulletDigest(theirs) === baseDigest) {
    draft.replace(bullet)
    return { status: 'replaced', ids: [id] }
  }
  const isThere = draft.holds(id)
  draft.add(changeBullet(bullet, { id: spareId }))
  return { status: isThere ? 'kept_theirs' : 'target_removed', ids: [spareId] }
}

/**
 * Applies planned changes, one after the other, to a file as it is now (durability §8.3). Applied twice it changes nothing
 * more. New bullets go to the end; everything else stays where it is.
 * @returns the document, the same object if nothing changed, and one outcome a change
 * @throws {RangeError} a change that contradicts itself: ids twice in an add; a set without `rev` or of another id
 */
export function applyDayChanges(
  document: DayDocument,
  changes: readonly DayChange[],
): { readonly document: DayDocument; readonly outcomes: readonly DayChangeOutcome[] } {
  const draft = new Draft(document)
  const outcomes = changes.map((change) =>
    change.kind === 'add' ? applyAdd(draft, change.bullets) : applySet(draft, change),
  )
  if (!draft.isChanged) return { document, outcomes }
  return { document: makeDayDocument(renumberBlocks(draft.blocks), document.hasByteOrderMark), outcomes }
}
