import { z } from 'zod'
import type { ChatRequest } from '../../chat/chat-model.js'
import { extractionContract, extractionWithIntentions } from './extraction-contract.js'
import { reconcileContract } from './parse-reconcile.js'
import { reviewContract } from './parse-review.js'

type NamedSchema = ChatRequest['schema']

/**
 * A contract as JSON Schema 2020-12, for services that hold a model to one. It says the shape, closed lists, bounds of
 * arrays and numbers, and what names look like. Bounds in bytes and classes of characters cannot be said exactly, and
 * services build a grammar from each: those stay in the descriptions, and with the parser, which is the authority (CAP-6).
 */
function jsonSchemaOf(name: string, contract: z.ZodType): NamedSchema {
  const schema = z.toJSONSchema(contract, {
    override: ({ jsonSchema }) => {
      // Alternatives exclude each other by a constant, and `anyOf` is what services know.
      if (jsonSchema.oneOf !== undefined) {
        jsonSchema.anyOf = jsonSchema.oneOf
        delete jsonSchema.oneOf
      }
    },
  })
  return { name, schema }
}

const EXTRACTION_SCHEMA = jsonSchemaOf('extraction', extractionContract)
const EXTRACTION_WITH_INTENTIONS_SCHEMA = jsonSchemaOf('extraction', extractionWithIntentions)
export const REVIEW_SCHEMA: NamedSchema = jsonSchemaOf('review', reviewContract)
export const RECONCILE_SCHEMA: NamedSchema = jsonSchemaOf('reconcile', reconcileContract)

/** `intentState` is part of it only where intentions are followed (CAP-24). */
export function extractionSchema({ intentLifecycle }: { readonly intentLifecycle: boolean }): NamedSchema {
  return intentLifecycle ? EXTRACTION_WITH_INTENTIONS_SCHEMA : EXTRACTION_SCHEMA
}

/** All of them by name: what `docs/contracts/*.schema.json` is made from. */
export const contractSchemas = {
  extraction: EXTRACTION_SCHEMA.schema,
  'extraction-with-intentions': EXTRACTION_WITH_INTENTIONS_SCHEMA.schema,
  review: REVIEW_SCHEMA.schema,
  reconcile: RECONCILE_SCHEMA.schema,
} as const
