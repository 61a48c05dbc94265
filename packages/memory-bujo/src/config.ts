import { z } from 'zod'
import { violationLines } from './config-violations.js'
import { BujoError } from './errors.js'
import { withoutUndefined } from './without-undefined.js'

const PROVIDERS = ['ollama', 'lm-studio', 'openai'] as const
const LLM_PROVIDERS = ['ollama', 'openai', 'agent-host'] as const
const LABEL_KINDS = ['fact', 'preference', 'lesson'] as const

/** CFG-2: what an embeddings block that leaves these out means. */
const EMBEDDING_DEFAULTS = {
  ollama: { model: 'nomic-embed-text:v1.5', endpoint: 'http://localhost:11434' },
  'lm-studio': { model: 'text-embedding-nomic-embed-text-v1.5', endpoint: 'http://localhost:1234' },
  openai: { model: 'text-embedding-3-small', endpoint: 'https://api.openai.com/v1' },
} as const
const DEFAULT_DIMENSION = 768
/** Of the one default model that has another. */
const OPENAI_DEFAULT_DIMENSION = 1_536

function defaultDimension(model: string): number {
  return model === EMBEDDING_DEFAULTS.openai.model ? OPENAI_DEFAULT_DIMENSION : DEFAULT_DIMENSION
}

/** CAP-23. */
export const DEFAULT_LLM_TIMEOUT_MS = 60_000
/** CAP-21. */
const MAX_FOCUS_BYTES = 2_048

const apiKeys = {
  apiKeyEnv: z.string().min(1).optional().describe('Name of the environment variable that holds the key (preferred).'),
  apiKey: z.string().min(1).optional().describe('The key itself; prefer `apiKeyEnv`.'),
}

const embeddings = z
  .strictObject({
    provider: z.enum(PROVIDERS).default('ollama').describe('Embedding service.'),
    model: z.string().min(1).optional().describe('Exact model name; default by provider.'),
    endpoint: z.url().optional().describe('Service root; default by provider.'),
    dim: z
      .int()
      .min(1)
      .max(65_536)
      .optional()
      .describe('Vector dimension; 768, or 1,536 for the OpenAI default model.'),
    instructions: z
      .strictObject({
        document: z.string().max(1_024).optional().describe('Put before a memory; an empty string is none.'),
        query: z.string().max(1_024).optional().describe('Put before a query; an empty string is none.'),
      })
      .optional()
      .describe('Task instructions, instead of those known for the model. They are part of the index identity.'),
    contextTokens: z
      .int()
      .min(16)
      .max(1_048_576)
      .optional()
      .describe('Tokens of a text that the model looks at, instead of what is known of the model.'),
    ...apiKeys,
  })
  .transform((block) => {
    const named = { ...EMBEDDING_DEFAULTS[block.provider], ...withoutUndefined(block) }
    return { dim: defaultDimension(named.model), ...named }
  })
  .describe('Embedding service; journal and bujo.')

const llm = z
  .strictObject({
    provider: z.enum(LLM_PROVIDERS).describe('Chat model service; `agent-host` uses the function the host injects.'),
    model: z.string().min(1).describe('Exact model name.'),
    endpoint: z.url().optional().describe('Service root; refused for `agent-host`.'),
    timeoutMs: z
      .int()
      .min(1_000)
      .max(600_000)
      .default(DEFAULT_LLM_TIMEOUT_MS)
      .describe('Milliseconds one chat call may take.'),
    ...apiKeys,
  })
  .describe('Chat model that curates; bujo.')

const capture = z
  .strictObject({
    focus: z
      .string()
      .refine((text) => Buffer.byteLength(text) <= MAX_FOCUS_BYTES, `is longer than ${MAX_FOCUS_BYTES} UTF-8 bytes`)
      .optional()
      .describe('What capture should look for; at most 2,048 UTF-8 bytes.'),
    only: z.array(z.enum(LABEL_KINDS)).optional().describe('Store only memories with a label of these kinds.'),
    cron: z.boolean().default(true).describe('Admit turns that a schedule started.'),
    webhook: z.boolean().default(true).describe('Admit turns that a webhook started.'),
    intentLifecycle: z.boolean().default(false).describe('Follow stated intentions.'),
    reconcileModel: z.string().min(1).optional().describe('`agent-host` model for reconcile alone.'),
    language: z.string().min(1).default('speaker').describe('`speaker`, or one fixed language.'),
  })
  .describe('What the curating model looks for; bujo with writeMode `capture`.')

const switchBlock = (on: boolean, text: string) => z.strictObject({ enabled: z.boolean().default(on).describe(text) })

