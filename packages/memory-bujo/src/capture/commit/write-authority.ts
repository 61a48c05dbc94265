import {
  formatGraphLine,
  formatReplayEntry,
  layout,
  type CanonicalFile,
  type GraphLine,
  type LogBase,
  type RefusedEntry,
  type ReplayEntry,
} from '@mono-agent/memory-store'
import type { AuthorityFile, CapturedAuthority } from '@mono-agent/memory-search'
import type { GraphLog, ReplayLog } from './open-authority.js'
import { authorityDigest } from './plan-format.js'
import type { PlannedEdge, WritingPlan } from './plan-types.js'

export interface WrittenAuthority extends CapturedAuthority {
  /** Edges that the authority could not take any more. */
  readonly refused: readonly RefusedEntry[]
}

/** Edges of a plan as entries that the plan authorises. */
export function entriesOf(plan: WritingPlan, edges: readonly PlannedEdge[] = plan.replay.edges): ReplayEntry[] {
  const authority = { kind: 'capture', digest: authorityDigest(plan) } as const
  return edges.map((edge): ReplayEntry => ({ ...edge, authority }))
}

/**
 * Steps 3 and 4 of a commit: the graph log, then the replay delta. A log that the plan has no part in is left alone; one
 * that it has is cut back to its base even where no line is left to write.
 */
export async function writeAuthority(
  { graph, replay }: { readonly graph: GraphLog; readonly replay: ReplayLog },
  plan: WritingPlan,
  lines: readonly GraphLine[],
  entries: readonly ReplayEntry[],
): Promise<WrittenAuthority> {
  const files: AuthorityFile[] = []
  if (plan.graph.lines.length > 0) {
    const before = stateOf(await graph.look(plan.graph.base))
    const { file, base } = await graph.append(plan.graph.base, lines, plan.graph.lines)
    files.push(...grown(before, file, base, lines.map(formatGraphLine)))
  }
  if (plan.replay.edges.length === 0) return { graph: lines, replay: [], files, refused: [] }
  const { base: baseBefore, files: filesBefore } = await replay.look(plan.replay.base)
  const { base, files: filesNow, inForce, refused } = await replay.append(plan.replay.base, entries, entriesOf(plan))
  const before = stateOf({ base: baseBefore, file: deltaOf(filesBefore) })
  files.push(...grown(before, deltaOf(filesNow), base, entries.map(formatReplayEntry)))
  return { graph: lines, replay: inForce, files, refused }
}

const deltaOf = (files: readonly CanonicalFile[]): CanonicalFile | undefined =>
  files.find(({ path }) => path === layout.replayDelta)

interface Before extends LogBase {
  readonly isThere: boolean
}

function stateOf({ base, file }: { readonly base: LogBase; readonly file: CanonicalFile | undefined }): Before {
  return { ...base, isThere: base.length > 0 || file !== undefined }
}

/**
 * The file as the index is to know it. Where it grew by just these lines the index may add them to what it has of it before;
 * else (a person's lines stand among them, some were there already) it is to read the file, which it does when `base` is
 * nothing that it knows.
 */
function grown(
  before: Before,
  file: CanonicalFile | undefined,
  after: LogBase,
  texts: readonly string[],
): AuthorityFile[] {
  if (file === undefined) return []
  const bytes = texts.reduce((sum, text) => sum + Buffer.byteLength(text) + 1, 0)
  if (after.length !== before.length + bytes) return [{ ...file, base: file.digest }]
  return [before.isThere ? { ...file, base: before.digest } : file]
}
