import { dirname, resolve } from 'node:path'
import { parseEnv } from 'node:util'
import { BujoError, parseMemoryConfig, type EmbeddingProvider, type MemoryConfig } from '@mono-agent/memory-bujo'
import { errorCode, readTextFile } from '../edge/input-files.js'
import { CliError } from '../errors.js'
import { bareRoot } from './bare-root.js'
import { environmentWarnings, overridesIn, withEnvironment } from './environment.js'

/** The file that is looked for in the current folder (OPS-16). */
export const CONFIG_FILE = 'mono-agent.config.json'

export interface ConfigurationRequest {
  /** `--config`: a file that must be there. */
  readonly config?: string
  /** `--path`: the root of a store without a configuration file. */
  readonly path?: string
  /** `--mode`; when only `--path` is given, what the store there says of itself, else `lite`. */
  readonly mode?: string
  readonly cwd: string
  readonly env: Readonly<Record<string, string | undefined>>
}

export type Configuration =
  | { readonly kind: 'not_configured'; readonly reason: string }
  | {
      readonly kind: 'configured'
      readonly config: MemoryConfig
      /** In place of the service that nobody configured, for a journal or bujo at `--path` alone. */
      readonly embed?: EmbeddingProvider
      /** A variable of the environment, or of the `.env` beside the file; keys are asked from it. */
      readonly env: (name: string) => string | undefined
      readonly warnings: readonly string[]
    }

/**
 * Finds and parses the `memory` block. Precedence: environment, then `.env` beside the file, then the file (CFG-4);
 * `--path` stands alone. A relative `path` in the file is relative to the file's folder.
 * @throws {CliError} `config_unreadable`, `config_not_json`, `configuration_needed`, `tier_unknown`
 * @throws {BujoError} `config_invalid`
 */
export function loadConfiguration(request: ConfigurationRequest): Configuration {
  if (request.path !== undefined) {
    const path = resolve(request.cwd, request.path)
    const root = bareRoot(path, request.mode)
    const { embed, ...block } = { embed: undefined, path, ...root }
    return { ...parse(block, request.cwd, request.env), ...(embed === undefined ? {} : { embed }) }
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
  return parseOverridden(block, folder, env)
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

type Environment = ConfigurationRequest['env']

/** A fault may come from a variable that nobody sees in the file: those that are set are named with it. */
function parseOverridden(block: Readonly<Record<string, unknown>>, folder: string, env: Environment): Configuration {
  try {
    const parsed = parse(withEnvironment(block, env), folder, env)
    return { ...parsed, warnings: [...parsed.warnings, ...environmentWarnings(env)] }
  } catch (error) {
    const overrides = overridesIn(env)
    if (!(error instanceof BujoError) || error.code !== 'config_invalid' || overrides.length === 0) throw error
    const message = `${error.message}\nThese variables went before the file: ${overrides.join(', ')}.`
    throw new BujoError('config_invalid', message, { cause: error })
  }
}

function parse(block: unknown, folder: string, env: Environment): Extract<Configuration, { kind: 'configured' }> {
  const { config, warnings } = parseMemoryConfig(block)
  return {
    kind: 'configured',
    config: { ...config, path: resolve(folder, config.path) },
    env: (name) => env[name],
    warnings,
  }
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
