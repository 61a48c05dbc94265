import { MemoryError } from '@mono-agent/memory-bujo'
import { describe, expect, test } from 'vitest'
import { recallTool } from '../../src/tools/recall.js'
import { recallOutput } from '../../src/tools/recall-schema.js'
import type { HandOff, OriginalUnavailable } from '../../src/types.js'
import { hit, outcome, recallTurn } from './support/recall-turn.js'

describe('input: a query or the original one, strictly (REC-11, 12)', () => {
  test.each([
    ['a query', { query: 'Ana' }],
    ['one of another script', { query: '茶' }],
    ['one that is all punctuation', { query: '?!' }],
    ['one that is very long', { query: 'x'.repeat(100_000) }],
    ['with filters', { query: 'tea', kind: 'preference', about: 'person:ana' }],
    ['the original', { useOriginalQuery: true }],
    ['the original with filters', { useOriginalQuery: true, kind: 'lesson', about: 'Ana' }],
    ['a name of 512 units', { query: 'x', about: 'a'.repeat(512) }],
  ])('%s is searched', async (_name, input) => {
    const turn = recallTurn()
    const { isError } = await turn.tool.handle(input)
    expect(isError).toBeUndefined()
    expect(turn.asked).toHaveLength(1)
  })

  test.each<[string, unknown]>([
    ['nothing', {}],
    ['no object', 'Ana'],
    ['null', null],
    ['both', { query: 'Ana', useOriginalQuery: true }],
    ['not the original', { useOriginalQuery: false }],
    ['an empty query', { query: '' }],
    ['a blank query', { query: ' \n\t' }],
    ['a query that is no text', { query: 1 }],
    ['another kind', { query: 'x', kind: 'fact' }],
    ['an empty name', { query: 'x', about: '' }],
    ['a name of 513 units', { query: 'x', about: 'a'.repeat(513) }],
    ['filters alone', { kind: 'lesson' }],
    ['a field that there is not', { query: 'x', limit: 50 }],
  ])('%s is refused, and nothing is asked', async (_name, input) => {
    const turn = recallTurn()
    const result = await turn.tool.handle(input)
    expect(result.isError).toBe(true)
    expect(result.structured).toMatchObject({ error: { code: 'input_invalid' } })
    expect(recallOutput.safeParse(result.structured).success).toBe(true)
    expect(turn.lookedFor).toEqual([])
    expect(turn.asked).toEqual([])
    expect(turn.delivered).toEqual([])
  })
})

describe('what is asked of the turn (REC-12, 13)', () => {
  test('a query by the shared lookup, with its filters, within the limit', async () => {
    const turn = recallTurn()
    const { signal } = new AbortController()
    await turn.tool.handle({ query: 'tea', kind: 'preference', about: 'person:ana' }, { signal })
    expect(turn.lookedFor).toEqual([{ query: 'tea', options: { kind: 'preference', about: 'person:ana', signal } }])
    expect(turn.asked).toEqual([{ limit: 10, scopes: ['agent', 'user:u1'], kind: 'preference', about: 'person:ana' }])
  })

  test('the original uncut, and no lookup of its own', async () => {
    const turn = recallTurn()
    await turn.tool.handle({ useOriginalQuery: true })
    expect(turn.lookedFor).toEqual([])
    expect(turn.asked).toEqual([{ limit: 10, scopes: ['agent', 'user:u1'], uncut: true }])
  })

  test.each<[OriginalUnavailable, string, RegExp]>([
    ['written', 'original_unavailable', /written to in this turn.*with `query`/],
    ['empty', 'original_unavailable', /asks nothing.*with `query`/],
    ['no_turn', 'original_unavailable', /no turn.*with `query`/],
    ['ended', 'turn_ended', /over/],
  ])('the original is unavailable: %s', async (reason, code, words) => {
    const turn = recallTurn({ original: reason })
    const result = await turn.tool.handle({ useOriginalQuery: true })
    expect(result.isError).toBe(true)
    expect(result.structured).toMatchObject({ error: { code } })
    expect(result.text).toMatch(words)
    expect(turn.asked).toEqual([])
  })

  test('what was shown is delivered, once, with the words', async () => {
    const turn = recallTurn({ answer: outcome([hit(), hit({ id: 'm2', text: 'Tea.' })]) })
    const { text } = await turn.tool.handle({ query: 'Ana' })
    expect(turn.delivered).toEqual([{ ids: ['m1', 'm2'], text }])
  })
})

