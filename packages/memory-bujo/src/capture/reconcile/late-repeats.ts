import { contentHash } from '@mono-agent/memory-store'
import type { IndexReader } from '@mono-agent/memory-search'
import type { CaptureAction } from '../types.js'
import { findLive } from './find-live.js'

/**
 * Actions as they are when the store is held: while the model was asked, Remember or a person may have written the very
 * words that were to be added (CAP-13).
 */
export function withoutLateRepeats(
  index: Pick<IndexReader, 'findByContentHash'>,
  actions: readonly CaptureAction[],
): readonly CaptureAction[] {
  return actions.map((action) => {
    if (action.kind !== 'add') return action
    const target = findLive(index, contentHash(action.memory.text))
    return target === undefined ? action : { kind: 'noop', memory: action.memory, target }
  })
}
