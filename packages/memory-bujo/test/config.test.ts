import { describe, expect, test } from 'vitest'
import { MemoryError } from '@mono-agent/memory-store'
import { parseMemoryConfig } from '../src/config.js'

const EMBEDDINGS = { provider: 'ollama' }
const LLM = { provider: 'ollama', model: 'qwen3.6:latest' }
const JOURNAL = { mode: 'journal', embeddings: EMBEDDINGS }
const BUJO = { mode: 'bujo', embeddings: EMBEDDINGS, llm: LLM }

function faultOf(input: unknown): string {
  try {
    parseMemoryConfig(input)
  } catch (error) {
    expect(error).toBeInstanceOf(MemoryError)
    expect((error as MemoryError).code).toBe('config_invalid')
    return (error as MemoryError).message
  }
  throw new Error('the configuration was accepted')
}

describe('defaults (CFG-2)', () => {
  test('lite needs its mode alone', () => {
    expect(parseMemoryConfig({ mode: 'lite' })).toEqual({
      config: {
        mode: 'lite',
        path: './.mono-agent/memory',
        writeMode: 'append-host-summary',
        maxBytes: 64_000,
        recallTool: { enabled: true },
        rememberTool: { enabled: true },
        backend: 'builtin',
      },
      warnings: [],
    })
  })

  test.each([
    [{ provider: 'ollama' }, { model: 'nomic-embed-text:v1.5', endpoint: 'http://localhost:11434', dim: 768 }],
    [
      { provider: 'lm-studio' },
      { model: 'text-embedding-nomic-embed-text-v1.5', endpoint: 'http://localhost:1234', dim: 768 },
    ],
    [{ provider: 'openai' }, { model: 'text-embedding-3-small', endpoint: 'https://api.openai.com/v1', dim: 1536 }],
    [
      { provider: 'openai', model: 'multilingual-e5-base' },
      { endpoint: 'https://api.openai.com/v1', dim: 768 },
    ],
    [
      { provider: 'openai', dim: 512 },
      { model: 'text-embedding-3-small', dim: 512 },
    ],
    [
      { model: 'bge-m3', dim: 1024 },
      { provider: 'ollama', model: 'bge-m3', dim: 1024 },
    ],
  ])('embeddings %o', (embeddings, expected) => {
    expect(parseMemoryConfig({ mode: 'journal', embeddings }).config.embeddings).toMatchObject(expected)
  })

  test('llm.timeoutMs is a minute', () => {
    expect(parseMemoryConfig(BUJO).config.llm?.timeoutMs).toBe(60_000)
  })
})

describe('accepted', () => {
  test.each([
    ['lite', { mode: 'lite', writeMode: 'disabled' }],
    [
      'a switch of a larger tier that is off',
      { mode: 'lite', profile: { enabled: false }, recall: { recency: false } },
    ],
    ['journal', JOURNAL],
    [
      'bujo',
      {
        ...BUJO,
        writeMode: 'capture',
        capture: { only: ['preference'] },
        consolidation: {},
        profile: { enabled: true },
      },
    ],
    ['the smallest maxBytes', { mode: 'lite', maxBytes: 1_024 }],
    ['the shortest timeout', { ...BUJO, llm: { ...LLM, timeoutMs: 1_000 } }],
    ['the longest timeout', { ...BUJO, llm: { ...LLM, timeoutMs: 600_000 } }],
    ['a focus at its limit', { ...BUJO, writeMode: 'capture', capture: { focus: 'é'.repeat(1_024) } }],
  ])('%s', (_name, input) => {
    expect(() => parseMemoryConfig(input)).not.toThrow()
  })
})