describe('a turn that is over', () => {
  test('is refused, and nothing is asked', async () => {
    const turn = recallTurn()
    turn.end()
    const result = await turn.tool.handle({ query: 'Ana' })
    expect(result.structured).toMatchObject({ error: { code: 'turn_ended' } })
    expect(turn.lookedFor).toEqual([])
  })

  test.each([{ query: 'Ana' }, { useOriginalQuery: true }])('that ends meanwhile shows nothing: %j', async (input) => {
    const turn = recallTurn({ meanwhile: () => turn.end() })
    const result = await turn.tool.handle(input)
    expect(result.structured).toMatchObject({ error: { code: 'turn_ended' } })
    expect(turn.asked).toEqual([])
    expect(turn.delivered).toEqual([])
  })
})

describe('failures are a degraded answer, never a raw error (REC-8)', () => {
  const SECRET = '/home/ana/.memory token=abc'
  test.each<[string, Error, string]>([
    ['of the store', new MemoryError('store_closed', SECRET), 'store_closed'],
    ['of anything else', new Error(SECRET), 'memory_unavailable'],
  ])('%s', async (_name, error, reason) => {
    const fails = () => {
      throw error
    }
    for (const turn of [recallTurn({ answer: fails }), recallTurn({ meanwhile: fails })]) {
      const result = await turn.tool.handle({ query: 'Ana' })
      expect(result).toMatchObject({ isError: true, structured: { hits: [], sections: [], degraded: { reason } } })
      expect(result.text).toMatch(new RegExp(`^Degraded answer \\(${reason}\\): `))
      expect(JSON.stringify(result)).not.toContain('ana')
      expect(recallOutput.safeParse(result.structured).success).toBe(true)
      expect(turn.delivered).toEqual([])
    }
  })

  test('a filter that there is not can be mended', async () => {
    const turn = recallTurn({
      meanwhile: () => {
        throw new MemoryError('unsupported_in_tier', SECRET)
      },
    })
    const result = await turn.tool.handle({ query: 'Ana', kind: 'lesson' })
    expect(result.structured).toMatchObject({ error: { code: 'unsupported_in_tier' } })
    expect(result.text).toContain('Leave `kind` and `about` out')
    expect(result.text).not.toContain(SECRET)
  })

  test('a cancelled call says so', async () => {
    const cancel = new AbortController()
    const turn = recallTurn({
      meanwhile: () => {
        cancel.abort()
        throw new Error('aborted')
      },
    })
    const result = await turn.tool.handle({ query: 'Ana' }, { signal: cancel.signal })
    expect(result.structured).toMatchObject({ error: { code: 'aborted' } })
  })
})

test('a memory without labels does not offer what it could only refuse', async () => {
  const { tool } = recallTurn({ hasLabels: false })
  expect(Object.keys(tool.inputSchema.shape)).toEqual(['query', 'useOriginalQuery'])
  const { isError, text } = await tool.handle({ query: 'tea', kind: 'preference' })
  expect({ isError, text }).toEqual({ isError: true, text: expect.stringContaining('kind') as string })
  expect((await tool.handle({ query: 'tea' })).isError).toBeUndefined()
})

describe('where else to look, only if it is there (REC-11)', () => {
  const WORDS = { run: 'runs_search', chat: 'active chat', journal: 'MemoryJournal' }
  test.each<[HandOff, boolean, (keyof typeof WORDS)[]]>([
    [{}, false, []],
    [{ runHistory: 'runs_search' }, false, ['run']],
    [{ activeChat: true }, false, ['chat']],
    [{ activeChat: false }, true, ['journal']],
    [{ runHistory: 'runs_search', activeChat: true }, true, ['run', 'chat', 'journal']],
  ])('%j, journal %s', async (handOff, hasJournal, expected) => {
    const { tool } = recallTurn({ handOff, hasJournal, answer: outcome([]) })
    const empty = (await tool.handle({ query: 'x' })).text
    for (const [name, words] of Object.entries(WORDS)) {
      const isThere = expected.includes(name as keyof typeof WORDS)
      expect(tool.description.includes(words), `description: ${name}`).toBe(isThere)
      expect(empty.includes(words), `empty: ${name}`).toBe(isThere && name !== 'journal')
    }
    expect(empty).toMatch(/^Nothing was found/)
  })

  test('the description asks for one topic, without the name of the owner, and warns', () => {
    const { description, isReadOnly } = recallTool(recallTurn().port)
    expect(isReadOnly).toBe(true)
    expect(description).toMatch(/one short, specific topic a call/)
    expect(description).toMatch(/owner's name out unless the question is about the owner/)
    expect(description).toMatch(/A related hit is no answer/)
    expect(description).toMatch(/untrusted evidence/)
  })
})
