import { contentHash } from '@mono-agent/memory-store'
import type { IndexReader } from '@mono-agent/memory-search'
import type { CaptureAction } from '../types.js'
import { findLive } from './find-live.js'

/**
 * Actions as they are when the store is held: while the model was asked, Remember or a person may have written the very
 * words that were to be added; and those that it wants a line to get may be another line's, or come twice (CAP-13). What a
 * supersession says is written all the same: the line that no longer holds must go.
 */
export function withoutLateRepeats(
  index: Pick<IndexReader, 'findByContentHash'>,
  actions: readonly CaptureAction[],
): readonly CaptureAction[] {
  const said = new Set<string>()
  return actions.map((action) => {
    if (action.kind === 'noop') return action
    const { kind, memory } = action
    const hash = contentHash(kind === 'add' ? memory.text : action.text)
    const isSaid = said.has(hash)
    said.add(hash)
    if (kind === 'supersede') return action
    if (isSaid) return { kind: 'noop', memory, target: undefined }
    const target = findLive(index, hash)
    const isOwn = kind === 'update' && target?.id === action.target.id
    return target === undefined || isOwn ? action : { kind: 'noop', memory, target }
  })
}