describe('refused: the key, the rule and the mend (CFG-1)', () => {
  test.each([
    ['no block at all', undefined, 'memory'],
    ['no mode', {}, 'memory.mode: is required. Add it: one of "lite", "journal", "bujo"'],
    ['an unknown tier', { mode: 'full' }, 'memory.mode: has a value that is not allowed. Choose one of "lite"'],
    ['a path of another type', { mode: 'lite', path: 5 }, 'memory.path: has another type. Make it of type string'],
    ['no chat model', { ...BUJO, llm: { provider: 'ollama' } }, 'memory.llm.model: is required. Add it (string)'],
    ['a path that no system call takes', { mode: 'lite', path: 'a\0b' }, 'memory.path: holds a NUL character'],
    ['an unknown key', { mode: 'lite', embedings: {} }, 'memory.embedings: is no key of this block. Mend its spelling'],
    [
      'an unknown nested key',
      { ...JOURNAL, embeddings: { ...EMBEDDINGS, dims: 3 } },
      'memory.embeddings.dims: is no key',
    ],
    ['embeddings in lite', { mode: 'lite', embeddings: EMBEDDINGS }, 'memory.embeddings: is not part of lite'],
    ['llm in lite', { mode: 'lite', llm: LLM }, 'memory.llm: is not part of lite'],
    [
      'consolidation in lite',
      { mode: 'lite', consolidation: { enabled: false } },
      'memory.consolidation: is not part of lite',
    ],
    ['capture in lite', { mode: 'lite', capture: {} }, 'memory.capture: is not part of lite'],
    ['profile in lite', { mode: 'lite', profile: { enabled: true } }, 'memory.profile.enabled: is not part of lite'],
    [
      'intentExpiry in lite',
      { mode: 'lite', recall: { intentExpiry: true } },
      'memory.recall.intentExpiry: is not part of lite',
    ],
    ['recency in journal', { ...JOURNAL, recall: { recency: true } }, 'memory.recall.recency: is not part of journal'],
    ['writeMode capture in lite', { mode: 'lite', writeMode: 'capture' }, 'memory.writeMode: `capture` needs bujo'],
    ['journal without embeddings', { mode: 'journal' }, 'memory.embeddings: is required in journal'],
    ['llm in journal', { ...JOURNAL, llm: LLM }, 'memory.llm: is not part of journal'],
    ['consolidation in journal', { ...JOURNAL, consolidation: {} }, 'memory.consolidation: is not part of journal'],
    ['bujo without embeddings', { mode: 'bujo', llm: LLM }, 'memory.embeddings: is required in bujo'],
    ['bujo without llm', { mode: 'bujo', embeddings: EMBEDDINGS }, 'memory.llm: is required in bujo'],
    [
      'capture without its writeMode',
      { ...BUJO, capture: { cron: false } },
      'memory.capture: needs writeMode `capture`',
    ],
    [
      'an endpoint for agent-host',
      { ...BUJO, llm: { provider: 'agent-host', model: 'm', endpoint: 'http://localhost' } },
      'memory.llm.endpoint',
    ],
    ['maxBytes below its bound', { mode: 'lite', maxBytes: 1_023 }, 'memory.maxBytes'],
    ['a timeout below its bound', { ...BUJO, llm: { ...LLM, timeoutMs: 999 } }, 'memory.llm.timeoutMs'],
    ['a timeout above its bound', { ...BUJO, llm: { ...LLM, timeoutMs: 600_001 } }, 'memory.llm.timeoutMs'],
    [
      'a focus above its limit',
      { ...BUJO, writeMode: 'capture', capture: { focus: `${'é'.repeat(1_024)}x` } },
      'memory.capture.focus',
    ],
    [
      'contextTokens below its bound',
      { ...JOURNAL, embeddings: { contextTokens: 15 } },
      'memory.embeddings.contextTokens',
    ],
    [
      'an unknown instruction',
      { ...JOURNAL, embeddings: { instructions: { title: '' } } },
      'memory.embeddings.instructions.title',
    ],
    ['another backend', { mode: 'lite', backend: 'mem0' }, 'memory.backend'],
  ])('%s', (_name, input, message) => {
    expect(faultOf(input)).toContain(message)
  })

  test('all violations at once', () => {
    const fault = faultOf({ mode: 'lite', embeddings: EMBEDDINGS, llm: LLM })
    expect(fault).toContain('memory.embeddings')
    expect(fault).toContain('memory.llm')
  })

  test('a value is never repeated: it may be a secret', () => {
    const secret = 'sk-live-1234567890'
    expect(faultOf({ ...JOURNAL, embeddings: { provider: secret, apiKey: 7, endpoint: secret } })).not.toContain(secret)
  })
})

test('instructions and context of the model are kept as they are written', () => {
  const embeddings = { instructions: { document: '', query: 'ask: ' }, contextTokens: 16 }
  expect(parseMemoryConfig({ ...JOURNAL, embeddings }).config.embeddings).toMatchObject(embeddings)
})

test('retired keys are ignored and said', () => {
  const { config, warnings } = parseMemoryConfig({ mode: 'lite', reflection: { x: 1 }, migration: true })
  expect(config.mode).toBe('lite')
  expect(warnings).toEqual([
    'memory.reflection is retired and was ignored. Remove it.',
    'memory.migration is retired and was ignored. Remove it.',
  ])
})
