import { MemoryError } from '@mono-agent/memory-store'

/** code → meaning and mend; `docs/errors.md` is made from this table. */
export const BUJO_ERRORS = {
  config_invalid:
    'The memory block is not valid; the message names every key, the rule it breaks and the mend. Nothing was opened.',
  unsupported_in_tier:
    'The call belongs to a larger tier than the one that is open, or this version does not have it in any. Nothing was changed.',
  write_disabled: 'The store is open with writeMode `disabled`. Nothing was written. Choose another writeMode.',
  credential_rejected:
    'The text holds a credential (token, key, connection string). Nothing was written. Send it without the secret.',
  person_unknown:
    'No person of this id or whole name is known, and Remember makes none. Nothing was written. Leave `about` out, or use the id or name of a person that a turn of the owner has told of.',
  person_ambiguous: 'Several persons have this name. Nothing was written. Say which one by its id, as `person:ana`.',
  target_unknown:
    'There is no memory of the id in `supersedes`. Nothing was written. Recall it anew; ids are those of the hits.',
  target_not_current:
    'The memory to replace is history: superseded, ended or forgotten. Nothing was written. Recall what stands now, and replace that or add beside it.',
  not_replaceable:
    'The memory to replace is none that Remember may replace: a fact that a user stated, a preference, a lesson, a task, a line of plain text or of a person. Nothing was written. Leave `supersedes` out to add beside it.',
  target_changed:
    'The memory to replace was changed or removed by hand in the same moment, and was left as it is. `outcome` says whether the new one may stand beside it. Recall both, then ask again.',
  lifecycle_full:
    'The record of what replaced what is at its bound, so nothing can be superseded. Nothing was written. Leave `supersedes` out to add beside it.',
  calibration_queries_invalid:
    'A labelled query cannot be used: it is no text, or names a memory that the index does not hold. Nothing was written. Mend the query that the message numbers; ids are those that `search`, `show` and `top` print.',
  calibration_too_few:
    'The store holds too few memories, or the file too few queries that have an answer, to say anything about floors. Nothing was written. The message tells how many are needed.',
  outbox_invalid:
    'Something in `.capture-outbox/` is no plan of this store: damaged, of an unknown turn, of another version, or put there by hand. It was left as it is. No turn is curated, and nothing but plain text remembered, until it is gone; turns are admitted all the same. Bring the file back from a backup, or move it away knowingly: what it had planned is then asked for anew.',
  plan_retained:
    'A plan of a captured turn, or of a Remember, waits in `.capture-outbox/`; lite and journal cannot carry it out. Nothing was changed. Start the store with its present bujo configuration and let it finish, then rebuild.',
  model_output_invalid:
    'The chat model gave an answer that its contract refuses; `reason` says why. Nothing of it was applied: the turn stays pending and is tried again. If it goes on, use a larger model or one that keeps a JSON schema.',
  range_invalid:
    'A range of days cannot be looked at: a date or time zone that does not exist, the first day after the last, or more than 31 days. Nothing was read. The message says which; give real dates `YYYY-MM-DD` and the name of an IANA zone.',
  root_missing: 'There is no store at this path. Nothing was created. Check the path, or open it once for writing.',
} as const

export type BujoErrorCode = keyof typeof BUJO_ERRORS

export class BujoError extends MemoryError<BujoErrorCode> {
  override readonly name = 'BujoError'
}
