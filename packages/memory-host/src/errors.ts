import { MemoryError } from '@mono-agent/memory-bujo'

/** code → meaning and mend; `docs/errors.md` is made from this table. */
export const HOST_ERRORS = {
  turn_ended: 'The turn was completed, ended or disposed of before this call. Nothing was done. Begin a new turn.',
  endpoint_unavailable:
    'The loopback endpoint for the tools cannot be opened. Nothing was changed; the turn can go on without it. The cause says what the system refused.',
} as const

export type HostErrorCode = keyof typeof HOST_ERRORS

export class HostError extends MemoryError<HostErrorCode> {
  override readonly name = 'HostError'
}
