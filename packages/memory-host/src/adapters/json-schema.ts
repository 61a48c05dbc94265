import { z } from 'zod'
import type { MemoryTool } from '../tools/memory-tool.js'

export type JsonSchema = Readonly<Record<string, unknown>>

/** An object schema, as protocols want them: `type` stands for itself. */
export interface ObjectSchema extends JsonSchema {
  readonly type: 'object'
}

/** Of what a caller may send. */
export const inputSchemaOf = (tool: MemoryTool): ObjectSchema => objectSchema(tool.inputSchema, 'input')

/** Of what a result holds as data. */
export const outputSchemaOf = (tool: MemoryTool): ObjectSchema => objectSchema(tool.outputSchema, 'output')

/** JSON Schema 2020-12. It does not say so in `$schema`: validators that know only an older draft refuse what they can read. */
function objectSchema(schema: z.ZodObject, io: 'input' | 'output'): ObjectSchema {
  const { $schema: _, ...rest } = z.toJSONSchema(schema, { io }) as JsonSchema
  return { ...rest, type: 'object' }
}
