import {
  conversationOf,
  cutAtGrapheme,
  normaliseInstant,
  normaliseObservation,
  type CompletedTurn,
} from '@mono-agent/memory-store'
import type { PendingTurn } from '@mono-agent/memory-intake'
import { redactCredentials } from '../credentials.js'
import { withoutUnseen } from './contract/quotation.js'
import { withoutDelivered } from './policy/delivered.js'
import { occursIn } from './policy/quotation.js'
import type { CaptureTurn } from './types.js'

/** What a model is told of who spoke where nobody did (CAP-10). */
export const TRIGGER_LABELS = { cron: 'scheduled task', webhook: 'webhook' } as const
/** UTF-8 bytes of a label that the host gives a source. */
const MAX_LABEL_BYTES = 128

/**
 * What a turn offers capture: without what memory itself delivered (CAP-28), credentials redacted (CAP-25), and of a
 * scheduled or webhook turn the assistant's answer alone (CAP-10). Whatever a host did not verify is absent.
 */
export async function viewTurn({ id, admittedAt, turn }: PendingTurn): Promise<CaptureTurn> {
  const sourceKind = turn.source?.kind ?? 'conversation'
  const isTrigger = sourceKind === 'cron' || sourceKind === 'webhook'
  const speakerKind = isTrigger ? 'trigger' : (turn.captureSpeakerKind ?? 'unknown')
  const isHuman = speakerKind === 'human-turn'
  const evidence = turn.captureEvidence
  const userText = isHuman ? await cleaned(evidence?.userText) : undefined
  const text = (await cleaned(isTrigger ? turn.summary : (turn.captureText ?? turn.summary))) ?? ''
  const occurredAt = turn.occurredAt === undefined ? undefined : normaliseInstant(turn.occurredAt)
  const sourceLabel = isTrigger ? TRIGGER_LABELS[sourceKind] : await labelOf(turn)
  const { senderToken } = evidence ?? {}
  return {
    id,
    admittedAt,
    anchor: occurredAt ?? admittedAt,
    timeZone: zoneOf(turn),
    text: withUserText(text, userText),
    speakerKind,
    isOwnerTurn: isHuman && evidence?.ownerTurn === true,
    toolOutcomes: evidence?.toolOutcomes ?? [],
    sourceKind,
    ...given('userText', userText),
    ...given('senderToken', isHuman ? senderToken : undefined),
    ...given('sourceLabel', sourceLabel),
    ...given('conversationId', conversationOf(turn.conversationId)),
    ...given('speaker', turn.speaker),
    ...given('occurredAt', occurredAt),
  }
}

/**
 * Memory first: redacting changes the words by which delivered ones are known. Then what nobody sees: it may break a
 * credential apart, and no model is shown it. Undefined if nothing is left.
 */
async function cleaned(text: string | undefined): Promise<string | undefined> {
  if (text === undefined) return undefined
  const { text: redacted } = await redactCredentials(withoutUnseen(withoutDelivered(text)))
  return redacted.trim() === '' ? undefined : redacted
}

/** A host may hand over the user's words apart; they are part of what was said. */
function withUserText(text: string, userText: string | undefined): string {
  if (userText === undefined || occursIn(userText, text)) return text
  return text === '' ? userText : `${userText}\n\n${text}`
}

/** One short line: it stands in a prompt. */
async function labelOf({ source }: CompletedTurn): Promise<string | undefined> {
  const { text } = await redactCredentials(normaliseObservation(source?.label ?? ''))
  const label = cutAtGrapheme(text, MAX_LABEL_BYTES).trim()
  return label === '' ? undefined : label
}

/** Zones are checked at admission; one that this machine does not know (any more) reads as UTC (CAP-17). */
function zoneOf({ timeZone }: CompletedTurn): string {
  if (timeZone === undefined) return 'UTC'
  try {
    new Intl.DateTimeFormat('en', { timeZone })
    return timeZone
  } catch (error) {
    if (error instanceof RangeError) return 'UTC'
    throw error
  }
}

function given<Key extends string, Value>(key: Key, value: Value | undefined): { readonly [K in Key]?: Value } {
  return (value === undefined ? {} : { [key]: value }) as { readonly [K in Key]?: Value }
}
