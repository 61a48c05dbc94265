import { MAX_ATTEMPTS, type PendingTurn } from '@mono-agent/memory-intake'
import type { EmbeddingProvider, NewVector, SearchIndex } from '@mono-agent/memory-search'
import type { ChatModel } from '../chat/chat-model.js'
import { ask } from './ask.js'
import {
  extractionSchema,
  parseExtraction,
  parseReconcile,
  parseReview,
  RECONCILE_SCHEMA,
  REVIEW_SCHEMA,
  type ReviewLine,
} from './contract/index.js'
import { failureOf } from './failure-category.js'
import type { CaptureMetrics } from './metrics.js'
import { admitExtraction } from './policy/admit-extraction.js'
import type { PlannedExtraction } from './policy/attribution.js'
import { countDrops } from './policy/drop-counts.js'
import { keepOnly } from './policy/only.js'
import { pruneCapture } from './policy/prune.js'
import { planActions } from './policy/reconcile-rules.js'
import { applyReview, reviewLines } from './policy/review-lines.js'
import { withoutSecretDecisions, withoutSecretMemories, type CredentialDetector } from './policy/secrets.js'
import { extractPrompt, reconcilePrompt, reviewPrompt } from './prompts/index.js'
import { gatherCandidates } from './reconcile/gather-candidates.js'
import type {
  AdmittedCapture,
  CaptureAction,
  CapturePolicy,
  CaptureTurn,
  DropReason,
  Extraction,
  ReconcileDecision,
  ReconcileEntry,
  ReviewDecision,
} from './types.js'

export interface CurateParts {
  readonly index: SearchIndex
  readonly embed: EmbeddingProvider
  /** Measures the embedding model where that was not done yet: what is near depends on it (SEA-15). */
  readonly ensureCalibrated: (signal: AbortSignal) => Promise<void>
  /** Extraction and review; reconcile too, where it has no model of its own. */
  readonly llm: ChatModel
  /** CAP-23. */
  readonly reconcileModel?: ChatModel
  readonly policy: CapturePolicy
  readonly holdsCredential: CredentialDetector
  readonly metrics: CaptureMetrics
  readonly monotonicNow: () => number
}

/** What earlier attempts got from a model: never asked for again. */
export interface Asked {
  readonly extraction: PlannedExtraction
  readonly review?: readonly ReviewDecision[]
}

/** What a turn will become; nothing is written yet. */
export interface Curated {
  readonly capture: AdmittedCapture
  readonly actions: readonly CaptureAction[]
  readonly vectors: readonly NewVector[]
}

/**
 * The order of things, and nothing else: extract, admit, review, candidates, reconcile, filter. At most three chat calls.
 * @param turn  for the number of its attempts
 * @param retain  keeps what was asked when a later step fails, so that a retry goes on from there
 * @throws {ContractError}  @throws {ChatError}  @throws {EmbeddingError}  @throws the signal's reason
 */
export async function curate(
  parts: CurateParts,
  turn: Pick<PendingTurn, 'attempts'>,
  view: CaptureTurn,
  known: Asked | undefined,
  retain: (asked: Asked) => Promise<void>,
  signal: AbortSignal,
): Promise<Curated> {
  const isFinal = turn.attempts + 1 >= MAX_ATTEMPTS
  const origin = known === undefined ? 'fresh' : 'retained'
  let asked: Asked = known ?? { extraction: await extract(parts, view, signal) }
  try {
    const admitted = await admitExtraction(asked.extraction, view, parts.policy, parts.holdsCredential, origin)
    const lines = reviewLines(admitted, view)
    if (lines.length > 0 && asked.review === undefined) {
      const decisions = await orUndefinedAtLast(isFinal, signal, () => review(parts, lines, view, signal))
      if (decisions !== undefined) asked = { ...asked, review: decisions }
    }
    const capture = asked.review === undefined ? admitted : applyReview(admitted, asked.review, view)
    return await reconcile(parts, capture, view, isFinal, signal)
  } catch (error) {
    if (asked !== known) await retain(asked)
    throw error
  }
}

