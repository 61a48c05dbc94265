import { MemoryError } from '@mono-agent/memory-bujo'
import { failedResult } from './failed-result.js'
import type { ToolResult } from './memory-tool.js'

/** Code of the store → what a model is told. A store's own words may name what is no business of a model. */
const FAULTS: Readonly<Record<string, string>> = {
  sentence_invalid:
    'The text is no plain sentence: it must be one line of 1 to 2,048 bytes without control or invisible characters. Nothing was stored. Send it as one shorter, plain line.',
  credential_rejected:
    'The text holds a credential, such as a token, key or password. Nothing was stored. Send it without the secret, or leave it.',
  person_unknown:
    'No person of this id or whole name is known, and Remember makes none. Nothing was stored. Leave `about` out, or use the id or whole name of a known person.',
  person_ambiguous:
    'Several persons have this name. Nothing was stored. Say in `about` which one by its id, or leave it out.',
  target_unknown:
    'There is no memory of the id in `supersedes`. Nothing was stored. Recall it and use the id of the hit, or leave `supersedes` out.',
  target_not_current:
    'The memory in `supersedes` is history already. Nothing was stored. Recall what stands now, and replace that or leave `supersedes` out.',
  not_replaceable:
    'The memory in `supersedes` is none that Remember may replace, such as what the user stated, a preference or a lesson. Nothing was stored. Leave `supersedes` out to add beside it.',
  target_changed:
    'The memory in `supersedes` was changed by hand in the same moment and left as it is. Recall both before you ask again: the new one may stand beside it.',
  lifecycle_full:
    'Nothing more can be superseded in this store. Nothing was stored. Leave `supersedes` out to add beside it.',
  unsupported_in_tier:
    'This memory takes `text` alone. Nothing was stored. Leave `about`, `supersedes` and `replaceable` out.',
  write_disabled: 'This memory is open for reading only. Nothing was stored. Go on without it.',
  store_closed: 'The memory is closed. Nothing was stored. Go on without it, and say so where it matters.',
}

const NOT_STORED =
  'The memory could not be written, and nothing was stored. Try once more later, or go on without it and say so where it matters.'
const UNKNOWN =
  'Whether it was stored is not certain. Call Remember again with the same words: what is stored already is reported as a duplicate.'

/** What a failed Remember says; `mayBeStored` where the memory may be found all the same. */
export interface RememberFailure {
  readonly result: ToolResult
  readonly mayBeStored: boolean
}

/** Words for an error of the store, made of its code and outcome alone. Nothing raw is passed on. */
export function rememberFailure(error: unknown): RememberFailure {
  const { code, outcome } = known(error)
  const fault = Object.hasOwn(FAULTS, code) ? FAULTS[code] : undefined
  const mayBeStored = outcome === 'unknown' || (fault === undefined && outcome === undefined)
  // A known fault says that nothing was stored; one that came too late to be sure of that is none of them.
  if (fault !== undefined && (!mayBeStored || code === 'target_changed')) {
    return { result: failedResult(code, fault), mayBeStored }
  }
  return { result: failedResult('remember_unavailable', mayBeStored ? UNKNOWN : NOT_STORED), mayBeStored }
}

function known(error: unknown): Pick<MemoryError, 'code' | 'outcome'> {
  return error instanceof MemoryError ? (error as MemoryError) : new MemoryError('unexpected', 'unexpected')
}
