import { normaliseStepwise } from '@mono-agent/memory-store'
import { redactCredentials } from '../credentials.js'
import { takeTurns } from '../take-turns.js'

export interface CleanText {
  readonly text: string
  /** Credentials taken out. */
  readonly redacted: number
}

/** One line without credentials, of all the words that a host said (CAP-1, CAP-25). */
export async function cleanObservation(summary: string): Promise<CleanText> {
  const raw = await redactCredentials(summary)
  const text = await takeTurns(normaliseStepwise(raw.text))
  // Invisible characters may have broken a credential apart: once they are taken out it is whole.
  const clean = differsOnlyInSpace(text, raw.text) ? { text, count: 0 } : await redactCredentials(text)
  return { text: clean.text, redacted: raw.count + clean.count }
}

/** A scan: taking the white space out of both would take longer than all the rest. */
function differsOnlyInSpace(a: string, b: string): boolean {
  let inA = 0
  let inB = 0
  while (inA < a.length || inB < b.length) {
    if (a.charCodeAt(inA) === b.charCodeAt(inB)) {
      inA++
      inB++
    } else if (isSpace(a[inA])) inA++
    else if (isSpace(b[inB])) inB++
    else return false
  }
  return true
}

function isSpace(unit: string | undefined): boolean {
  return unit !== undefined && /\s/u.test(unit)
}
