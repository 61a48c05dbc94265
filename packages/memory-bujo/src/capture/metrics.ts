import type { CaptureStage, ChatUsage } from '../chat/chat-model.js'
import type { DropCounts } from './types.js'

/** Counts and durations since opening; no text, no ids (CAP-27). */
export interface CaptureCounts {
  readonly calls: Readonly<Record<CaptureStage, number>>
  /** As far as the provider reports them. */
  readonly tokens: { readonly prompt: number; readonly completion: number }
  /** Milliseconds spent waiting for the chat model, by stage. */
  readonly durationMs: Readonly<Record<CaptureStage, number>>
  /** Answers that were refused, by the reason of the contract. */
  readonly rejections: Readonly<Record<string, number>>
  /** Lines, labels and edges that were left out, by reason. */
  readonly dropped: Readonly<Record<string, number>>
  /** Turns carried to their end, and what they became. */
  readonly captured: number
  readonly actions: Readonly<Record<'add' | 'noop' | 'update' | 'supersede', number>>
}

export class CaptureMetrics {
  readonly #calls = { extract: 0, review: 0, reconcile: 0 }
  readonly #durationMs = { extract: 0, review: 0, reconcile: 0 }
  readonly #tokens = { prompt: 0, completion: 0 }
  readonly #rejections = new Map<string, number>()
  readonly #dropped = new Map<string, number>()
  readonly #actions = { add: 0, noop: 0, update: 0, supersede: 0 }
  #captured = 0

  called(stage: CaptureStage, durationMs: number, usage: ChatUsage | undefined): void {
    this.#calls[stage] += 1
    this.#durationMs[stage] += Math.round(durationMs)
    this.#tokens.prompt += tokensOf(usage?.promptTokens)
    this.#tokens.completion += tokensOf(usage?.completionTokens)
  }

  rejected(reason: string): void {
    add(this.#rejections, reason, 1)
  }

  captured(actions: readonly { readonly kind: 'add' | 'noop' | 'update' | 'supersede' }[], dropped: DropCounts): void {
    this.#captured += 1
    for (const { kind } of actions) this.#actions[kind] += 1
    this.dropped(dropped)
  }

  dropped(counts: DropCounts): void {
    for (const [reason, count] of Object.entries(counts)) add(this.#dropped, reason, count)
  }

  counts(): CaptureCounts {
    return {
      calls: { ...this.#calls },
      tokens: { ...this.#tokens },
      durationMs: { ...this.#durationMs },
      rejections: Object.fromEntries(this.#rejections),
      dropped: Object.fromEntries(this.#dropped),
      captured: this.#captured,
      actions: { ...this.#actions },
    }
  }
}

/** A model of the host's own may report anything, text included: what is no count is none (CAP-27). */
function tokensOf(reported: unknown): number {
  return Number.isSafeInteger(reported) && (reported as number) >= 0 ? (reported as number) : 0
}

function add(counts: Map<string, number>, key: string, count: number): void {
  counts.set(key, (counts.get(key) ?? 0) + count)
}
