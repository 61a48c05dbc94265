import { describe, expect, test } from 'vitest'
import { MemoryError, type Remembered, type RememberRequest } from '@mono-agent/memory-bujo'
import { z } from 'zod'
import { rememberOutput, rememberTool } from '../../src/tools/remember.js'
import type { MemoryTool } from '../../src/tools/memory-tool.js'
import { fakeTurn } from './support/fake-port.js'

const call = async (tool: MemoryTool, input: unknown) => {
  const result = await tool.handle(input)
  return { ...result, data: rememberOutput.parse(result.structured) }
}

/** A store that answers or fails as the test says; it keeps what it was asked. */
function storing(answer: Partial<Remembered> | Error = {}) {
  const asked: RememberRequest[] = []
  return {
    asked,
    remember: (request: RememberRequest): Promise<Remembered> => {
      asked.push(request)
      if (answer instanceof Error) return Promise.reject(answer)
      return Promise.resolve({ status: 'stored', id: 'm-1', text: request.text, ...answer })
    },
  }
}

const TEXT = 'Ana moved to Lund in May 2026; Ben said so on 2026-05-03, unsure of the day.'

describe('what is remembered (REC-25, REC-26)', () => {
  test('is echoed exactly as it is stored, with the conversation it came from', async () => {
    const stored = 'Ana’s flat: <b>no</b> ``` (recorded 2026-01-01)'
    const store = storing({ text: stored })
    const { port } = fakeTurn(store)
    const { isError, text, data } = await call(rememberTool(port, 'text'), { text: `  ${stored} ` })
    expect(isError).toBeUndefined()
    expect(text).toBe(`Stored as m-1: ${stored}`)
    expect(data).toEqual({ status: 'stored', id: 'm-1', text: stored })
    expect(store.asked).toEqual([{ text: `  ${stored} `, conversationId: 'web:1' }])
    expect(port.changes()).toBe(1)
  })

  test('a duplicate is said, and is no change', async () => {
    const { port } = fakeTurn(storing({ status: 'duplicate', id: 'm-7' }))
    const { isError, text, data } = await call(rememberTool(port, 'text'), { text: TEXT })
    expect(isError).toBeUndefined()
    expect(text).toBe(`Stored already as m-7, nothing was written: ${TEXT}`)
    expect(data).toEqual({ status: 'duplicate', id: 'm-7', text: TEXT })
    expect(port.changes()).toBe(0)
  })

  test('on a server without a turn no conversation is named', async () => {
    const store = storing()
    await call(rememberTool({ ...fakeTurn(store).port, conversationId: undefined }, 'text'), { text: TEXT })
    expect(store.asked).toEqual([{ text: TEXT }])
  })
})

describe('what it takes (REC-27)', () => {
  const all = { text: TEXT, about: 'person:ana', supersedes: 'm-3', replaceable: true }

  test.each([
    ['text alone', { text: TEXT }],
    ['about', { text: TEXT, about: 'Ana' }],
    ['supersedes', { text: TEXT, supersedes: 'm-3' }],
    ['replaceable', { text: TEXT, replaceable: true }],
    ['all of it', all],
  ])('detail: %s', async (_name, input) => {
    const store = storing()
    expect((await call(rememberTool(fakeTurn(store).port, 'detail'), input)).isError).toBeUndefined()
    expect(store.asked).toEqual([{ ...input, conversationId: 'web:1' }])
  })

  test.each([
    ['text', 'about', { text: TEXT, about: 'Ana' }, '"about"'],
    ['text', 'supersedes', { text: TEXT, supersedes: 'm-3' }, '"supersedes"'],
    ['text', 'replaceable', { text: TEXT, replaceable: false }, '"replaceable"'],
    ['text', 'no text', {}, 'text: '],
    ['text', 'text that is none', { text: 7 }, 'text: '],
    ['text', 'no object', TEXT, 'expected object'],
    ['detail', 'no text', { about: 'Ana' }, 'text: '],
    ['detail', 'nobody', { text: TEXT, about: '' }, 'about: '],
    ['detail', 'no memory', { text: TEXT, supersedes: '' }, 'supersedes: '],
    ['detail', 'a word for a boolean', { text: TEXT, replaceable: 'yes' }, 'replaceable: '],
    ['detail', 'an unknown field', { text: TEXT, superseeds: 'm-3' }, '"superseeds"'],
    ['detail', 'a conversation', { text: TEXT, conversationId: 'web:2' }, '"conversationId"'],
  ] as const)('%s: %s is refused with its mend, and the store is not asked', async (detail, _name, input, said) => {
    const store = storing()
    const { port } = fakeTurn(store)
    const { isError, text, data } = await call(rememberTool(port, detail), input)
    expect(isError).toBe(true)
    expect(data).toEqual({ error: { code: 'input_invalid', message: text } })
    expect(text).toContain(said)
    expect(store.asked).toEqual([])
    expect(port.changes()).toBe(0)
  })
})

