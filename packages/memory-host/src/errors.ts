import { MemoryError } from '@mono-agent/memory-bujo'

/** code → meaning and mend; `docs/errors.md` is made from this table. */
export const HOST_ERRORS = {
  turn_ended: 'The turn was completed, ended or disposed of before this call. Nothing was done. Begin a new turn.',
} as const

export type HostErrorCode = keyof typeof HOST_ERRORS

export class HostError extends MemoryError<HostErrorCode> {
  override readonly name = 'HostError'
}
