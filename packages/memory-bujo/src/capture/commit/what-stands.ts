import type { DayChange, DayFileBatch, DayFileState, GraphLine } from '@mono-agent/memory-store'
import type { PlannedEdge, WritingPlan } from './plan-types.js'

/** Under which id the memories of a plan stand in their day files. */
export interface Standing {
  /** A change that met a person's edit, or no line any more, became a line of its own: an edge cannot lead to its target. */
  readonly displaced: ReadonlySet<string>
  /** @returns undefined if a person removed the memory again; the id itself if it is none of the plan's */
  idOf(id: string): string | undefined
}

/** What became of the planned changes. @param states  of `batches`, in their order */
export function whatStands(batches: readonly DayFileBatch[], states: readonly DayFileState[]): Standing {
  const ids = new Map<string, string | undefined>()
  const displaced = new Set<string>()
  batches.forEach(({ changes }, at) => {
    changes.forEach((change, position) => {
      const outcome = states[at]?.outcomes[position]
      if (outcome === undefined) throw new RangeError('A change has no outcome.')
      for (const id of idsOf(change)) {
        const standing = change.kind === 'set' ? outcome.ids[0] : outcome.ids.find((held) => held === id)
        ids.set(id, standing)
        if (change.kind === 'set' && standing !== id) displaced.add(id)
      }
    })
  })
  return { displaced, idOf: (id) => (ids.has(id) ? ids.get(id) : id) }
}

const idsOf = (change: DayChange): readonly string[] =>
  change.kind === 'set' ? [change.id] : change.bullets.map(({ id }) => id)

/** The graph lines of a plan for the memories that stand; what only a removed one said is left out. */
export function standingLines({ graph }: WritingPlan, { idOf }: Standing): GraphLine[] {
  return graph.lines.flatMap((line): GraphLine[] => {
    if (line.kind === 'entity') return [line]
    if (line.kind === 'relation') {
      const support = [...new Set(line.support.flatMap((id) => idOf(id) ?? []))].sort()
      return support.length === 0 ? [] : [{ ...line, support }]
    }
    const memoryId = idOf(line.memoryId)
    return memoryId === undefined ? [] : [{ ...line, memoryId }]
  })
}

/** The edges whose new memory stands. Its id is never another one: only changes are displaced. */
export function standingEdges({ replay }: WritingPlan, { idOf }: Standing): PlannedEdge[] {
  return replay.edges.filter((edge) => idOf(edge.kind === 'thread' ? edge.from : edge.by) !== undefined)
}

/** The memory that an edge leads to. */
export const targetOf = (edge: PlannedEdge): string => (edge.kind === 'thread' ? edge.to : edge.id)
