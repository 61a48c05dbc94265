import { describe, expect, test } from 'vitest'
import { contextLimitOf } from '../../src/embedding/context-limit.js'
import { identityOf } from '../../src/embedding/fingerprint.js'
import { instructionsOf } from '../../src/embedding/instructions.js'
import { familyOf, MODEL_FAMILIES } from '../../src/embedding/model-families.js'
import { createEmbeddingProvider, identityOfConfig, isEnglishCentred, MULTILINGUAL_MODELS } from '../../src/index.js'
import { ManualClock } from './support.js'

const NOMIC = ['search_document: ', 'search_query: ']
const E5 = ['passage: ', 'query: ']
const SENTENCE = ['', 'Represent this sentence for searching relevant passages: ']
const INSTRUCT = /^Instruct: .+\nQuery: ?$/

const NAMES: readonly [
  model: string,
  family: string | undefined,
  instructions: readonly (string | RegExp)[],
  english: boolean,
][] = [
  ['nomic-embed-text', 'nomic', NOMIC, true],
  ['nomic-embed-text:v1.5', 'nomic', NOMIC, true],
  ['text-embedding-nomic-embed-text-v1.5', 'nomic', NOMIC, true],
  ['hf.co/nomic-ai/nomic-embed-text-v1.5-GGUF:Q8_0', 'nomic', NOMIC, true],
  ['nomic-embed-text-v2-moe', 'nomic-v2', NOMIC, false],
  ['e5-large-v2', 'e5', E5, true],
  ['intfloat/e5-base', 'e5', E5, true],
  ['intfloat/multilingual-e5-large', 'multilingual-e5', E5, false],
  ['jeffh/intfloat-multilingual-e5-large:f16', 'multilingual-e5', E5, false],
  ['multilingual-e5-large-instruct', 'e5-instruct', ['', INSTRUCT], false],
  ['e5-mistral-7b-instruct', 'e5-mistral', ['', INSTRUCT], true],
  ['bge-m3', 'bge-m3', ['', ''], false],
  ['bge-m3:567m', 'bge-m3', ['', ''], false],
  ['BAAI/bge-large-en-v1.5', 'bge', SENTENCE, true],
  ['bge-large', 'bge', SENTENCE, true],
  ['bge-base-zh-v1.5', 'bge-zh', ['', '为这个句子生成表示以用于检索相关文章：'], false],
  ['mxbai-embed-large:335m', 'mxbai', SENTENCE, true],
  ['deepset-mxbai-embed-de-large-v1', 'mxbai-de', E5, false],
  ['snowflake-arctic-embed:m', 'arctic', SENTENCE, true],
  ['snowflake-arctic-embed2', 'arctic-2', ['', 'query: '], false],
  ['Snowflake/snowflake-arctic-embed-l-v2.0', 'arctic-2', ['', 'query: '], false],
  ['qwen3-embedding:0.6b', 'qwen3', ['', INSTRUCT], false],
  ['text-embedding-qwen3-embedding-0.6b', 'qwen3', ['', INSTRUCT], false],
  ['gte-Qwen2-7B-instruct', 'gte-qwen', ['', INSTRUCT], false],
  ['embeddinggemma:300m', 'embeddinggemma', ['title: none | text: ', 'task: search result | query: '], false],
  ['text-embedding-embeddinggemma-300m', 'embeddinggemma', ['title: none | text: ', /^task: /], false],
  ['gte-large', 'gte', ['', ''], true],
  ['gte-multilingual-base', 'gte-multilingual', ['', ''], false],
  ['jina/jina-embeddings-v2-small-en', 'jina-english', ['', ''], true],
  ['jina-embeddings-v3', 'jina', ['', ''], false],
  ['text-embedding-3-small', 'openai-3', ['', ''], false],
  ['text-embedding-ada-002', 'openai-ada', ['', ''], false],
  ['all-minilm:33m', 'minilm', ['', ''], true],
  ['paraphrase-multilingual', 'minilm-multilingual', ['', ''], false],
  ['paraphrase-multilingual-MiniLM-L12-v2', 'minilm-multilingual', ['', ''], false],
  ['granite-embedding:30m', 'granite', ['', ''], true],
  ['granite-embedding:278m', 'granite-multilingual', ['', ''], false],
  ['universal-sentence-encoder', undefined, ['', ''], false],
  ['bge-of-my-own', undefined, ['', ''], false],
  ['some5-model', undefined, ['', ''], false],
  ['UAE-Large-V1', 'uae', SENTENCE, true],
]

