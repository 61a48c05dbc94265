import { nameKey, type IndexedEntity, type IndexReader } from '@mono-agent/memory-search'

/**
 * The entities whose whole name this is, case and accents aside. A longer text that merely holds a name is nobody's name: who
 * asks about `Ana Maria Ruiz` does not mean `Ana`. @param limit  entities at most
 */
export function namedWhole(
  index: Pick<IndexReader, 'entitiesNamed'>,
  name: string,
  limit: number,
): readonly IndexedEntity[] {
  const key = nameKey(name)
  return key === '' ? [] : index.entitiesNamed(name, limit).filter((entity) => nameKey(entity.name) === key)
}
