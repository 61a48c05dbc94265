import { composeContext, type ContextBlock, type MemoryLookup } from '@mono-agent/memory-bujo'
import { shownBlocks } from '../policy/automatic-gate.js'
import { lineFingerprints, profileFingerprint, unserved } from '../policy/receipts.js'
import type { SessionView } from './sessions.js'

export interface AutomaticContext {
  readonly text: string
  readonly bytes: number
  readonly memoryIds: readonly string[]
  /** As they were rendered. */
  readonly blocks: readonly ContextBlock[]
  /** Every line that the turn may take for memory's: also those that its session holds already. */
  readonly offered: readonly string[]
  /** To be committed to the session once the turn has succeeded. */
  readonly receipts: Receipts
}

export interface Receipts {
  readonly lines: readonly string[]
  readonly profile?: string
}

export const NO_CONTEXT: AutomaticContext = {
  text: '',
  bytes: 0,
  memoryIds: [],
  blocks: [],
  offered: [],
  receipts: { lines: [] },
}

interface Audience {
  readonly conversationId: string
  readonly permitted: readonly ContextBlock['kind'][]
  readonly scopes: NonNullable<Parameters<MemoryLookup['automatic']>[0]['scopes']>
  readonly ownerText: string
  readonly maxBytes: number
  readonly session: SessionView | undefined
}

/** What a turn is shown of a lookup: what its audience may see, without what its session holds, within its budget. */
export function automaticContext(lookup: MemoryLookup, audience: Audience): AutomaticContext {
  const { conversationId, permitted, scopes, ownerText, maxBytes, session } = audience
  const kinds = shownBlocks(permitted, lookup.mode)
  if (kinds.length === 0) return NO_CONTEXT
  const blocks = lookup
    .automatic({ blocks: kinds, conversationId, scopes, message: ownerText })
    .filter(({ kind }) => kinds.includes(kind)) // a backend of somebody else's may answer more than it was asked
  const served = session?.served
  const fresh = served === undefined ? blocks : unserved(blocks, served, kinds.includes('profile'))
  const { text, bytes, memoryIds, blocks: rendered } = composeContext(fresh, { maxBytes })
  const hasProfile = rendered.some(({ kind }) => kind === 'profile')
  return {
    text,
    bytes,
    memoryIds,
    blocks: rendered,
    offered: blocks.flatMap(({ lines }) => lines.map((line) => line.text)),
    receipts: {
      lines: lineFingerprints(rendered),
      ...(hasProfile ? { profile: profileFingerprint(blocks) } : {}),
    },
  }
}
