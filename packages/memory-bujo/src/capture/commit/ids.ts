import { observationBulletId } from '@mono-agent/memory-store'

/** Ids that a turn's capture writes under: the same at every replay, and of no other turn. `index` is that of the extraction. */

/** Of the memory that a line of the extraction becomes. */
export const memoryId = (turnId: string, index: number): string => observationBulletId(turnId, index + 1)

/** Stamped on a bullet that is changed for a line of the extraction: a replay knows its work by it. */
export const revOf = (turnId: string, index: number): string => `${prefix(turnId)}rev${index + 1}`

/** Of the bullet that a change becomes where a person changed or removed its target. */
export const spareIdOf = (turnId: string, index: number): string => `${memoryId(turnId, index)}s`

const prefix = (turnId: string): string => `r-${turnId.slice(0, 32)}-`
