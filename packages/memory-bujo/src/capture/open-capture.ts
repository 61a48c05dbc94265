import type { PendingTurn } from '@mono-agent/memory-intake'
import type { EmbeddingProvider } from '@mono-agent/memory-search'
import { holdsCredential } from '../credentials.js'
import type { Host } from '../host.js'
import { failureCode } from '../projection/failure.js'
import type { WorkParts } from '../tiers/tier.js'
import type { BujoSettings } from './bujo-settings.js'
import { commitCapture, openAuthority, Outbox, PlannedWrites, turnStateOf } from './commit/index.js'
import { curate, type Asked, type Curated, type CurateParts } from './curate.js'
import { CaptureMetrics } from './metrics.js'
import { withoutLateRepeats } from './reconcile/late-repeats.js'
import { viewTurn } from './turn-view.js'
import type { CaptureTurn } from './types.js'

export interface OpenCaptureParts extends WorkParts, BujoSettings, Pick<Host, 'now' | 'monotonicNow' | 'sleep'> {
  readonly embed: EmbeddingProvider
}

export interface Capture {
  /**
   * Carries one turn to its end: settled `curated` when it resolves. One at a time.
   * @throws {ContractError}  @throws {ChatError}  @throws {EmbeddingError}  @throws {StoreError | SearchError | BujoError}
   */
  run(turn: PendingTurn, signal: AbortSignal): Promise<void>
  /** Whether a plan of this turn waits in the outbox. */
  hasPlan(id: string): boolean
  /** What captures are written by, for whoever else writes by plan. */
  readonly writes: PlannedWrites
  readonly metrics: CaptureMetrics
}

/**
 * Finishes the plan that a crash left, whatever the write mode is now, and stands ready for the next turn. An outbox that
 * cannot be trusted keeps nobody from opening: admission goes on, and no turn is curated (durability §7).
 */
export async function openCapture(parts: OpenCaptureParts): Promise<Capture> {
  const capture = new SerialCapture(parts)
  try {
    await capture.writes.recover()
  } catch (error) {
    if (failureCode(error) !== 'outbox_invalid') throw error
    parts.events.emit({ kind: 'background_error', code: failureCode(error) })
  }
  return capture
}

class SerialCapture implements Capture {
  readonly metrics = new CaptureMetrics()
  readonly #outbox: Outbox
  readonly writes: PlannedWrites
  readonly #curate: CurateParts
  /** What a turn becomes while the disk refuses its plan: no model is asked again for what it has said. */
  #decided: { readonly id: string; readonly curated: Curated } | undefined

  constructor(private readonly parts: OpenCaptureParts) {
    const { intake, writer, llm, reconcileModel, policy } = parts
    this.#outbox = new Outbox(parts)
    const { metrics } = this
    this.writes = new PlannedWrites(
      {
        ...openAuthority(parts),
        writer,
        intake,
        outbox: this.#outbox,
        turnState: (id) => turnStateOf(intake, id),
      },
      ({ dropped }) => metrics.captured([], dropped),
    )
    const { index, embed, ensureCalibrated, monotonicNow } = parts
    const models = reconcileModel === undefined ? { llm } : { llm, reconcileModel }
    this.#curate = { index, embed, ensureCalibrated, ...models, policy, holdsCredential, metrics, monotonicNow }
  }

  hasPlan(id: string): boolean {
    return this.#outbox.has(id)
  }

  async run(turn: PendingTurn, signal: AbortSignal): Promise<void> {
    await this.writes.recover()
    // Recovery may have just finished this very turn.
    if ((await turnStateOf(this.parts.intake, turn.id)) === 'settled') return
    const view = await viewTurn(turn)
    const curated = this.#decided?.id === turn.id ? this.#decided.curated : await this.#decide(turn, view, signal)
    this.#decided = { id: turn.id, curated }
    await this.#carryOut(view, curated)
    this.#decided = undefined
  }

  #decide(turn: PendingTurn, view: CaptureTurn, signal: AbortSignal): Promise<Curated> {
    const retained = this.#outbox.load(turn.id)
    const known = retained?.stage === 'retained' ? retained : undefined
    return curate(this.#curate, turn, view, known, (asked) => this.#retain(turn.id, asked), signal)
  }

  async #carryOut(view: CaptureTurn, { capture, actions, vectors }: Curated): Promise<void> {
    let done = actions
    const decide = () => {
      done = withoutLateRepeats(this.parts.index, actions)
      return { turn: view, actions: done, capture }
    }
    const { dropped } = await this.writes.alone((parts) => commitCapture(parts, decide, vectors))
    this.metrics.captured(done, dropped)
  }

  #retain(id: string, { extraction, review }: Asked): Promise<void> {
    const retainedAt = new Date(this.parts.now()).toISOString()
    const reviewed = review === undefined ? {} : { review }
    return this.#outbox.publish({ v: 1, stage: 'retained', id, extraction, ...reviewed, retainedAt })
  }
}
