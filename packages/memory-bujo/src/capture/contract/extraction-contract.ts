import { isFactKey, isFactValue } from '@mono-agent/memory-store'
import { z } from 'zod'
import type { ExtractedFactValue } from '../types.js'
import {
  MAX_ENTITIES,
  MAX_MEMORIES,
  MAX_MEMORY_ENTITIES,
  MAX_MEMORY_LABELS,
  MAX_NAME_LENGTH,
  MAX_RELATIONS,
} from './bounds.js'
import type { ContractReason } from './contract-error.js'
import {
  date,
  entityId,
  entityName,
  judged,
  judgeValidity,
  place,
  quote,
  relationName,
  scope,
  sentence,
  summary,
  toolName,
} from './fields.js'

const validity = { validFrom: date.exactOptional(), validTo: date.exactOptional() }

const factValue = z.discriminatedUnion('type', [
  z.strictObject({ type: z.literal('date'), date: z.string().describe('A day, `YYYY-MM-DD`.') }),
  z.strictObject({ type: z.literal('text'), text: z.string().describe('At most 160 characters.') }),
  z.strictObject({ type: z.literal('entity'), entityId }),
  z.strictObject({
    type: z.literal('relationship'),
    role: z.string().describe('What they are to the entity, at most 160 characters.'),
    target: z.string().describe('Who, at most 160 characters.'),
  }),
])

const fact = z
  .strictObject({
    kind: z.literal('fact'),
    entity: entityId,
    key: z
      .string()
      .check(
        judged((key) =>
          isFactKey(key) && key.length <= 'other:'.length + MAX_NAME_LENGTH ? undefined : 'fact_key_invalid',
        ),
      )
      .describe(
        '`birth_date`, `full_name`, `preferred_name`, `relationship`, `home_location`, `work_location` or `other:<kebab-name>`.',
      ),
    value: factValue,
    quote,
    ...validity,
  })
  .check(judged(judgeFact))

function judgeFact(given: {
  readonly key: string
  readonly value: ExtractedFactValue
  readonly validFrom?: string
  readonly validTo?: string
}): ContractReason | undefined {
  return isFactValue(given.key, given.value) ? judgeValidity(given) : 'fact_value_invalid'
}

const label = z.discriminatedUnion('kind', [
  fact,
  z.strictObject({ kind: z.literal('preference'), scope, quote }),
  z.strictObject({ kind: z.literal('lesson'), scope, tool: toolName, quote }),
])

const memoryFields = {
  type: z.enum(['note', 'event', 'task']),
  text: sentence,
  salience: z.number().min(0).max(1),
  source: z.enum(['user', 'assistant', 'tool', 'document']),
  quote,
  entities: z.array(entityId).max(MAX_MEMORY_ENTITIES),
  labels: z.array(label).max(MAX_MEMORY_LABELS),
  due: date.exactOptional(),
  ...validity,
}

const entity = z.strictObject({
  id: entityId,
  name: entityName,
  type: z.string().describe('What the id begins with, before the colon.'),
  summary: summary.exactOptional(),
})

const relation = z.strictObject({
  src: entityId,
  relation: relationName,
  dst: entityId,
  memories: z
    .array(place)
    .min(1)
    .max(MAX_MEMORIES)
    .describe('Places in `memories`, from 0, of those that say so; each once.'),
})

const extractionOf = <Memory extends z.ZodType>(memory: Memory) =>
  z.strictObject({
    memories: z.array(memory).max(MAX_MEMORIES),
    entities: z.array(entity).max(MAX_ENTITIES),
    relations: z.array(relation).max(MAX_RELATIONS),
  })

/** The shape of an extraction (CAP-7). What refers to what is judged by `parseExtraction`. */
export const extractionContract = extractionOf(z.strictObject(memoryFields).check(judged(judgeValidity)))

/** The same with `intentState` (CAP-24). */
export const extractionWithIntentions = extractionOf(
  z
    .strictObject({ ...memoryFields, intentState: z.enum(['planned', 'pending', 'done', 'abandoned']).exactOptional() })
    .check(judged(judgeValidity)),
)
