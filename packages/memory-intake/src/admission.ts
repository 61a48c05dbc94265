import { StoreError, type Admission, type CompletedTurn } from '@mono-agent/memory-store'
import { MAX_LOG_BYTES, type AdmissionLog } from './admission-log.js'
import { IntakeError } from './errors.js'
import { MAX_PAYLOAD_BYTES, MAX_RECORD_BYTES, RECORD_ENVELOPE_BYTES } from './format/admission-record.js'
import { canonicalTurn, payloadHash, turnId } from './format/canonical-turn.js'
import type { GroupCommit } from './group-commit.js'
import type { ItemBook } from './item-book.js'
import type { Ledger } from './ledger.js'
import { validateTurn } from './policy/validate-turn.js'

export interface AdmissionParts {
  readonly book: ItemBook
  readonly ledger: Ledger
  readonly groups: GroupCommit
  readonly log: AdmissionLog
  readonly maxUnfinished: number
  /** The log is full: a checkpoint is overdue. */
  readonly onLogFull: () => void
}

interface Flight {
  readonly payloadHash: string
  /** Never rejects: did the turn become durable? */
  readonly isAdmitted: Promise<boolean>
}

type AdmittedOrDuplicate = Extract<Admission, { id: string }>

/** Decides what a turn is (new, twin, conflict, too much) and logs the new ones. */
export class AdmissionDesk {
  readonly #inFlight = new Map<string, Flight>()

  constructor(private readonly parts: AdmissionParts) {}

  /** The turn's admission, if it is under way; never rejects. */
  inFlight(id: string): Promise<boolean> | undefined {
    return this.#inFlight.get(id)?.isAdmitted
  }

  /** @throws {IntakeError} turn_invalid, turn_too_large, run_conflict, intake_full  @throws {StoreError} */
  async admit(turn: CompletedTurn): Promise<AdmittedOrDuplicate> {
    const canonical = canonicalTurn(validateTurn(turn))
    const bytes = Buffer.byteLength(canonical)
    if (bytes > MAX_PAYLOAD_BYTES) throw tooLarge(bytes)
    const id = turnId(turn.runId)
    const hash = payloadHash(canonical)
    for (;;) {
      const flight = this.#inFlight.get(id)
      if (flight === undefined) {
        const known = this.parts.book.get(id)?.state.payloadHash ?? this.parts.ledger.find(id)?.payloadHash
        if (known !== undefined) return duplicateOf(id, hash, known)
        this.#checkBounds(bytes)
        return this.#log(id, hash, canonical, bytes)
      }
      // A twin waits: had it been told `duplicate` now, it would be lost with the first one's failure.
      if (await flight.isAdmitted) return duplicateOf(id, hash, flight.payloadHash)
    }
  }

  async #log(id: string, hash: string, turn: string, bytes: number): Promise<AdmittedOrDuplicate> {
    const logged = this.parts.groups.submit({
      bytes: bytes + RECORD_ENVELOPE_BYTES,
      draft: (draft) => draft.admit({ id, payloadHash: hash, turn }),
    })
    const ended = (isAdmitted: boolean) => () => {
      this.#inFlight.delete(id)
      return isAdmitted
    }
    this.#inFlight.set(id, { payloadHash: hash, isAdmitted: logged.then(ended(true), ended(false)) })
    await logged
    return { status: 'admitted', id }
  }

  #checkBounds(bytes: number): void {
    const { book, log, maxUnfinished, onLogFull } = this.parts
    const { pending, dead } = book.counts()
    const unfinished = pending + dead + this.#inFlight.size
    if (unfinished >= maxUnfinished) {
      throw new IntakeError(
        'intake_full',
        `Intake holds ${unfinished} unfinished turns; the limit is ${maxUnfinished}. Nothing was written. ` +
          'Run `mono-agent-memory inspect`, then `retry` or `resolve` what is stuck.',
        { outcome: 'not_written' },
      )
    }
    if (log.bytes + bytes > MAX_LOG_BYTES) {
      onLogFull()
      throw new StoreError(
        'storage_failed',
        `The admission log holds ${MAX_LOG_BYTES} bytes that no checkpoint could fold in. Nothing was written. ` +
          'Free some space or mend the disk; the store goes on by itself.',
        { outcome: 'not_written' },
      )
    }
  }
}

function tooLarge(bytes: number): IntakeError {
  return new IntakeError(
    'turn_too_large',
    `The turn has ${bytes} bytes; ${MAX_PAYLOAD_BYTES} fit into a record of ${MAX_RECORD_BYTES}. Nothing was written. ` +
      'Send a shorter summary or capture text.',
    { outcome: 'not_written' },
  )
}

function duplicateOf(id: string, hash: string, known: string): AdmittedOrDuplicate {
  if (hash === known) return { status: 'duplicate', id }
  throw new IntakeError(
    'run_conflict',
    'A turn of this run id was admitted before with a different payload. Nothing was changed. ' +
      'Give each turn a run id of its own, or send the very same payload.',
    { outcome: 'not_written' },
  )
}