describe('a failure', () => {
  const raw = 'disk full at /home/ana/.mono-agent/memory token=abc'
  const failing = (code: string, outcome?: 'not_written' | 'unknown') =>
    storing(new MemoryError(code, raw, outcome === undefined ? {} : { outcome }))

  test.each([
    ['sentence_invalid', 'one line of 1 to 2,048 bytes'],
    ['credential_rejected', 'without the secret'],
    ['person_unknown', 'No person of this id or whole name is known'],
    ['person_ambiguous', 'by its id'],
    ['target_unknown', 'no memory of the id in `supersedes`'],
    ['target_not_current', 'is history already'],
    ['not_replaceable', 'none that Remember may replace'],
    ['target_changed', 'Recall both'],
    ['lifecycle_full', 'Nothing more can be superseded'],
    ['unsupported_in_tier', 'takes `text` alone'],
    ['write_disabled', 'open for reading only'],
    ['store_closed', 'The memory is closed'],
  ])('%s says what to do, in words of its own', async (code, said) => {
    for (const outcome of ['not_written', undefined] as const) {
      const { port } = fakeTurn(failing(code, outcome))
      const { isError, text, data, structured } = await call(rememberTool(port, 'detail'), { text: TEXT })
      expect(isError).toBe(true)
      expect(data).toEqual({ error: { code, message: text } })
      expect(text).toContain(said)
      if (code !== 'target_changed') expect(text).toContain('Nothing was stored.')
      expect(JSON.stringify([text, structured])).not.toMatch(/disk|home|token=|Lund/)
      expect(port.changes()).toBe(0)
    }
  })

  test.each([
    ['storage_failed', 'not_written', 'remember_unavailable', 'nothing was stored', 0],
    ['storage_failed', 'unknown', 'remember_unavailable', 'again with the same words', 1],
    ['lease_lost', 'unknown', 'remember_unavailable', 'again with the same words', 1],
    ['lease_lost', 'not_written', 'remember_unavailable', 'nothing was stored', 0],
    ['something_new', undefined, 'remember_unavailable', 'again with the same words', 1],
    ['constructor', undefined, 'remember_unavailable', 'again with the same words', 1],
    ['store_closed', 'unknown', 'remember_unavailable', 'again with the same words', 1],
    ['target_changed', 'unknown', 'target_changed', 'may stand beside it', 1],
  ] as const)('%s with outcome %s is %s', async (code, outcome, told, said, changes) => {
    const { port } = fakeTurn(failing(code, outcome))
    const { isError, text, data, structured } = await call(rememberTool(port, 'detail'), { text: TEXT })
    expect(isError).toBe(true)
    expect(data.error?.code).toBe(told)
    expect(text).toContain(said)
    expect(JSON.stringify([text, structured])).not.toMatch(/disk|home|token=/)
    expect(port.changes()).toBe(changes) // where it may be stored, what was looked up before may be too little
  })

  test('that is none of the library’s is not passed on either', async () => {
    for (const error of [new Error(raw), new TypeError(raw)]) {
      const { text, isError } = await call(rememberTool(fakeTurn(storing(error)).port, 'text'), { text: TEXT })
      expect(isError).toBe(true)
      expect(text).not.toMatch(/disk|home|token=/)
    }
  })

  test('a backend that writes nothing says so', async () => {
    const { data } = await call(rememberTool(fakeTurn({}).port, 'text'), { text: TEXT })
    expect(data.error?.code).toBe('write_disabled')
  })

  test('after the end of the turn nothing is stored', async () => {
    const store = storing()
    const turn = fakeTurn(store)
    const tool = rememberTool(turn.port, 'text')
    turn.end()
    expect((await call(tool, { text: TEXT })).data.error?.code).toBe('turn_ended')
    expect(store.asked).toEqual([])
  })
})

describe('how the tool presents itself', () => {
  const fieldsOf = (tool: MemoryTool) =>
    (z.toJSONSchema(tool.inputSchema) as { properties: Record<string, { description?: string }> }).properties

  test.each([
    ['text', ['text']],
    ['detail', ['text', 'about', 'supersedes', 'replaceable']],
  ] as const)('%s: fields %j, each with its description', (detail, names) => {
    const tool = rememberTool(fakeTurn({}).port, detail)
    expect(Object.keys(fieldsOf(tool))).toEqual(names)
    for (const { description } of Object.values(fieldsOf(tool))) expect(description).toMatch(/\S{3}/)
    expect(tool).toMatchObject({ name: 'Remember', isReadOnly: false })
  })

  test.each(['text', 'detail'] as const)(
    '%s asks for source, author, date, doubt, and recall first; deletes nothing',
    (detail) => {
      const { description } = rememberTool(fakeTurn({}).port, detail)
      for (const word of [
        'self-contained',
        'known from',
        'whose words',
        'date',
        'doubt',
        'MemoryRecall first',
        'paraphrase',
        'nothing is edited or deleted',
      ]) {
        expect(description).toContain(word)
      }
      expect(description.includes('replaceable')).toBe(detail === 'detail')
    },
  )
})
