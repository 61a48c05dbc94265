import { describe, expect, test } from 'vitest'
import { parseMemoryConfig } from '@mono-agent/memory-bujo'
import { environmentVariables, environmentWarnings, withEnvironment } from '../src/configuration/environment.js'

const NAMES = environmentVariables().map(({ name }) => name)

describe('the variables (CFG-4)', () => {
  test.each([
    'MONO_AGENT_MEMORY_MODE',
    'MONO_AGENT_MEMORY_WRITE_MODE',
    'MONO_AGENT_MEMORY_EMBEDDINGS_PROVIDER',
    'MONO_AGENT_MEMORY_EMBEDDINGS_MODEL',
    'MONO_AGENT_MEMORY_EMBEDDINGS_ENDPOINT',
    'MONO_AGENT_MEMORY_EMBEDDINGS_DIM',
    'MONO_AGENT_MEMORY_EMBEDDINGS_API_KEY_ENV',
    'MONO_AGENT_MEMORY_EMBEDDINGS_CONTEXT_TOKENS',
    'MONO_AGENT_MEMORY_EMBEDDINGS_INSTRUCTIONS_QUERY',
    'MONO_AGENT_MEMORY_LLM_MODEL',
    'MONO_AGENT_MEMORY_LLM_TIMEOUT_MS',
    'MONO_AGENT_MEMORY_CONSOLIDATION_CRON',
    'MONO_AGENT_MEMORY_RECALL_TOOL_ENABLED',
  ])('%s is one', (name) => expect(NAMES).toContain(name))

  test('no two keys share one', () => expect(new Set(NAMES).size).toBe(NAMES.length))

  test('blocks have none', () => expect(NAMES).not.toContain('MONO_AGENT_MEMORY_EMBEDDINGS'))

  test.each([
    { name: 'EMBEDDINGS_DIM', value: '512', key: { embeddings: { dim: 512 } } },
    { name: 'EMBEDDINGS_DIM', value: '5e2', key: { embeddings: { dim: '5e2' } } },
    { name: 'RECALL_TOOL_ENABLED', value: 'false', key: { recallTool: { enabled: false } } },
    { name: 'RECALL_TOOL_ENABLED', value: 'no', key: { recallTool: { enabled: 'no' } } },
    { name: 'CAPTURE_ONLY', value: 'fact, lesson', key: { capture: { only: ['fact', 'lesson'] } } },
    { name: 'EMBEDDINGS_INSTRUCTIONS_QUERY', value: 'q: ', key: { embeddings: { instructions: { query: 'q: ' } } } },
  ])('$name=$value', ({ name, value, key }) => {
    expect(withEnvironment({}, { [`MONO_AGENT_MEMORY_${name}`]: value })).toEqual(key)
  })

  test('one key of a block goes over the others; the block that was given stays as it was', () => {
    const block = { mode: 'journal', embeddings: { model: 'bge-m3', dim: 1024 } }
    const merged = withEnvironment(block, { MONO_AGENT_MEMORY_EMBEDDINGS_MODEL: 'other' })
    expect(merged).toEqual({ mode: 'journal', embeddings: { model: 'other', dim: 1024 } })
    expect(block.embeddings.model).toBe('bge-m3')
  })

  test.each([7, 'x', [1]])('a block that is none (%j) is left for the schema to refuse', (embeddings) => {
    const merged = withEnvironment({ mode: 'journal', embeddings }, { MONO_AGENT_MEMORY_EMBEDDINGS_DIM: '3' })
    expect(merged).toEqual({ mode: 'journal', embeddings })
    expect(() => parseMemoryConfig(merged)).toThrow(expect.objectContaining({ code: 'config_invalid' }) as Error)
  })
})

test.each([
  { name: 'MONO_AGENT_MEMORY_MODE', warning: undefined },
  { name: 'MEMORY_MODE', warning: undefined },
  { name: 'MONO_AGENT_MEMORY_MODLE', warning: 'is no key' },
  { name: 'MONO_AGENT_MEMORY_REFLECTION_CRON', warning: 'is retired' },
  { name: 'MONO_AGENT_MEMORY_MIGRATION', warning: 'is retired' },
])('$name warns: $warning; never with the value', ({ name, warning }) => {
  const warnings = environmentWarnings({ [name]: 'sk-secret' })
  expect(warnings).toEqual(warning === undefined ? [] : [expect.stringContaining(`${name} ${warning}`)])
  expect(warnings.join()).not.toContain('secret')
  expect(environmentWarnings({ [name]: '' })).toEqual([])
})