const fields = z.strictObject({
  mode: z.enum(['lite', 'journal', 'bujo']).describe('Tier; a tier never becomes a smaller one by itself.'),
  path: z
    .string()
    .min(1)
    .refine((path) => !path.includes('\0'), 'holds a NUL character, which no path may. Remove it')
    .default('./.mono-agent/memory')
    .describe('Root folder of the store.'),
  writeMode: z
    .enum(['disabled', 'append-host-summary', 'capture'])
    .default('append-host-summary')
    .describe(
      '`disabled`: recall only; `append-host-summary`: observations; `capture`: curated by a model, bujo only.',
    ),
  maxBytes: z.int().min(1_024).max(16_777_216).default(64_000).describe('UTF-8 bytes one load of context may return.'),
  embeddings: embeddings.optional(),
  llm: llm.optional(),
  capture: capture.optional(),
  recall: z
    .strictObject({
      intentExpiry: z.boolean().default(false).describe('Leave dated and closed notes out of automatic reads; bujo.'),
      recency: z.boolean().default(false).describe('Newer events first among near equals; bujo.'),
    })
    .optional(),
  profile: switchBlock(false, 'Show the owner profile in automatic context; bujo.').optional(),
  recallTool: switchBlock(true, 'Offer the read tools.').prefault({}),
  rememberTool: switchBlock(true, 'Offer the Remember tool.').prefault({}),
  consolidation: z
    .strictObject({
      enabled: z.boolean().default(true).describe('Refresh the projections for people on a schedule; bujo.'),
      cron: z.string().min(1).default('0 */2 * * *').describe('Five-field cron in UTC.'),
    })
    .optional(),
  backend: z.enum(['builtin']).default('builtin').describe('Where memories are kept.'),
})

type Fields = z.output<typeof fields>
type Violation = { readonly path: readonly string[]; readonly message: string }

/** The rules between keys (CFG-1): presence for blocks, `true` for switches. */
function tierViolations(config: Fields): Violation[] {
  const { mode } = config
  const violations: Violation[] = []
  const refuse = (path: string, rule: string, mend: string): void => {
    violations.push({ path: path.split('.'), message: `${rule}. ${mend}` })
  }
  const only = (path: string, present: boolean, tiers: readonly Fields['mode'][]): void => {
    if (present && !tiers.includes(mode)) {
      refuse(
        path,
        `is not part of ${mode}; it needs ${tiers.join(' or ')}`,
        `Remove it, or set mode to ${tiers.at(-1)}`,
      )
    }
  }
  only('embeddings', config.embeddings !== undefined, ['bujo', 'journal'])
  only('llm', config.llm !== undefined, ['bujo'])
  only('consolidation', config.consolidation !== undefined, ['bujo'])
  only('capture', config.capture !== undefined, ['bujo'])
  only('profile.enabled', config.profile?.enabled === true, ['bujo'])
  only('recall.intentExpiry', config.recall?.intentExpiry === true, ['bujo'])
  only('recall.recency', config.recall?.recency === true, ['bujo'])
  if (mode !== 'lite' && config.embeddings === undefined) {
    refuse('embeddings', `is required in ${mode}`, 'Add an embeddings block, or set mode to lite')
  }
  if (mode === 'bujo' && config.llm === undefined) {
    refuse('llm', 'is required in bujo', 'Add an llm block, or set mode to journal')
  }
  if (config.writeMode === 'capture' && mode !== 'bujo') {
    refuse('writeMode', `\`capture\` needs bujo, not ${mode}`, 'Use append-host-summary, or set mode to bujo')
  }
  if (config.capture !== undefined && mode === 'bujo' && config.writeMode !== 'capture') {
    refuse('capture', 'needs writeMode `capture`', 'Set writeMode to capture, or remove the block')
  }
  if (config.llm?.provider === 'agent-host' && config.llm.endpoint !== undefined) {
    refuse('llm.endpoint', 'is refused for `agent-host`: the host injects the function', 'Remove it')
  }
  return violations
}

/** The one schema of the `memory` block (CFG-5): types, defaults, messages, JSON Schema and documentation come from it. */
export const memoryConfigSchema = fields.superRefine((config, context) => {
  for (const { path, message } of tierViolations(config)) context.addIssue({ code: 'custom', path: [...path], message })
})

export type MemoryConfig = z.output<typeof memoryConfigSchema>
export type MemoryConfigInput = z.input<typeof memoryConfigSchema>

/** Keys of earlier versions: ignored, said (CFG-1). */
const RETIRED_KEYS = ['reflection', 'migration']

export interface ParsedConfig {
  readonly config: MemoryConfig
  /** One line for each retired key. */
  readonly warnings: readonly string[]
}

/**
 * Parses a `memory` block.
 * @throws {BujoError} `config_invalid`: every violation with its key, rule and mend; values are never repeated
 */
export function parseMemoryConfig(input: unknown): ParsedConfig {
  const { kept, retired } = setAsideRetired(input)
  const parsed = memoryConfigSchema.safeParse(kept)
  if (!parsed.success) {
    const lines = parsed.error.issues.flatMap((issue) => violationLines(issue, kept))
    throw new BujoError('config_invalid', `The memory configuration is not valid:\n${lines.join('\n')}`)
  }
  return {
    config: parsed.data,
    warnings: retired.map((key) => `memory.${key} is retired and was ignored. Remove it.`),
  }
}

function setAsideRetired(input: unknown): { kept: unknown; retired: string[] } {
  if (typeof input !== 'object' || input === null || Array.isArray(input)) return { kept: input, retired: [] }
  const retired = RETIRED_KEYS.filter((key) => Object.hasOwn(input, key))
  return { kept: Object.fromEntries(Object.entries(input).filter(([key]) => !retired.includes(key))), retired }
}
