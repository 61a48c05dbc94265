import { canonicalJson } from './canonical-json.js'
import { hasFields, isKind, matches, type Check } from './exact-fields.js'
import { isDayOrWrittenInstant, isMemoryId, isPlainText, isWrittenInstant } from './field-checks.js'
import type { GraphLine } from './graph-types.js'
import { isDay, normaliseInstant } from './instant.js'
import { isAttribution, isEntityId } from './label-schema.js'
import { parseLineLog, type ParsedLog } from './line-log.js'

/** Code points of an entity's name (FMT-7). */
export const MAX_ENTITY_NAME = 160
/** UTF-8 bytes of an entity's summary. */
export const MAX_ENTITY_SUMMARY_BYTES = 512
/** Code points of a relation's name. */
export const MAX_RELATION_NAME = 64
/** Memories that one line of a relation names; further ones take a further line. */
export const MAX_RELATION_SUPPORT = 64

const isName: Check = (value) => isPlainText(value) && [...value].length <= MAX_ENTITY_NAME
const isSummary: Check = (value) => isPlainText(value) && Buffer.byteLength(value) <= MAX_ENTITY_SUMMARY_BYTES

/** What kind of thing an entity is, e.g. `person`: 1..32 lower-case ASCII letters, digits, `_` and `-`, a letter first. */
export const isEntityType = matches(/^[a-z][a-z0-9_-]{0,31}$/)

/**
 * Words of letters, marks and digits of any script, with single spaces, `_` or `-` between them. Joiners are letters'
 * company in Persian and Indic scripts.
 */
const RELATION = /^[\p{L}\p{N}][\p{L}\p{M}\p{N}\u200C\u200D]*(?:[ _-][\p{L}\p{N}][\p{L}\p{M}\p{N}\u200C\u200D]*)*$/u

/** The name of a relation: lower-case, 1..64 code points of words (see `RELATION`). */
export const isRelationName: Check = (value) =>
  typeof value === 'string' &&
  RELATION.test(value) &&
  value.toLowerCase() === value &&
  [...value].length <= MAX_RELATION_NAME

/** A set: ascending by code unit, so each id once and one spelling only. */
const isSupport: Check = (value) =>
  Array.isArray(value) &&
  value.length >= 1 &&
  value.length <= MAX_RELATION_SUPPORT &&
  value.every((id, index) => isMemoryId(id) && (index === 0 || (value[index - 1] as string) < id))

function isGraphLine(value: object): value is GraphLine {
  return (
    hasFields(
      value,
      { kind: isKind('entity'), id: isEntityId, name: isName, type: isEntityType, createdAt: isWrittenInstant },
      { summary: isSummary },
    ) ||
    hasFields(
      value,
      {
        kind: isKind('relation'),
        src: isEntityId,
        dst: isEntityId,
        relation: isRelationName,
        createdAt: isWrittenInstant,
        support: isSupport,
      },
      { validFrom: isDayOrWrittenInstant, validTo: isDayOrWrittenInstant },
    ) ||
    hasFields(value, {
      kind: isKind('association'),
      memoryId: isMemoryId,
      entityId: isEntityId,
      provenance: isAttribution,
      createdAt: isWrittenInstant,
    })
  )
}

/** Reads one line of `graph.jsonl` without its line feed (FMT-7); undefined unless it is exactly as it is written. */
export function parseGraphLine(text: string): GraphLine | undefined {
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    return undefined // not JSON: reported by its place, like every other line that is none
  }
  if (typeof value !== 'object' || value === null || !isGraphLine(value)) return undefined
  return canonicalJson(value) === text ? value : undefined
}

/** The spelling of what has several: instants in UTC, support as a sorted set. */
function normaliseLine(line: GraphLine): GraphLine {
  const instant = (text: string): string => (isDay(text) ? text : (normaliseInstant(text) ?? text))
  const createdAt = instant(line.createdAt)
  if (line.kind !== 'relation') return { ...line, createdAt }
  const { validFrom, validTo } = line
  return {
    ...line,
    createdAt,
    support: [...new Set(line.support)].sort(),
    ...(validFrom === undefined ? {} : { validFrom: instant(validFrom) }),
    ...(validTo === undefined ? {} : { validTo: instant(validTo) }),
  }
}

/**
 * The line, without line feed, that `parseGraphLine` reads back: canonical JSON, instants in UTC, support sorted.
 * @throws {RangeError} something in it is out of its bounds
 */
export function formatGraphLine(line: GraphLine): string {
  const text = canonicalJson(normaliseLine(line))
  if (parseGraphLine(text) === undefined) {
    throw new RangeError(`A ${line.kind} of the graph log holds a value that FMT-7 does not allow.`)
  }
  return text
}

/** Reads `graph.jsonl`; lines that cannot be read are reported, torn ends among them. */
export function parseGraphLog(bytes: Uint8Array): ParsedLog<GraphLine> {
  return parseLineLog(bytes, parseGraphLine)
}
