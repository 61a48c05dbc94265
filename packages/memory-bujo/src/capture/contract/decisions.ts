import type { CaptureStage } from '../../chat/chat-model.js'
import { contractError } from './contract-error.js'

/**
 * Holds that there is one decision for each line that was shown, in the order of the lines.
 * @throws {ContractError}
 */
export function checkDecisions(
  stage: CaptureStage,
  decisions: readonly { readonly index: number }[],
  indices: readonly number[],
): void {
  const at = decisions.findIndex(({ index }, place) => place < indices.length && index !== indices[place])
  if (decisions.length < indices.length) throw contractError(stage, 'decision_missing', ['decisions'])
  if (decisions.length > indices.length) throw contractError(stage, 'decision_surplus', ['decisions'])
  if (at >= 0) throw contractError(stage, 'decision_order', ['decisions', at, 'index'])
}
