import type { JsonSchema, ObjectSchema } from './json-schema.js'

/**
 * Keywords that strict function calling refuses. What they say is checked by the tool, which answers in words.
 * Source: "Supported schemas" of the guide to structured outputs of the OpenAI API.
 */
const REFUSED = new Set(['$schema', 'default', 'minLength', 'maxLength', 'propertyNames', 'uniqueItems', 'examples'])

/**
 * The schema as strict function calling wants it: objects are closed, every field is required, and one that may be left
 * out may be null instead.
 */
export function strictSchema(schema: ObjectSchema): ObjectSchema {
  return strict(schema) as ObjectSchema
}

function strict(schema: JsonSchema): JsonSchema {
  const kept = Object.entries(schema).filter(([key]) => !REFUSED.has(key))
  const rewritten = kept.map(([key, value]) => [key, rewrite(key, value)] as const)
  const plain = Object.fromEntries(rewritten)
  if (schema['type'] !== 'object') return plain
  const properties = (schema['properties'] ?? {}) as Readonly<Record<string, JsonSchema>>
  const required = (schema['required'] ?? []) as readonly string[]
  const fields = Object.entries(properties).map(([name, field]) => {
    return [name, required.includes(name) ? strict(field) : orNull(strict(field))] as const
  })
  return {
    ...plain,
    properties: Object.fromEntries(fields),
    required: fields.map(([name]) => name),
    additionalProperties: false,
  }
}

function rewrite(key: string, value: unknown): unknown {
  if (key === 'items') return strict(value as JsonSchema)
  if (key === 'anyOf') return (value as readonly JsonSchema[]).map(strict)
  return value
}

/** The description stays outside, where a model finds it. */
function orNull({ description, ...schema }: JsonSchema): JsonSchema {
  return { ...(description === undefined ? {} : { description }), anyOf: [schema, { type: 'null' }] }
}
