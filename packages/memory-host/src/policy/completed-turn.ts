import {
  markDeliveredMemory,
  withoutDelivered,
  type CaptureEvidence,
  type CompletedTurn,
} from '@mono-agent/memory-bujo'
import type { KnownTurn } from './known-turn.js'
import type { TurnResult } from '../types.js'
import type { OwnerText } from './owner-text.js'

/** What the glue knows of a turn beside its result. */
export interface TurnRecord {
  readonly turn: KnownTurn
  readonly ownerText: OwnerText
  /** Of messages that reached the turn while it ran. */
  readonly followUps: readonly OwnerText[]
  /** Lines that memory delivered in the turn, as they were shown. */
  readonly delivered: readonly string[]
}

/**
 * The turn as it is admitted. A scheduled or webhook turn is the assistant's answer alone: neither its prompt nor anything
 * else of it goes in (CAP-10). What memory delivered is marked, so that it is no evidence (CAP-28). Of attachments nothing
 * goes in by itself: their text was for recall.
 */
export function completedTurn(
  { turn, ownerText, followUps, delivered }: TurnRecord,
  result: TurnResult,
): CompletedTurn {
  const { runId, finalAnswer } = result
  const common = {
    runId,
    conversationId: turn.conversationId,
    ...given('source', turn.source),
    ...given('occurredAt', turn.occurredAt),
    ...given('timeZone', turn.timeZone),
    ...given('finalAnswer', finalAnswer),
  }
  if (turn.source?.kind === 'cron' || turn.source?.kind === 'webhook') {
    const evidence = evidenceOf(result, {})
    // Its summary is also what capture reads, so what memory delivered is taken out: marks would be remembered themselves.
    const summary = withoutDelivered(markDeliveredMemory(finalAnswer ?? '', delivered)).trim()
    return { ...common, summary, captureSpeakerKind: 'trigger', ...given('captureEvidence', evidence) }
  }
  const isHuman = turn.speaker.kind !== 'unknown'
  const userText = isHuman ? markDeliveredMemory(wordsOf(turn, ownerText, followUps), delivered) : ''
  const evidence = evidenceOf(result, {
    ...(userText === '' ? {} : { userText }),
    ...(turn.speaker.kind === 'owner' ? { ownerTurn: true } : {}),
    ...(isHuman ? given('senderToken', turn.speaker.token) : {}),
  })
  return {
    ...common,
    summary: result.summary,
    captureSpeakerKind: isHuman ? 'human-turn' : 'unknown',
    ...given('captureText', captureTextOf(result, delivered)),
    ...given('captureEvidence', evidence),
    ...given('speaker', turn.speaker.name),
  }
}

/**
 * The verified speaker's own words. A peer's message, the notice of an ended process and a continuation are written by
 * nobody who was verified, whoever the turn belongs to: of those only what the host sets apart as the owner's counts.
 */
function wordsOf({ source, wake }: KnownTurn, first: OwnerText, followUps: readonly OwnerText[]): string {
  const isTheirs = (source?.kind ?? 'conversation') === 'conversation' && wake === 'message'
  const spoken = isTheirs || first.origin === 'owner_text' ? [first, ...followUps] : followUps
  return spoken
    .map(({ text }) => text)
    .filter((text) => text.trim() !== '')
    .join('\n\n')
}

/** Without a text of its own capture reads the summary, which must not bring delivered lines in unmarked. */
function captureTextOf({ captureText, summary }: TurnResult, delivered: readonly string[]): string | undefined {
  if (captureText !== undefined) return markDeliveredMemory(captureText, delivered)
  const marked = markDeliveredMemory(summary, delivered)
  return marked === summary ? undefined : marked
}

function evidenceOf({ toolOutcomes }: TurnResult, spoken: CaptureEvidence): CaptureEvidence | undefined {
  const evidence = { ...spoken, ...(toolOutcomes === undefined ? {} : { toolOutcomes }) }
  return Object.keys(evidence).length === 0 ? undefined : evidence
}

function given<Key extends string, Value>(key: Key, value: Value | undefined): { readonly [K in Key]?: Value } {
  return (value === undefined ? {} : { [key]: value }) as { readonly [K in Key]?: Value }
}
