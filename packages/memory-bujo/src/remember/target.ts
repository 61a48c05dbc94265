import { isLive, type IndexedMemory, type IndexReader } from '@mono-agent/memory-search'
import { BujoError } from '../errors.js'
import { standingOf } from '../recall/currentness.js'
import type { Vantage } from '../recall/types.js'
import { protectionOf, type Protection } from './replaceable.js'

const PROTECTED: Readonly<Record<Protection, string>> = {
  task: 'a task',
  preference: 'a preference',
  lesson: 'a lesson',
  stated_fact: 'a fact that a user stated',
  plain: 'neither a captured memory nor one remembered with `about`, `supersedes` or `replaceable`',
}

/**
 * The memory that `supersedes` means, if it may be replaced now (REC-27). The index has caught up with its file.
 * @throws {BujoError} `target_unknown`, `target_not_current`, `not_replaceable`
 */
export function requireTarget(index: Pick<IndexReader, 'get'>, id: string, vantage: Vantage): IndexedMemory {
  const target = index.get(id)
  if (target === undefined) throw targetUnknown()
  const { state } = standingOf(target, vantage)
  if (!isLive(target.status) || state !== 'current') {
    const how = state === 'current' ? 'forgotten' : state
    throw new BujoError(
      'target_not_current',
      `The memory to replace is ${how} already. Nothing was written. Recall what stands now, and replace that or add beside it.`,
    )
  }
  const protection = protectionOf(target)
  if (protection === undefined) return target
  throw new BujoError(
    'not_replaceable',
    `The memory to replace is ${PROTECTED[protection]}, which Remember leaves as it is. Nothing was written. Leave ` +
      '`supersedes` out to add beside it.',
  )
}

export function targetUnknown(): BujoError {
  return new BujoError(
    'target_unknown',
    'There is no memory of the id in `supersedes`. Nothing was written. Recall it anew; ids are those of the hits.',
  )
}
