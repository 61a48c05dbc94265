import type { AdmittedMemory, CaptureAction, CapturePolicy } from '../types.js'

/**
 * Applies `capture.only` to a plan, after labels were checked and reconciled (CAP-21): only memories with an accepted label
 * of an allowed kind are stored. The coarse owner fact says who spoke and is no accepted fact. No list keeps all, an empty
 * one nothing; what no remaining memory names is `pruneCapture`'s.
 * @returns `filtered`: memories that would have been stored; a no-op would not
 */
export function keepOnly(
  actions: readonly CaptureAction[],
  only: CapturePolicy['only'],
): { readonly kept: readonly CaptureAction[]; readonly filtered: number } {
  if (only === undefined) return { kept: actions, filtered: 0 }
  const kept = actions.filter(({ memory }) => hasLabelOf(memory, only))
  const stored = (list: readonly CaptureAction[]): number => list.filter(({ kind }) => kind !== 'noop').length
  return { kept, filtered: stored(actions) - stored(kept) }
}

function hasLabelOf({ labels }: AdmittedMemory, kinds: NonNullable<CapturePolicy['only']>): boolean {
  return labels.some((label) => kinds.includes(label.kind) && !(label.kind === 'fact' && label.key === undefined))
}
