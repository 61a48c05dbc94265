import { ContractError, extractionSchema, parseExtraction } from '../capture/contract/index.js'
import { extractPrompt } from '../capture/prompts/index.js'
import type { CapturePolicy, CaptureTurn } from '../capture/types.js'
import type { ChatModel } from '../chat/chat-model.js'
import { fine, type ValidationCheck } from './validation.js'

/** A turn that is nobody's, the same each time. It is the only text that is sent. */
const PROBE_TEXT = 'My sister Ana moved to Porto in March 2026 and works there as a carpenter.'
const PROBE_TURN: CaptureTurn = {
  id: '0'.repeat(64),
  admittedAt: '2026-05-01T12:00:00.000Z',
  anchor: '2026-05-01T12:00:00.000Z',
  timeZone: 'UTC',
  text: `User: ${PROBE_TEXT}\nAssistant: Thank you for telling me.`,
  userText: PROBE_TEXT,
  speakerKind: 'human-turn',
  isOwnerTurn: true,
  toolOutcomes: [],
  sourceKind: 'conversation',
}

const CHECK = 'contract'

/**
 * Asks the model once, as capture does, and shows whether the answer keeps the contract (CAP-6). A fixed language of the
 * configuration would only make the probe harder to judge; its focus is none of this turn's affair.
 * @throws {ChatError}  @throws the signal's reason
 */
export async function probeContract(
  model: ChatModel,
  { intentLifecycle }: Pick<CapturePolicy, 'intentLifecycle'>,
  signal: AbortSignal | undefined,
): Promise<ValidationCheck> {
  const policy = { intentLifecycle, language: 'speaker' }
  const { text } = await model.complete({
    stage: 'extract',
    ...extractPrompt(PROBE_TURN, policy),
    schema: extractionSchema(policy),
    ...(signal === undefined ? {} : { signal }),
  })
  try {
    const { memories } = parseExtraction(text, { turnTexts: [PROBE_TURN.text, PROBE_TEXT], ...policy })
    if (memories.length > 0)
      return fine(CHECK, `The model keeps the contract; of the probe it made ${memories.length}.`)
    const message = 'The model keeps the contract, but found nothing in a turn that says something. Try a larger model.'
    return { check: CHECK, status: 'note', code: 'nothing_extracted', message }
  } catch (error) {
    if (!(error instanceof ContractError)) throw error
    const message =
      `The model does not keep the contract (${error.reason}): turns would stay pending and be tried again. ` +
      `Choose a model, or a service, that holds answers to a JSON schema. ${error.message}`
    return { check: CHECK, status: 'error', code: String(error.code), message }
  }
}
