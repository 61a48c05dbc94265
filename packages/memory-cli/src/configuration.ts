import { dirname, resolve } from 'node:path'
import { parseEnv } from 'node:util'
import { parseMemoryConfig, type MemoryConfig } from '@mono-agent/memory-bujo'
import { errorCode, readTextFile } from './edge/input-files.js'
import { CliError } from './errors.js'

/** The file that is looked for in the current folder (OPS-16). */
export const CONFIG_FILE = 'mono-agent.config.json'

/** Environment overrides of the keys that a lite store has (CFG-4): variable → key of the `memory` block. */
export const ENVIRONMENT_KEYS = {
  MONO_AGENT_MEMORY_MODE: 'mode',
  MONO_AGENT_MEMORY_PATH: 'path',
  MONO_AGENT_MEMORY_WRITE_MODE: 'writeMode',
  MONO_AGENT_MEMORY_MAX_BYTES: 'maxBytes',
} as const

export interface ConfigurationRequest {
  /** `--config`: a file that must be there. */
  readonly config?: string
  /** `--path`: the root of a store without a configuration file. */
  readonly path?: string
  /** `--mode`; `lite` when only `--path` is given. */
  readonly mode?: string
  readonly cwd: string
  readonly env: Readonly<Record<string, string | undefined>>
}

export type Configuration =
  | { readonly kind: 'not_configured'; readonly reason: string }
  | { readonly kind: 'configured'; readonly config: MemoryConfig; readonly warnings: readonly string[] }

/**
 * Finds and parses the `memory` block. Precedence: environment, then `.env` beside the file, then the file (CFG-4);
 * `--path` stands alone. A relative `path` in the file is relative to the file's folder.
 * @throws {CliError} `config_unreadable`, `config_not_json`   @throws {BujoError} `config_invalid`
 */
export function loadConfiguration(request: ConfigurationRequest): Configuration {
  if (request.path !== undefined) {
    return parse({ mode: request.mode ?? 'lite', path: resolve(request.cwd, request.path) }, request.cwd)
  }
  const file = resolve(request.cwd, request.config ?? CONFIG_FILE)
  const text = readConfigurationText(file)
  if (text === undefined) {
    if (request.config !== undefined) throw unreadable('ENOENT')
    return {
      kind: 'not_configured',
      reason: `There is no ${CONFIG_FILE} in this folder. Make one, or name a store with --path.`,
    }
  }
  const block = memoryBlock(text)
  if (block === undefined)
    return {
      kind: 'not_configured',
      reason: 'The configuration has no memory block. Add one, or name a store with --path.',
    }
  if (block === 'disabled') return { kind: 'not_configured', reason: 'The memory block is disabled.' }
  const folder = dirname(file)
  const dotEnv = readConfigurationText(resolve(folder, '.env'))
  const env = { ...(dotEnv === undefined ? {} : parseEnv(dotEnv)), ...definedOnly(request.env) }
  return parse(withEnvironment(block, env), folder)
}

/** The `memory` block; undefined where there is none, `disabled` for `null`, `false` and `{ "enabled": false }`. */
export function memoryBlock(text: string): Readonly<Record<string, unknown>> | 'disabled' | undefined {
  const file = parseObject(text)
  const block = file['memory']
  if (block === undefined) return undefined
  if (block === null || block === false) return 'disabled'
  if (!isObject(block)) throw new CliError('config_not_json', 'The memory block is not a JSON object. Mend the file.')
  return block['enabled'] === false ? 'disabled' : block
}

/** Puts the overrides of `ENVIRONMENT_KEYS` over a block; an empty variable counts as absent. */
export function withEnvironment(
  block: Readonly<Record<string, unknown>>,
  env: Readonly<Record<string, string | undefined>>,
): Record<string, unknown> {
  const merged: Record<string, unknown> = { ...block }
  for (const [variable, key] of Object.entries(ENVIRONMENT_KEYS)) {
    const value = env[variable]
    if (value === undefined || value === '') continue
    merged[key] = key === 'maxBytes' && /^\d+$/.test(value) ? Number(value) : value
  }
  return merged
}

function parse(block: unknown, folder: string): Configuration {
  const { config, warnings } = parseMemoryConfig(block)
  return { kind: 'configured', config: { ...config, path: resolve(folder, config.path) }, warnings }
}

function readConfigurationText(path: string): string | undefined {
  try {
    return readTextFile(path)
  } catch (error) {
    throw unreadable(errorCode(error) ?? 'unknown cause', error)
  }
}

function unreadable(reason: string, cause?: unknown): CliError {
  return new CliError(
    'config_unreadable',
    `The configuration cannot be read (${reason}). Nothing was opened. Check --config and the permissions.`,
    { cause },
  )
}

function parseObject(text: string): Record<string, unknown> {
  let value: unknown
  try {
    value = JSON.parse(text.replace(/^\uFEFF/, ''))
  } catch {
    // The parser's own message repeats a piece of the file, and the file may hold keys.
    throw new CliError(
      'config_not_json',
      'The configuration file is not valid JSON. Nothing was opened. Mend the file.',
    )
  }
  if (!isObject(value))
    throw new CliError('config_not_json', 'The configuration file is not a JSON object. Mend the file.')
  return value
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function definedOnly(env: Readonly<Record<string, string | undefined>>): Record<string, string> {
  return Object.fromEntries(Object.entries(env).filter((entry): entry is [string, string] => entry[1] !== undefined))
}
