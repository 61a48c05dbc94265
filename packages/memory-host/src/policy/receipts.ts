import type { ContextBlock, ContextLine } from '@mono-agent/memory-bujo'
import { createHash } from 'node:crypto'

/** What a provider's session holds of automatic context: fingerprints only, never words (REC-19). */
export interface Served {
  readonly lines: ReadonlySet<string>
  /** Fingerprint of the profile that it was given last; `NO_PROFILE` where it was given none, or told that it is empty. */
  readonly profile: string
}

export const NO_PROFILE = ''

export const NOTHING_SERVED: Served = { lines: new Set(), profile: NO_PROFILE }

const EMPTIED: ContextBlock = {
  kind: 'profile',
  heading: 'Owner profile (changed):',
  lines: [{ text: '- It is empty now; the one given earlier no longer stands.', memoryIds: [] }],
}

/**
 * What of the context a session does not hold yet. Lines are left out one by one; the profile comes whole or not at all,
 * for its entries only mean something together, and when it has become empty that is said once.
 * @param looksAtProfile  false where the turn could not be shown one: its absence says nothing then
 */
export function unserved(
  blocks: readonly ContextBlock[],
  served: Served,
  looksAtProfile: boolean,
): readonly ContextBlock[] {
  const isProfileNew = looksAtProfile && profileFingerprint(blocks) !== served.profile
  const fresh = blocks.flatMap((block) => {
    if (block.kind === 'profile') return isProfileNew ? [block] : []
    const lines = block.lines.filter((line) => !served.lines.has(lineFingerprint(block.kind, line)))
    return lines.length === 0 ? [] : [{ ...block, lines }]
  })
  return isProfileNew && profileOf(blocks) === undefined ? [EMPTIED, ...fresh] : fresh
}

/** Fingerprints of what was rendered, but for the profile's. */
export function lineFingerprints(rendered: readonly ContextBlock[]): readonly string[] {
  return rendered.flatMap(({ kind, lines }) =>
    kind === 'profile' ? [] : lines.map((line) => lineFingerprint(kind, line)),
  )
}

/** Of the profile as it was offered, before it was cut to a budget: `NO_PROFILE` where there is none. */
export function profileFingerprint(offered: readonly ContextBlock[]): string {
  const profile = profileOf(offered)
  return profile === undefined ? NO_PROFILE : fingerprint(profile.lines.map(({ text }) => text).join('\n'))
}

function profileOf(blocks: readonly ContextBlock[]): ContextBlock | undefined {
  return blocks.find(({ kind, lines }) => kind === 'profile' && lines.length > 0)
}

/** Under another heading the same words say something else. An item's mark may have been put before it since it was offered. */
const lineFingerprint = (kind: ContextBlock['kind'], { text }: ContextLine): string =>
  fingerprint(`${kind}\n${text.replace(/^- /, '')}`)

const fingerprint = (words: string): string => createHash('sha256').update(words).digest('base64url')
