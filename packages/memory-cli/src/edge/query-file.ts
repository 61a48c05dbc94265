import type { LabelledQuestion } from '@mono-agent/memory-bujo'
import { z } from 'zod'
import { CliError } from '../errors.js'
import { errorCode, readTextFile } from './input-files.js'

const question = z.strictObject({ query: z.string().min(1), relevant: z.array(z.string().min(1)) })

/**
 * Labelled queries: JSON lines of `{"query", "relevant": [ids]}`, empty lines aside; `relevant` is empty where the store
 * holds no answer.
 * @throws {CliError} queries_invalid, with the line's number and never its text
 */
export function readQueryFile(path: string): LabelledQuestion[] {
  return textOf(path)
    .split('\n')
    .flatMap((line, at) => (line.trim() === '' ? [] : [questionOf(line, at + 1)]))
}

function textOf(path: string): string {
  let text: string | undefined
  try {
    text = readTextFile(path)
  } catch (error) {
    throw unreadable(errorCode(error) ?? 'unknown cause', error)
  }
  if (text === undefined) throw unreadable('ENOENT')
  return text.replace(/^\uFEFF/, '')
}

const unreadable = (reason: string, cause?: unknown): CliError =>
  new CliError('queries_invalid', `The file of labelled queries cannot be read (${reason}). Nothing was measured.`, {
    cause,
  })

function questionOf(line: string, number: number): LabelledQuestion {
  let value: unknown
  try {
    value = JSON.parse(line)
  } catch {
    throw refused(number, 'is not JSON') // the parser's message repeats a piece of the line
  }
  const parsed = question.safeParse(value)
  if (parsed.success) return parsed.data
  throw refused(number, 'is not {"query": text, "relevant": [ids]}')
}

const refused = (number: number, what: string): CliError =>
  new CliError('queries_invalid', `Line ${number} of the labelled queries ${what}. Nothing was measured. Mend it.`)
