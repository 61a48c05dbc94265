import {
  checkSentence,
  isDay,
  isEntityId,
  isProjectScope,
  MAX_SENTENCE_BYTES,
  parseInstant,
  type SentenceFault,
} from '@mono-agent/memory-store'
import { z } from 'zod'
import type { ExtractedScope } from '../types.js'
import { MAX_MEMORIES, MAX_NAME_CODE_POINTS, MAX_NAME_LENGTH, MAX_QUOTE_BYTES, MAX_SUMMARY_BYTES } from './bounds.js'
import type { ContractReason } from './contract-error.js'

const LINE_BREAKS_AND_TABS = /[\n\r\t\u0085\u2028\u2029]+/g
/** Groups that capture: the grammars that services make of a pattern know no others. */
const RELATION_NAME = /^[a-z][a-z0-9]*(_[a-z0-9]+)*$/

/** A rule with a reason of ours, which `firstFault` reads back. */
export function judged<T>(judge: (value: T) => ContractReason | undefined): z.core.CheckFn<T> {
  return ({ value, issues }) => {
    const reason = judge(value)
    if (reason !== undefined) issues.push({ code: 'custom', input: value, params: { reason } })
  }
}

function reasonOf(fault: SentenceFault | undefined): ContractReason | undefined {
  if (fault === undefined) return undefined
  if (fault === 'empty') return 'text_empty'
  return fault === 'too_long' ? 'text_too_long' : 'text_unsafe'
}

const isOver = (text: string, maxBytes: number): boolean => Buffer.byteLength(text) > maxBytes
const isLonger = (text: string, maxCodePoints: number): boolean =>
  text.length > 2 * maxCodePoints || [...text].length > maxCodePoints

/** A sentence of FMT-5 that keeps another bound besides. */
function judgeLine(text: string, isTooLong: boolean): ContractReason | undefined {
  return isTooLong ? 'text_too_long' : reasonOf(checkSentence(text))
}

/** May run over lines, as what it quotes does; a comment delimiter is harmless in what is never written to Markdown. */
function judgeQuote(quote: string): ContractReason | undefined {
  if (isOver(quote, MAX_QUOTE_BYTES)) return 'text_too_long'
  const fault = checkSentence(quote.replace(LINE_BREAKS_AND_TABS, ' ').trim())
  return fault === 'comment' ? undefined : reasonOf(fault)
}

/** A name: a line with a bound in code points. */
const line = (maxCodePoints: number) =>
  z.string().check(judged((text) => judgeLine(text, isLonger(text, maxCodePoints))))

export const sentence = z
  .string()
  .check(judged((text) => judgeLine(text, false)))
  .describe(`One plain line, 1..${MAX_SENTENCE_BYTES} UTF-8 bytes; no control, bidirectional or invisible characters.`)

export const quote = z
  .string()
  .check(judged(judgeQuote))
  .describe(`Copied word for word from the turn, 1..${MAX_QUOTE_BYTES} UTF-8 bytes.`)

export const entityId = z
  .string()
  .check(judged((id) => (isEntityId(id) && isOneSpelling(id) ? undefined : 'id_invalid')))
  .describe(
    '`type:slug`: a type of 1..32 of a-z, 0-9, _ and -, then 1..128 lower-case letters, digits, `.`, `_` or `-`.',
  )

/** What reads the same is the same: two spellings of an id would be two entities, or somebody who reads as the owner. */
function isOneSpelling(id: string): boolean {
  return id === id.normalize('NFKC').toLowerCase()
}

export const entityName = line(MAX_NAME_CODE_POINTS)
  .meta({ maxLength: MAX_NAME_CODE_POINTS })
  .describe('What people call it.')

export const summary = z
  .string()
  .check(judged((text) => judgeLine(text, isOver(text, MAX_SUMMARY_BYTES))))
  .describe(`One plain line, at most ${MAX_SUMMARY_BYTES} UTF-8 bytes.`)

export const relationName = z
  .string()
  .check(judged((name) => (name.length <= MAX_NAME_LENGTH && RELATION_NAME.test(name) ? undefined : 'name_invalid')))
  .meta({ pattern: RELATION_NAME.source })
  .describe(`Lower-case words joined by \`_\`, at most ${MAX_NAME_LENGTH} characters.`)

export const toolName = line(MAX_NAME_LENGTH)
  .meta({ maxLength: MAX_NAME_LENGTH })
  .describe('Category of the tool, as the host facts name it.')

/** The rule holds what the type says. */
export const scope = z
  .string()
  .check(judged(judgeScope))
  .describe('`agent`, `sender`, `conversation` or `project:<slug>`.') as unknown as z.ZodType<ExtractedScope>

function judgeScope(given: string): ContractReason | undefined {
  if (given === 'agent' || given === 'sender' || given === 'conversation') return undefined
  return given.length <= 'project:'.length + MAX_NAME_LENGTH && isProjectScope(given) ? undefined : 'scope_invalid'
}

export const date = z
  .string()
  .check(judged((text) => (isDay(text) || parseInstant(text) !== undefined ? undefined : 'date_invalid')))
  .describe('A day `YYYY-MM-DD`, or an RFC 3339 instant with seconds and an offset.')

/** A validity whose end is a day lasts until that day is over. */
export function judgeValidity({
  validFrom,
  validTo,
}: {
  readonly validFrom?: string | undefined
  readonly validTo?: string | undefined
}): ContractReason | undefined {
  if (validFrom === undefined || validTo === undefined) return undefined
  const from = parseInstant(isDay(validFrom) ? `${validFrom}T00:00:00Z` : validFrom)
  const to = parseInstant(isDay(validTo) ? `${validTo}T23:59:59.999Z` : validTo)
  return from !== undefined && to !== undefined && from > to ? 'validity_reversed' : undefined
}

/** Place of a memory, from 0. */
export const place = z
  .int()
  .min(0)
  .max(MAX_MEMORIES - 1)
