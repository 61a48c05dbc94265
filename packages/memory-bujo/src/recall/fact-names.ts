import type { IndexReader } from '@mono-agent/memory-search'
import type { EntityNames, StatedFact } from './types.js'

/** The names of all entities that facts are about or have for a value, of those that the graph knows. */
export function factNames(index: IndexReader, facts: readonly StatedFact[]): EntityNames {
  const ids = new Set(facts.flatMap(({ entityId, value }) => [entityId, ...idsOf(value)]))
  return new Map(
    [...ids].flatMap((id) => {
      const entity = index.entity(id)
      return entity === undefined ? [] : [[id, entity.name] as const]
    }),
  )
}

/** The target of a relationship is an id or a name: what is no id is no entity. */
function idsOf(value: StatedFact['value']): string[] {
  if (value.type === 'entity') return [value.entityId]
  return value.type === 'relationship' ? [value.target] : []
}
