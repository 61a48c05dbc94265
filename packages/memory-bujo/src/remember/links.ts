import type { IndexedMemory } from '@mono-agent/memory-search'
import { readBullets, standingTarget, type CommitParts, type FiledBullet } from '../capture/commit/index.js'
import { BujoError } from '../errors.js'
import type { RememberParts } from './parts.js'
import { knownPerson } from './person.js'
import type { RememberDetail } from './request.js'
import { requireTarget } from './target.js'

/** What is to be written of a detail, beside a line. */
export interface Links {
  /** Id of the person to link to. */
  readonly about?: string
  readonly replaced?: FiledBullet
}

/**
 * The person and the memory that a detail means, without what the line that says the words already has of both. Within the
 * section, the index caught up.
 * @param known  that line, if there is one
 * @throws {BujoError} as `knownPerson` and `requireTarget`; `target_changed`
 */
export async function missingLinks(
  parts: Pick<RememberParts, 'index' | 'vantage'>,
  { writer }: Pick<CommitParts, 'writer'>,
  { about, supersedes }: RememberDetail,
  known: IndexedMemory | undefined,
  instant: number,
): Promise<Links> {
  const { index, vantage } = parts
  const person = about === undefined ? undefined : knownPerson(index, about).id
  const isLinked = known !== undefined && person !== undefined && isAbout(parts, known.id, person)
  if (supersedes === undefined || (known !== undefined && hasReplaced(parts, known.id, supersedes))) {
    return person === undefined || isLinked ? {} : { about: person }
  }
  const target = requireTarget(index, supersedes, { ...vantage, at: instant })
  return {
    ...(person === undefined || isLinked ? {} : { about: person }),
    replaced: await standingLine(writer, target),
  }
}

const isAbout = ({ index }: Pick<RememberParts, 'index'>, memoryId: string, person: string): boolean =>
  index.entitiesOf([memoryId]).get(memoryId)?.includes(person) ?? false

/** Words that stand there already do not take their own place. */
const hasReplaced = ({ index }: Pick<RememberParts, 'index'>, memoryId: string, target: string): boolean =>
  target === memoryId || index.supersessionOf(target)?.by === memoryId

async function standingLine(writer: CommitParts['writer'], target: IndexedMemory): Promise<FiledBullet> {
  const bullets = await readBullets(writer, [target.file])
  const line = standingTarget(target, { bullets, isSuperseded: () => false })
  if (line === undefined) throw targetChanged('Nothing was written.')
  return line
}

/** @param consequence  what became of the new memory */
export function targetChanged(consequence: string): BujoError {
  return new BujoError(
    'target_changed',
    `The memory to replace was changed or removed by hand in the same moment, and was left as it is. ${consequence} Recall ` +
      'both, then ask again.',
  )
}