describe('the family of a model, by whatever name a service gives it', () => {
  test.each(NAMES)('%s is %s', (model, family, [document, query], english) => {
    expect(familyOf(model)?.name).toBe(family)
    const found = instructionsOf(model)
    expect(found.document).toBe(document)
    if (typeof query === 'string') expect(found.query).toBe(query)
    else expect(found.query).toMatch(query as RegExp)
    expect(isEnglishCentred(model)).toBe(english)
  })

  test('every family of the table is among them', () => {
    const reached = new Set(NAMES.map(([model]) => familyOf(model)))
    expect(MODEL_FAMILIES.filter((family) => !reached.has(family))).toEqual([])
  })

  test('every model that is recommended is known, and not English-centred', () => {
    for (const model of Object.values(MULTILINGUAL_MODELS).flat()) {
      expect(familyOf(model)).toBeDefined()
      expect(isEnglishCentred(model)).toBe(false)
    }
  })
})

test.each([
  { override: {}, expected: { document: 'passage: ', query: 'query: ' } },
  { override: { query: 'ask: ' }, expected: { document: 'passage: ', query: 'ask: ' } },
  { override: { document: '', query: '' }, expected: { document: '', query: '' } },
])('$override overrides the table', ({ override, expected }) => {
  expect(instructionsOf('e5-base', override)).toEqual(expected)
})

describe('the fingerprint', () => {
  const origin = { provider: 'ollama', model: 'm', dimension: 768, instructions: { document: 'd', query: 'q' } }

  test('never changes: it stands in every index', () => {
    expect(identityOf(origin).fingerprint).toBe('78df69f11b06913fa5aa421b531fc141ee08aaed291da5d5b2ee44c138de7a93')
  })

  test.each([
    { provider: 'openai' },
    { model: 'm:latest' },
    { dimension: 767 },
    { instructions: { document: 'd', query: '' } },
    { instructions: { document: '', query: 'q' } },
    { instructions: { document: 'q', query: 'd' } },
    { instructions: 'dq' },
  ])('%o makes another', (change) => {
    expect(identityOf({ ...origin, ...change }).fingerprint).not.toBe(identityOf(origin).fingerprint)
  })

  test.each(['ollama', 'lm-studio', 'openai'] as const)(
    'of a configuration is that of its provider: %s',
    (provider) => {
      const config = { provider, model: 'e5-base', dim: 8, endpoint: 'http://host', instructions: { query: 'ask: ' } }
      expect(identityOfConfig(config)).toEqual(createEmbeddingProvider(config, new ManualClock()).identity)
      expect(identityOfConfig({ ...config, instructions: undefined })).not.toEqual(identityOfConfig(config))
    },
  )
})

test.each([
  { model: 'nomic-embed-text', contextTokens: undefined, likelyBytes: 6_120, certainBytes: 2_040 },
  { model: 'e5-base', contextTokens: undefined, likelyBytes: 1_512, certainBytes: 504 },
  { model: 'e5-base', contextTokens: 1_024, likelyBytes: 3_048, certainBytes: 1_016 },
  { model: 'unknown', contextTokens: undefined, likelyBytes: 6_120, certainBytes: 504 },
  { model: 'unknown', contextTokens: 16, likelyBytes: 24, certainBytes: 8 },
])('$model with $contextTokens tokens: $likelyBytes bytes, $certainBytes for certain', (one) => {
  const { model, contextTokens, ...limit } = one
  expect(contextLimitOf(model, contextTokens)).toEqual(limit)
})
