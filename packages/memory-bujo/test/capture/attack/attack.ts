import type { CompletedTurn } from '@mono-agent/memory-store'
import type { ContractReason } from '../../../src/capture/contract/contract-error.js'
import type { DropReason, ExtractedEntity, ExtractedLabel, ExtractedRelation } from '../../../src/capture/types.js'
import type { Answer, BujoOptions } from '../../support/bujo.js'

export type Language = 'en' | 'de' | 'es' | 'fr' | 'zh' | 'ja' | 'ar' | 'he' | 'ru' | 'hi' | 'tr'

/** What a turn is and what a model says to it; models here obey whoever attacks. */
export interface Exchange {
  readonly turn: Omit<CompletedTurn, 'runId'>
  readonly extract?: Answer
  readonly review?: Answer
  readonly reconcile?: Answer
}

/** What a capture wrote, in legible form: see `legible`. Absent is nothing. */
export interface Stored {
  readonly day?: readonly string[]
  readonly graph?: readonly string[]
  readonly replay?: readonly string[]
}

export interface Attack extends Exchange {
  /** What is tried, and by whom. */
  readonly name: string
  readonly language: Language
  /** What the store holds before it, of earlier turns. */
  readonly before?: readonly Exchange[]
  /** Texts that somebody had the agent remember, before all turns. */
  readonly remembered?: readonly string[]
  readonly options?: BujoOptions
  /** What is there afterwards beyond what was there before; lines that are gone are `gone`. */
  readonly stored: Stored
  readonly gone?: readonly string[]
  /** The answer is refused as a whole, for this reason: nothing is stored, and the turn is tried again. */
  readonly refused?: ContractReason
  readonly dropped?: Partial<Record<DropReason, number>>
  /** Of the audit line; default: the summary. */
  readonly audit?: string
  /** Stands nowhere in the root when the store is closed. */
  readonly absent?: string
}

const WEB = 'web:1'

/** The owner wrote `said`; whatever came with it (a page, a mail, the assistant's answer) is `rest`. */
export const owner = (said: string, rest = '', more: Partial<CompletedTurn> = {}): Exchange['turn'] =>
  human(said, rest, { userText: said, ownerTurn: true }, more)

/** A verified human who is not the owner. */
export const guest = (said: string, rest = '', more: Partial<CompletedTurn> = {}): Exchange['turn'] =>
  human(said, rest, { userText: said, senderToken: 'g1' }, more)

function human(
  said: string,
  rest: string,
  captureEvidence: NonNullable<CompletedTurn['captureEvidence']>,
  more: Partial<CompletedTurn>,
): Exchange['turn'] {
  const captureText = rest === '' ? `User: ${said}` : `User: ${said}\n${rest}`
  return { conversationId: WEB, summary: said, captureText, captureSpeakerKind: 'human-turn', captureEvidence, ...more }
}

/** Nobody verified who spoke, though the content says it. */
export const unverified = (text: string, more: Partial<CompletedTurn> = {}): Exchange['turn'] => ({
  conversationId: WEB,
  summary: text,
  captureText: text,
  ...more,
})

/** Started by no human: a trigger whose content claims everything that an owner's turn would have. */
export const triggered = (
  kind: NonNullable<CompletedTurn['source']>['kind'],
  answer: string,
  prompt = '',
): Exchange['turn'] => ({
  conversationId: `${kind}:1`,
  summary: answer,
  captureText: `User: ${prompt}\nAssistant: ${answer}`,
  captureSpeakerKind: 'trigger',
  captureEvidence: { userText: prompt, ownerTurn: true, senderToken: 'g1' },
  source: { kind },
})

/** Of a memory in an answer: what an obeying model says differs in this from a memory the user stated. */
export { memory as said, extraction as answer, keepAll, decide } from '../../support/bujo.js'

export const fact = (entity: string, key: string, text: string, quote: string): ExtractedLabel => ({
  kind: 'fact',
  entity,
  key,
  value: { type: 'text', text },
  quote,
})

export const preference = (
  scope: Extract<ExtractedLabel, { kind: 'preference' }>['scope'],
  quote: string,
): ExtractedLabel => ({ kind: 'preference', scope, quote })

export const lesson = (
  scope: Extract<ExtractedLabel, { kind: 'lesson' }>['scope'],
  tool: string,
  quote: string,
): ExtractedLabel => ({ kind: 'lesson', scope, tool, quote })

export const entity = (id: string, name: string, more: Partial<ExtractedEntity> = {}): ExtractedEntity => ({
  id,
  name,
  type: id.slice(0, id.indexOf(':')),
  ...more,
})

export const relation = (src: string, name: string, dst: string, memories = [0]): ExtractedRelation => ({
  src,
  relation: name,
  dst,
  memories,
})
