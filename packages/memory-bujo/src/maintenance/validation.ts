import { MemoryError } from '@mono-agent/memory-store'

/** `note`: nothing to mend, but to know. `waiting`: something outside must come back. `error`: somebody must mend it. */
export type CheckStatus = 'ok' | 'note' | 'waiting' | 'error'

/** One finding, content-free. */
export interface ValidationCheck {
  readonly check: string
  readonly status: CheckStatus
  /** `ok`, a code of the error tables, or of what is noted. */
  readonly code: string
  /** What was found, with the mend where there is something to mend. */
  readonly message: string
}

export type SectionName =
  'native' | 'identity' | 'root' | 'service' | 'calibration' | 'language' | 'chat' | 'consolidation' | 'platform'

export interface ValidationSection {
  readonly section: SectionName
  /** The worst of its checks. */
  readonly status: CheckStatus
  readonly checks: readonly ValidationCheck[]
}

export interface ValidationReport {
  /** False if a check is an `error`; waiting for a service leaves it true (OPS-9). */
  readonly ok: boolean
  /** In the order of checking; lite and journal have only the parts that concern them. */
  readonly sections: readonly ValidationSection[]
}

const BY_WEIGHT: readonly CheckStatus[] = ['ok', 'note', 'waiting', 'error']

export function sectionOf(section: SectionName, checks: readonly ValidationCheck[]): ValidationSection {
  const worst = Math.max(0, ...checks.map(({ status }) => BY_WEIGHT.indexOf(status)))
  return { section, status: BY_WEIGHT[worst] ?? 'error', checks }
}

export const reportOf = (sections: readonly ValidationSection[]): ValidationReport => ({
  ok: sections.every(({ status }) => status !== 'error'),
  sections,
})

export const fine = (check: string, message: string): ValidationCheck => ({ check, status: 'ok', code: 'ok', message })

/** Runs one check; an error of the tables becomes its finding, any other is a bug and goes on its way. */
export async function checked(check: string, run: () => string | Promise<string>): Promise<ValidationCheck> {
  try {
    return fine(check, await run())
  } catch (error) {
    if (!(error instanceof MemoryError)) throw error
    return { check, status: 'error', code: String(error.code), message: error.message }
  }
}
