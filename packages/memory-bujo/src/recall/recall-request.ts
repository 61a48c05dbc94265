import { parseInstant, type RecallOptions } from '@mono-agent/memory-store'
import type { IndexedEntity, IndexIdentity, IndexReader, MemoryFilter } from '@mono-agent/memory-search'
import { BujoError } from '../errors.js'
import { namedWhole } from './named-whole.js'

/** Most direct hits of one call (REC-1). */
export const MAX_HITS = 50
export const DEFAULT_HITS = 10

/** What one look at the index is asked for. */
export interface LookUpOptions extends Pick<
  RecallOptions,
  'kind' | 'about' | 'asOf' | 'conversationId' | 'scopes' | 'signal'
> {
  /** A conversation whose own records are no automatic context (REC-16). */
  readonly apartFrom?: string
}

/** @throws {RangeError} outside 1..50 */
export function requireLimit(limit: number): void {
  if (!Number.isInteger(limit) || limit < 1 || limit > MAX_HITS) throw new RangeError(`limit must be 1..${MAX_HITS}`)
}

type Narrowing = Pick<LookUpOptions, 'kind' | 'about' | 'scopes' | 'conversationId'>

/**
 * Checks what narrows an answer, of a look and of an answer from one alike.
 * @throws {TypeError} a field is of another type  @throws {RangeError} a `kind` that there is not
 * @throws {BujoError} `unsupported_in_tier`: `kind` and `about` need the labels and the graph of bujo
 */
export function checkNarrowing({ kind, about, scopes, conversationId }: Narrowing, tier: IndexIdentity['tier']): void {
  if (kind !== undefined && kind !== 'preference' && kind !== 'lesson') {
    throw new RangeError('kind must be `preference` or `lesson`')
  }
  for (const [key, value] of Object.entries({ about, conversationId })) {
    if (value !== undefined && typeof value !== 'string') throw new TypeError(`${key} must be a string`)
  }
  if (scopes !== undefined && !isListOfTexts(scopes)) throw new TypeError('scopes must be a list of strings')
  for (const [key, value] of Object.entries({ kind, about })) {
    if (value === undefined || tier === 'bujo') continue
    throw new BujoError('unsupported_in_tier', `${key} belongs to bujo; this store is ${tier}. Leave it out.`)
  }
}

const isListOfTexts = (value: unknown): boolean => Array.isArray(value) && value.every((one) => typeof one === 'string')

/**
 * Checks what does not depend on the store, once, for every kind of recall.
 * @returns epoch milliseconds of `asOf`, if it is given
 * @throws {TypeError} the query is no string  @throws {RangeError} `asOf` is no RFC 3339 instant with offset
 * @throws as `checkNarrowing`  @throws the signal's reason if it is aborted
 */
export function checkRequest(
  query: string,
  { asOf, apartFrom, signal, ...narrowing }: LookUpOptions,
  tier: IndexIdentity['tier'],
): number | undefined {
  if (typeof query !== 'string') throw new TypeError('query must be a string')
  if (apartFrom !== undefined && typeof apartFrom !== 'string')
    throw new TypeError('a conversation id must be a string')
  checkNarrowing(narrowing, tier)
  const instant = asOf === undefined ? undefined : parseInstant(asOf)
  if (asOf !== undefined && instant === undefined) {
    throw new RangeError('asOf must be an RFC 3339 instant with offset, as 2026-05-01T09:00:00Z')
  }
  signal?.throwIfAborted()
  return instant
}

/** Names of one entity that a request may mean: there is no reason to have more than a few of one name. */
const MAX_NAMESAKES = 8

/**
 * The entities that `about` means: the one of this id, or all of this whole name. None where nobody is called so, or, of a look
 * back, where nobody had been heard of by then (REC-9). @param asOf  epoch milliseconds
 */
export function entitiesAbout(index: IndexReader, about: string, asOf: number | undefined): readonly string[] {
  const byId = index.entity(about.trim())
  const meant = byId === undefined ? namedWhole(index, about, MAX_NAMESAKES) : [byId]
  const isKnown = ({ createdAt }: IndexedEntity): boolean =>
    asOf === undefined || (parseInstant(createdAt) ?? -Infinity) <= asOf
  return meant.filter(isKnown).map(({ id }) => id)
}

export function filterOf({ kind }: LookUpOptions, entities: readonly string[] | undefined): MemoryFilter | undefined {
  if (kind === undefined && entities === undefined) return undefined
  return {
    ...(kind === undefined ? {} : { kind }),
    ...(entities === undefined ? {} : { aboutEntities: entities }),
  }
}
