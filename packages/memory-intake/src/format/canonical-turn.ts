import { canonicalJson, sha256Hex, toWellFormed, type CompletedTurn } from '@mono-agent/memory-store'

/** Recipe 1 of the payload bytes (INT-2). It never changes: another one gets another number. */
export const PAYLOAD_RECIPE = 1

/** Ill-formed UTF-16 has no UTF-8: each lone surrogate becomes U+FFFD. Nothing else is normalised. */
function wellFormed(text: string | undefined): string | undefined {
  return text === undefined ? undefined : toWellFormed(text)
}

/**
 * The payload of a turn, by recipe 1: JSON with sorted keys and no spaces; a property that is `undefined` is as good as
 * absent; strings as given; no defaults filled in, or a later default would make old turns conflict. `finalAnswer` is no
 * part of it.
 * @param turn  valid, see `validateTurn`
 */
export function canonicalTurn(turn: CompletedTurn): string {
  const { captureEvidence: evidence, source } = turn
  return canonicalJson({
    captureEvidence: evidence && {
      ownerTurn: evidence.ownerTurn,
      senderToken: wellFormed(evidence.senderToken),
      toolOutcomes: evidence.toolOutcomes?.map(({ category, outcome }) => ({
        category: toWellFormed(category),
        outcome,
      })),
      userText: wellFormed(evidence.userText),
    },
    captureSpeakerKind: turn.captureSpeakerKind,
    captureText: wellFormed(turn.captureText),
    conversationId: turn.conversationId,
    occurredAt: turn.occurredAt,
    runId: turn.runId,
    source: source && { kind: source.kind, label: wellFormed(source.label) },
    speaker: wellFormed(turn.speaker),
    summary: toWellFormed(turn.summary),
    timeZone: turn.timeZone,
  })
}

/** Which turn this is: SHA-256 of the run id's UTF-8 bytes, 64 lower-case hex digits. */
export function turnId(runId: string): string {
  return sha256Hex(runId)
}

/** What was said in it: SHA-256 of the canonical payload, 64 lower-case hex digits. */
export function payloadHash(canonical: string): string {
  return sha256Hex(canonical)
}
