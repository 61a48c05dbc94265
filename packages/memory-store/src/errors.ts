/**
 * What a caller knows about a write that failed: `not_written` is safe to forget, `unknown` may be found whole at the
 * next opening; sending it again settles it (INT-15).
 */
export type WriteOutcome = 'not_written' | 'unknown'

export interface MemoryErrorOptions {
  readonly cause?: unknown
  readonly outcome?: WriteOutcome
}

/**
 * Every error of this library that a caller can act on. `code` is stable within a major version; `message` says what
 * happened, what it left behind and how to mend it, and never holds memory text, run ids, secrets or absolute paths.
 */
export class MemoryError<Code extends string = string> extends Error {
  override readonly name: string = 'MemoryError'
  readonly code: Code
  /** Set on failed writes only. */
  readonly outcome?: WriteOutcome

  constructor(code: Code, message: string, options: MemoryErrorOptions = {}) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause })
    this.code = code
    if (options.outcome !== undefined) this.outcome = options.outcome
  }
}

const CONSEQUENCES: Readonly<Record<WriteOutcome, string>> = {
  not_written: 'Of this call nothing was written.',
  unknown: 'What this call had written before may be found later.',
}

/**
 * The same error, saying what it means for the whole write of the caller: the step that failed cannot know what came
 * before it. Anything but a `MemoryError`, and one that says so already, comes back as it is.
 */
export function withOutcome(error: unknown, outcome: WriteOutcome): unknown {
  if (!(error instanceof MemoryError) || error.outcome === outcome) return error
  const given = error as MemoryError
  const Kind = given.constructor as new (code: string, message: string, options: MemoryErrorOptions) => MemoryError
  const isSaid =
    given.outcome === undefined && outcome === 'not_written' && /Nothing was (written|changed)/.test(given.message)
  const message = isSaid ? given.message : `${given.message} ${CONSEQUENCES[outcome]}`
  return new Kind(given.code, message, { cause: given.cause ?? given, outcome })
}

/** code → meaning and mend; `docs/errors.md` is made from this table. */
export const STORE_ERRORS = {
  path_unsafe:
    'A root or file is a symlink, has several hard links, is not of the expected kind or belongs to another user. Nothing was written. Replace it by an ordinary file or directory of your own.',
  writer_active:
    'Another writer holds this root: another process, thread or store object. Nothing was written. Stop it, or open for reading only.',
  lease_lost:
    'The lease was taken from under this writer (file deleted, lock dropped, another writer). Nothing more is written; what was in flight has outcome `unknown`, calls begun after it `not_written`. Close this store, find the second writer, open again.',
  file_busy:
    'A day file kept changing for ten seconds while it was to be rewritten. The write stays due and is tried again; finish editing the file.',
  storage_failed:
    'The file system refused a write or a flush (disk full, I/O error, permission, too many open files). `outcome` says whether the write may be found later. Mend the cause; the store goes on by itself.',
  sentence_invalid:
    'The text is no valid sentence: empty, several lines, over 2,048 bytes, or it holds characters that are refused. Nothing was written. Send one plain line.',
  canonical_invalid:
    'A canonical file cannot be read as what it must be. It was left untouched. Mend it by hand or from version control.',
  store_closed: 'The store was closed before this call. Nothing was written. Open it again.',
} as const

export type StoreErrorCode = keyof typeof STORE_ERRORS

export class StoreError extends MemoryError<StoreErrorCode> {
  override readonly name = 'StoreError'
}
