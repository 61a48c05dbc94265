import type { GraphAssociation, GraphEntity, GraphLine, GraphRelation } from './graph-types.js'

/** Parts of a key: none of them can hold a NUL. */
const keyOf = (...parts: readonly (string | undefined)[]): string => parts.map((part) => part ?? '').join('\0')

/**
 * The fold of a graph log (FMT-7), line after line in file order. The newest line of an entity gives name, type and
 * summary (none if it has none), the oldest its `createdAt`. Relations are one by source, relation, destination and
 * validity, their support is united; associations are one by memory, entity and provenance; of both the oldest line gives
 * `createdAt`. What is in it are lines again; only a united support may be longer than one line's.
 */
export class GraphState {
  readonly #entities = new Map<string, GraphEntity>()
  readonly #relations = new Map<string, { readonly oldest: GraphRelation; readonly support: Set<string> }>()
  readonly #associations = new Map<string, GraphAssociation>()

  add(line: GraphLine): void {
    if (line.kind === 'entity') this.#addEntity(line)
    else if (line.kind === 'relation') this.#addRelation(line)
    else this.#addAssociation(line)
  }

  #addEntity(line: GraphEntity): void {
    const oldest = this.#entities.get(line.id)
    this.#entities.set(line.id, oldest === undefined ? line : { ...line, createdAt: oldest.createdAt })
  }

  #addRelation(line: GraphRelation): void {
    const key = keyOf(line.src, line.relation, line.dst, line.validFrom, line.validTo)
    const known = this.#relations.get(key)
    if (known === undefined) this.#relations.set(key, { oldest: line, support: new Set(line.support) })
    else for (const memoryId of line.support) known.support.add(memoryId)
  }

  #addAssociation(line: GraphAssociation): void {
    const key = keyOf(line.memoryId, line.entityId, line.provenance)
    if (!this.#associations.has(key)) this.#associations.set(key, line)
  }

  /** By id. */
  get entities(): ReadonlyMap<string, GraphEntity> {
    return this.#entities
  }

  /** In the order in which they came first. */
  relations(): GraphRelation[] {
    return [...this.#relations.values()].map(({ oldest, support }) => ({ ...oldest, support: [...support].sort() }))
  }

  associations(): GraphAssociation[] {
    return [...this.#associations.values()]
  }
}

/** The fold of these lines, in order. */
export function foldGraph(lines: Iterable<GraphLine>): GraphState {
  const state = new GraphState()
  for (const line of lines) state.add(line)
  return state
}
