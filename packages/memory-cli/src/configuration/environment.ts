import { memoryConfigSchema } from '@mono-agent/memory-bujo'
import { z } from 'zod'

const PREFIX = 'MONO_AGENT_MEMORY_'

/** Variables of keys that were retired: ignored with a warning, like the keys themselves (CFG-1). */
const RETIRED = /^MONO_AGENT_MEMORY_(REFLECTION|MIGRATION)(_|$)/

export interface EnvironmentVariable {
  readonly name: string
  /** Of the key in the `memory` block. */
  readonly path: readonly string[]
  /** A `list` is written with commas. */
  readonly type: 'text' | 'integer' | 'boolean' | 'list'
}

interface JsonSchema {
  readonly type?: string
  readonly properties?: Readonly<Record<string, JsonSchema>>
}

let known: readonly EnvironmentVariable[] | undefined

/** One variable for every key, named by its path, from the one schema (CFG-4, CFG-5). */
export function environmentVariables(): readonly EnvironmentVariable[] {
  known ??= variablesOf(z.toJSONSchema(memoryConfigSchema, { io: 'input' }) as JsonSchema, [])
  return known
}

function variablesOf(schema: JsonSchema, path: readonly string[]): EnvironmentVariable[] {
  return Object.entries(schema.properties ?? {}).flatMap(([key, value]): EnvironmentVariable[] => {
    const own = [...path, key]
    if (value.properties !== undefined) return variablesOf(value, own)
    return [{ name: variableName(own), path: own, type: typeOf(value) }]
  })
}

/** `embeddings.apiKeyEnv` → `MONO_AGENT_MEMORY_EMBEDDINGS_API_KEY_ENV`. */
function variableName(path: readonly string[]): string {
  return PREFIX + path.map((key) => key.replaceAll(/[A-Z]/g, (letter) => `_${letter}`).toUpperCase()).join('_')
}

function typeOf({ type }: JsonSchema): EnvironmentVariable['type'] {
  if (type === 'integer' || type === 'boolean') return type
  return type === 'array' ? 'list' : 'text'
}

type Environment = Readonly<Record<string, string | undefined>>

/** Puts what the environment says over a block; an empty variable counts as absent. What cannot be read is left to the schema. */
export function withEnvironment(block: Readonly<Record<string, unknown>>, env: Environment): Record<string, unknown> {
  const merged: Record<string, unknown> = structuredClone(block)
  for (const { name, path, type } of environmentVariables()) {
    const value = env[name]
    if (value !== undefined && value !== '') put(merged, path, valueOf(value, type))
  }
  return merged
}

function put(block: Record<string, unknown>, [key, ...rest]: readonly string[], value: unknown): void {
  if (key === undefined) return
  if (rest.length === 0) {
    block[key] = value
    return
  }
  const inner = block[key] ?? {}
  if (typeof inner !== 'object' || Array.isArray(inner)) return // no block: the schema refuses it as it is
  block[key] = inner
  put(inner as Record<string, unknown>, rest, value)
}

function valueOf(text: string, type: EnvironmentVariable['type']): unknown {
  if (type === 'integer' && /^\d+$/.test(text)) return Number(text)
  if (type === 'boolean' && /^(true|false)$/.test(text)) return text === 'true'
  if (type === 'list') return text.split(',').map((part) => part.trim())
  return text
}

/** Variables that look like overrides and are none; a misspelled one would be passed over in silence. */
export function environmentWarnings(env: Environment): string[] {
  const names = new Set(environmentVariables().map(({ name }) => name))
  return Object.entries(env)
    .filter(([name, value]) => name.startsWith(PREFIX) && !names.has(name) && value !== undefined && value !== '')
    .map(([name]) =>
      RETIRED.test(name)
        ? `${name} is retired and was ignored. Remove it.`
        : `${name} is no key of the memory block and was ignored. Mend its spelling, or remove it.`,
    )
}

/** The names of the overrides that are set. */
export const overridesIn = (env: Environment): string[] =>
  environmentVariables().flatMap(({ name }) => (env[name] === undefined || env[name] === '' ? [] : [name]))
