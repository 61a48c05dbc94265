import type { MemoryStore } from '@mono-agent/memory-bujo'
import type { MemoryToolName } from '../tools/memory-tool.js'
import type { ToolPolicy } from '../types.js'

type Offer = Pick<MemoryStore, 'capabilities' | 'chronology' | 'remember'>

/**
 * The tools of a turn (REC-29): those that the store affirms, in a fixed order. `MemoryRecall` is governed by the store's
 * own declaration; the others by the host's lists as well, all of which must let them through.
 */
export function advertisedTools(store: Offer, policies: readonly (ToolPolicy | undefined)[]): MemoryToolName[] {
  const { capabilities } = store
  const tools: MemoryToolName[] = []
  if (capabilities?.recall ?? true) tools.push('MemoryRecall')
  const hasChronology = capabilities?.chronology === true && store.chronology !== undefined
  if (hasChronology && isAllowed('MemoryJournal', policies)) tools.push('MemoryJournal')
  const canRemember = (capabilities?.remember ?? 'none') !== 'none' && store.remember !== undefined
  if (canRemember && isAllowed('Remember', policies)) tools.push('Remember')
  return tools
}

/** Deny wins; without an `allow` all are allowed. Names are compared as they are: a host gives those of `MemoryTool`. */
function isAllowed(name: MemoryToolName, policies: readonly (ToolPolicy | undefined)[]): boolean {
  return policies.every(
    (policy) => !(policy?.deny ?? []).includes(name) && (policy?.allow === undefined || policy.allow.includes(name)),
  )
}