/** Without what may not even be retained (CAP-25). */
async function extract(parts: CurateParts, view: CaptureTurn, signal: AbortSignal): Promise<Extraction> {
  const { llm, policy, holdsCredential, metrics } = parts
  const { language, intentLifecycle } = policy
  const turnTexts = view.userText === undefined ? [view.text] : [view.text, view.userText]
  const prompt = extractPrompt(view, policy)
  const schema = extractionSchema(policy)
  const parse = (completion: string): Extraction =>
    parseExtraction(completion, { turnTexts, language, intentLifecycle })
  const answer = await ask(llm, { stage: 'extract', ...prompt, schema, parse, signal }, parts)
  const { extraction, dropped } = await withoutSecretMemories(answer, holdsCredential)
  if (dropped > 0) metrics.dropped({ credential: dropped })
  return extraction
}

function review(
  parts: CurateParts,
  lines: readonly ReviewLine[],
  view: CaptureTurn,
  signal: AbortSignal,
): Promise<readonly ReviewDecision[]> {
  const prompt = reviewPrompt(lines, view)
  const parse = (completion: string): readonly ReviewDecision[] => parseReview(completion, lines)
  return ask(parts.llm, { stage: 'review', ...prompt, schema: REVIEW_SCHEMA, parse, signal }, parts)
}

async function reconcile(
  parts: CurateParts,
  capture: AdmittedCapture,
  view: CaptureTurn,
  isFinal: boolean,
  signal: AbortSignal,
): Promise<Curated> {
  const { repeats, echoes, entries, vectors } = await gatherCandidates(parts, capture.memories, signal)
  const novel = entries.filter(({ candidates }) => candidates.length === 0)
  const offered = entries.filter(({ candidates }) => candidates.length > 0)
  const decided = offered.length === 0 ? [] : await decide(parts, offered, view, isFinal, signal)
  const clean = await withoutSecretDecisions(offered, decided, parts.holdsCredential)
  const actions: CaptureAction[] = [
    ...repeats.map(({ memory, target }): CaptureAction => ({ kind: 'noop', memory, target })),
    ...novel.map(({ memory }): CaptureAction => ({ kind: 'add', memory, threadTo: [] })),
    ...planActions(clean.entries, clean.decisions, view),
  ].sort((a, b) => a.memory.index - b.memory.index)
  const { kept, filtered } = keepOnly(actions, parts.policy.only)
  const drops: DropReason[] = [
    ...times<DropReason>(echoes.length, 'echo'),
    ...times<DropReason>(filtered, 'only_filter'),
    ...times<DropReason>(clean.dropped, 'credential'),
  ]
  // No-ops too: one whose target goes before it is written becomes a memory after all. The plan takes what is stored.
  const left = pruneCapture(
    capture,
    kept.map(({ memory }) => memory),
  )
  return { capture: { ...left, dropped: countDrops(drops, capture.dropped) }, actions: kept, vectors }
}

/** One batched call; of a model of its own, the last attempt adds what is no exact repeat (CAP-23). */
async function decide(
  parts: CurateParts,
  entries: readonly ReconcileEntry[],
  view: CaptureTurn,
  isFinal: boolean,
  signal: AbortSignal,
): Promise<readonly ReconcileDecision[]> {
  const { llm, reconcileModel, policy } = parts
  const prompt = reconcilePrompt(entries, view)
  const parse = (completion: string): readonly ReconcileDecision[] =>
    parseReconcile(completion, entries, policy.language)
  const question = { stage: 'reconcile' as const, ...prompt, schema: RECONCILE_SCHEMA, parse, signal }
  if (reconcileModel === undefined) return ask<readonly ReconcileDecision[]>(llm, question, parts)
  const decisions = await orUndefinedAtLast(isFinal, signal, () =>
    ask<readonly ReconcileDecision[]>(reconcileModel, question, parts),
  )
  return decisions ?? entries.map((_, index) => ({ index, action: 'ADD' }))
}

/** What a model fails to say on the last attempt is done without (CAP-12, CAP-23); an abort stays one. */
async function orUndefinedAtLast<T>(
  isFinal: boolean,
  signal: AbortSignal,
  work: () => Promise<T>,
): Promise<T | undefined> {
  try {
    return await work()
  } catch (error) {
    if (!isFinal || signal.aborted || failureOf(error) === 'processing') throw error
    return undefined
  }
}

const times = <T>(count: number, value: T): T[] => Array<T>(count).fill(value)
