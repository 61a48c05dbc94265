import type { IndexedEntity, IndexReader } from '@mono-agent/memory-search'
import { BujoError } from '../errors.js'
import { namedWhole } from '../recall/named-whole.js'

/** Persons of one name: there is no reason to have more than a few, and one too many is ambiguous already. */
const MAX_NAMESAKES = 16

/**
 * The known person that `about` means: the one of this id, or the only one of this whole name; case and accents do not
 * count. Remember makes no person (REC-27).
 * @throws {BujoError} `person_unknown`, `person_ambiguous`; the message names neither
 */
export function knownPerson(index: Pick<IndexReader, 'entity' | 'entitiesNamed'>, about: string): IndexedEntity {
  const given = about.trim()
  const byId = index.entity(given)
  if (byId !== undefined) {
    if (byId.type === 'person') return byId
    throw personUnknown('`about` is the id of something that is no person')
  }
  const named = namedWhole(index, given, MAX_NAMESAKES)
  const persons = named.filter(({ type }) => type === 'person')
  const [person] = persons
  if (person === undefined) {
    throw personUnknown(
      named.length > 0 ? 'what `about` names is no person' : 'nobody of this id or whole name is known',
    )
  }
  if (persons.length === 1) return person
  throw new BujoError(
    'person_ambiguous',
    `${persons.length} persons have the name in \`about\`. Nothing was written. Say which one by its id, as \`person:ana\`.`,
  )
}

function personUnknown(why: string): BujoError {
  return new BujoError(
    'person_unknown',
    `Remember cannot link this: ${why}, and it makes no person. Nothing was written. Leave \`about\` out, or use the id or ` +
      'whole name of a known person.',
  )
}
