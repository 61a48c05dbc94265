import type { z } from 'zod'
import type { CaptureStage } from '../../chat/chat-model.js'
import { contractError } from './contract-error.js'
import { firstFault } from './first-fault.js'
import { parseStrictJson } from './strict-json.js'
import { unwrapCompletion } from './unwrap-completion.js'

/**
 * A completion as a value of `schema`: unwrapped, strict JSON, exact shape (CAP-6).
 * @throws {ContractError} what is wrong first
 */
export function readAnswer<Answer>(stage: CaptureStage, completion: string, schema: z.ZodType<Answer>): Answer {
  const unwrapped = unwrapCompletion(completion)
  if (unwrapped.kind === 'refused') throw contractError(stage, unwrapped.reason)
  const json = parseStrictJson(unwrapped.text)
  if (json.kind === 'refused') throw contractError(stage, json.reason)
  const parsed = schema.safeParse(json.value)
  if (parsed.success) return parsed.data
  const { reason, path } = firstFault(parsed.error, json.value)
  throw contractError(stage, reason, path)
}
