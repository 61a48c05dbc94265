import { NO_PROFILE, NOTHING_SERVED, type Served } from '../policy/receipts.js'
import type { TurnSession } from '../types.js'

/** Sessions whose receipts are kept (REC-19); of more, those used longest ago are lost. */
export const MAX_SESSIONS = 256
/** Fingerprints of lines that are kept of one session (REC-19); with more it is full. */
export const MAX_LINES = 256

/** Of a profile that two turns side by side gave differently: which of them came last is the provider's to know. */
const UNCLEAR = 'unclear'

interface Receipts {
  /** `seeding`: a cold turn is under way. `full`: more was served than is kept. */
  state: 'seeding' | 'known' | 'full'
  lines: Set<string>
  profile: string
}

/** One turn's sight of its session. */
export interface SessionView {
  /** Undefined: receipts are lost or full, nothing automatic until the session is seeded anew. */
  readonly served: Served | undefined
  /**
   * After a successful invocation: what the turn sent is held by the session. Does nothing if the session was reset,
   * seeded anew or forgotten meanwhile.
   * @param profile  absent if the turn sent none
   */
  commit(lines: readonly string[], profile?: string): void
}

/**
 * What sessions of the provider were sent, so that it is not sent again (REC-19). Volatile: after a restart all of it is
 * lost. Turns side by side on one session see what was committed before them, and add to it.
 */
export class Sessions {
  readonly #receipts = new Map<string, Receipts>()

  open({ id, state }: TurnSession): SessionView {
    if (state === 'cold') {
      const receipts: Receipts = { state: 'seeding', lines: new Set(), profile: NO_PROFILE }
      this.#keep(id, receipts)
      return viewOf(receipts, NOTHING_SERVED)
    }
    const receipts = this.#receipts.get(id)
    if (receipts?.state !== 'known') return { served: undefined, commit: () => undefined }
    this.#keep(id, receipts)
    return viewOf(receipts, { lines: new Set(receipts.lines), profile: receipts.profile })
  }

  reset(id: string): void {
    this.#receipts.delete(id)
  }

  clear(): void {
    this.#receipts.clear()
  }

  /** The one used last stands at the end. */
  #keep(id: string, receipts: Receipts): void {
    this.#receipts.delete(id)
    this.#receipts.set(id, receipts)
    const [oldest] = this.#receipts.keys()
    if (this.#receipts.size > MAX_SESSIONS && oldest !== undefined) this.#receipts.delete(oldest)
  }
}

function viewOf(receipts: Receipts, served: Served): SessionView {
  return {
    served,
    commit: (lines, profile) => {
      if (receipts.state === 'full') return // receipts that were dropped meanwhile are nobody's: what is added is not seen
      receipts.state = 'known'
      for (const line of lines) receipts.lines.add(line)
      if (profile !== undefined) receipts.profile = settledProfile(receipts.profile, served.profile, profile)
      if (receipts.lines.size > MAX_LINES) {
        receipts.state = 'full'
        receipts.lines = new Set()
      }
    },
  }
}

/** If another turn gave the session another profile meanwhile, it is given once more. */
function settledProfile(now: string, before: string, sent: string): string {
  return now === before || now === sent ? sent : UNCLEAR
}
