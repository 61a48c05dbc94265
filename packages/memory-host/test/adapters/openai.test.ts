import { createRequire } from 'node:module'
import type { ChatCompletionTool } from 'openai/resources/chat/completions'
import type { FunctionTool } from 'openai/resources/responses/responses'
import { describe, expect, test } from 'vitest'
import { inputSchemaOf, outputSchemaOf } from '../../src/adapters/json-schema.js'
import { callOpenAiTool, toOpenAiResponsesTools, toOpenAiTools } from '../../src/adapters/openai.js'
import { strictSchema } from '../../src/adapters/strict-schema.js'
import { fakeTools } from './support/fake-tools.js'

type Validate = (value: unknown) => boolean
type AjvClass = new (options: object) => { compile(schema: object): Validate }

/** The validator that comes with the MCP SDK. */
const sdkRequire = createRequire(createRequire(import.meta.url).resolve('@modelcontextprotocol/sdk/server/mcp.js'))
const { default: Ajv2020 } = sdkRequire('ajv/dist/2020') as { default: AjvClass }
const validatorOf = (schema: object): Validate => new Ajv2020({ strict: true, allErrors: true }).compile(schema)

describe('schemas', () => {
  test.each(fakeTools().tools.map((tool) => ({ name: tool.name, tool })))(
    '$name has schemas that are valid JSON Schema 2020-12',
    ({ tool }) => {
      for (const schema of [inputSchemaOf(tool), outputSchemaOf(tool), strictSchema(inputSchemaOf(tool))]) {
        expect(() => validatorOf(schema)).not.toThrow()
        expect(schema).not.toHaveProperty('$schema')
      }
    },
  )

  test('for Chat Completions', () => {
    const tools: ChatCompletionTool[] = toOpenAiTools(fakeTools().tools)
    expect(tools[0]).toEqual({
      type: 'function',
      function: {
        name: 'MemoryRecall',
        description: 'Description of MemoryRecall.',
        strict: true,
        parameters: {
          type: 'object',
          properties: {
            query: { description: 'What to look for.', anyOf: [{ type: 'string' }, { type: 'null' }] },
            useOriginalQuery: { anyOf: [{ type: 'boolean', const: true }, { type: 'null' }] },
            kind: { anyOf: [{ type: 'string', enum: ['preference', 'lesson'] }, { type: 'null' }] },
          },
          required: ['query', 'useOriginalQuery', 'kind'],
          additionalProperties: false,
        },
      },
    })
  })

  test('for Responses, and for services without the strict mode', () => {
    const tools: FunctionTool[] = toOpenAiResponsesTools(fakeTools().tools, { strict: false })
    expect(tools[2]).toEqual({
      type: 'function',
      name: 'Remember',
      description: 'Description of Remember.',
      strict: false,
      parameters: {
        type: 'object',
        properties: { text: { type: 'string', minLength: 1, maxLength: 64, description: 'One sentence.' } },
        required: ['text'],
        additionalProperties: false,
      },
    })
  })

  test('strict ones reach into lists and unions', () => {
    const item = { type: 'object', properties: { a: { type: 'string', minLength: 1 } } } as const
    const strict = { type: 'object', required: ['a'], additionalProperties: false }
    const { properties } = strictSchema({
      type: 'object',
      properties: { list: { type: 'array', items: item }, either: { anyOf: [item, { type: 'string' }] } },
      required: ['list', 'either'],
    }) as unknown as { properties: { list: { items: object }; either: { anyOf: object[] } } }
    expect(properties.list.items).toMatchObject(strict)
    expect(properties.either.anyOf[0]).toMatchObject(strict)
    expect(JSON.stringify(properties)).not.toContain('minLength')
  })

  test('two tools of one name are refused', () => {
    const { tools } = fakeTools()
    expect(() => toOpenAiTools([...tools, ...tools])).toThrow(TypeError)
    expect(() => toOpenAiResponsesTools([...tools, ...tools])).toThrow(TypeError)
  })
})

describe('a call', () => {
  test.each([
    { name: 'as asked', json: '{"query":"tea"}', input: { query: 'tea' } },
    {
      name: 'with nulls for what is left out',
      json: '{"query":"tea","kind":null,"useOriginalQuery":null}',
      input: { query: 'tea' },
    },
    { name: 'of nothing', json: '', input: {} },
    { name: 'of spaces', json: ' \n', input: {} },
  ])('$name reaches the tool', async ({ json, input }) => {
    const { tools, calls } = fakeTools()
    const result = await callOpenAiTool(tools, 'MemoryRecall', json)
    expect(result).toMatchObject({ structured: { status: 'ok' } })
    expect(calls.map((call) => call.input)).toEqual([input])
  })

  test.each([
    { name: 'no JSON', json: '{"query":' },
    { name: 'a list', json: '[]' },
    { name: 'a number', json: '1' },
    { name: 'null', json: 'null' },
    { name: 'text', json: '"tea"' },
  ])('of $name is a result that says so', async ({ json }) => {
    const { tools, calls } = fakeTools()
    expect(await callOpenAiTool(tools, 'MemoryRecall', json)).toMatchObject({
      isError: true,
      text: expect.stringContaining('not one JSON object'),
    })
    expect(calls).toEqual([])
  })

  test('of a tool that there is not is a result that names the tools', async () => {
    expect(await callOpenAiTool(fakeTools().tools, 'constructor', '{}')).toEqual({
      isError: true,
      text: 'There is no tool of this name. Tools: MemoryRecall, MemoryJournal, Remember.',
    })
  })

  test('of a wrong field is told by the tool', async () => {
    expect(await callOpenAiTool(fakeTools().tools, 'Remember', '{"text":5}')).toMatchObject({
      isError: true,
      text: 'Mend Remember.',
    })
  })

  test('passes the signal on', async () => {
    const { tools, calls } = fakeTools()
    const { signal } = new AbortController()
    await callOpenAiTool(tools, 'MemoryRecall', '{}', { signal })
    expect(calls[0]?.signal).toBe(signal)
  })
})
