import fc from 'fast-check'
import { expect, test } from 'vitest'
import { MAX_LINES, MAX_SESSIONS, Sessions } from '../../src/turn/sessions.js'

const cold = { id: 's', state: 'cold' } as const
const retained = { id: 's', state: 'retained' } as const
const lines = (count: number, from = 0) => Array.from({ length: count }, (_, i) => `line ${from + i}`)

test('a session that nobody seeded is lost', () => {
  expect(new Sessions().open(retained).served).toBeUndefined()
})

test('what a succeeded turn sent is served, and what others sent is added', () => {
  const sessions = new Sessions()
  const first = sessions.open(cold)
  expect(first.served).toMatchObject({ profile: '' })
  first.commit(['a'], 'p')
  expect(sessions.open(retained).served).toEqual({ lines: new Set(['a']), profile: 'p' })
  sessions.open(retained).commit(['b'])
  expect(sessions.open(retained).served).toEqual({ lines: new Set(['a', 'b']), profile: 'p' })
})

test('a turn that does not succeed leaves no receipt', () => {
  const sessions = new Sessions()
  sessions.open(cold).commit(['a'])
  sessions.open(retained) // and fails
  expect(sessions.open(retained).served?.lines).toEqual(new Set(['a']))
})

test('a cold turn that does not succeed leaves the session lost, whatever was known before', () => {
  const sessions = new Sessions()
  sessions.open(cold).commit(['a'])
  sessions.open(cold)
  expect(sessions.open(retained).served).toBeUndefined()
})

test('a cold turn begins with nothing', () => {
  const sessions = new Sessions()
  sessions.open(cold).commit(['a'], 'p')
  const again = sessions.open(cold)
  expect(again.served).toEqual({ lines: new Set(), profile: '' })
  again.commit(['b'])
  expect(sessions.open(retained).served).toEqual({ lines: new Set(['b']), profile: '' })
})

test.each([
  { name: 'reset', forget: (sessions: Sessions) => sessions.reset('s') },
  { name: 'forgotten with all', forget: (sessions: Sessions) => sessions.clear() },
])('a session that is $name stays lost, also for a turn that was under way', ({ forget }) => {
  const sessions = new Sessions()
  sessions.open(cold).commit(['a'])
  const underWay = sessions.open(retained)
  forget(sessions)
  underWay.commit(['b'])
  expect(sessions.open(retained).served).toBeUndefined()
  sessions.open(cold).commit(['c'])
  expect(sessions.open(retained).served?.lines).toEqual(new Set(['c']))
})

test('of two cold turns side by side only the later one seeds', () => {
  const sessions = new Sessions()
  const earlier = sessions.open(cold)
  const later = sessions.open(cold)
  earlier.commit(['a'])
  expect(sessions.open(retained).served).toBeUndefined()
  later.commit(['b'])
  expect(sessions.open(retained).served?.lines).toEqual(new Set(['b']))
})

test('two turns side by side add up', () => {
  const sessions = new Sessions()
  sessions.open(cold).commit(['a'], 'p')
  const [one, two] = [sessions.open(retained), sessions.open(retained)]
  one.commit(['b'])
  expect(two.served?.lines).toEqual(new Set(['a'])) // what it was made from
  two.commit(['c'], 'q')
  expect(sessions.open(retained).served).toEqual({ lines: new Set(['a', 'b', 'c']), profile: 'q' })
})

test('two turns that gave different profiles leave none that counts as served', () => {
  const sessions = new Sessions()
  sessions.open(cold).commit([], 'p')
  const [one, two] = [sessions.open(retained), sessions.open(retained)]
  one.commit([], 'q')
  two.commit([], 'r')
  expect(['p', 'q', 'r', '']).not.toContain(sessions.open(retained).served?.profile)
})

test('two turns that gave the same profile leave it served', () => {
  const sessions = new Sessions()
  sessions.open(cold).commit([], 'p')
  const [one, two] = [sessions.open(retained), sessions.open(retained)]
  one.commit([], 'q')
  two.commit([], 'q')
  expect(sessions.open(retained).served?.profile).toBe('q')
})

test.each([
  { name: 'below', count: MAX_LINES - 1, isKnown: true },
  { name: 'at', count: MAX_LINES, isKnown: true },
  { name: 'above', count: MAX_LINES + 1, isKnown: false },
])('$name the bound of lines a session is known: $isKnown', ({ count, isKnown }) => {
  expect(MAX_LINES).toBe(256)
  const sessions = new Sessions()
  sessions.open(cold).commit(lines(200))
  sessions.open(retained).commit(lines(count - 100, 100))
  expect(sessions.open(retained).served !== undefined).toBe(isKnown)
  expect(sessions.open(retained).served?.lines.size).toBe(isKnown ? count : undefined)
})

test('a full session stays so until it is seeded anew', () => {
  const sessions = new Sessions()
  sessions.open(cold).commit([])
  const underWay = sessions.open(retained)
  sessions.open(retained).commit(lines(MAX_LINES + 1))
  underWay.commit(['a'])
  expect(sessions.open(retained).served).toBeUndefined()
  sessions.open(cold).commit(['a'])
  expect(sessions.open(retained).served?.lines).toEqual(new Set(['a']))
})

test('more sessions than are kept lose the one used longest ago', () => {
  expect(MAX_SESSIONS).toBe(256)
  const sessions = new Sessions()
  const isKnown = (id: string) => sessions.open({ id, state: 'retained' }).served !== undefined
  for (let i = 0; i < MAX_SESSIONS; i++) sessions.open({ id: `${i}`, state: 'cold' }).commit([])
  expect(isKnown('0')).toBe(true) // used again
  sessions.open({ id: 'one more', state: 'cold' }).commit([])
  expect([isKnown('0'), isKnown('1'), isKnown('2'), isKnown('one more')]).toEqual([true, false, true, true])
})

/** Turns that begin and end in any order: a session never counts as holding what no succeeded turn has sent since it was seeded. */
test('receipts are never more than what was sent', () => {
  const steps = fc.array(
    fc.record({ turn: fc.nat(5), does: fc.constantFrom('cold', 'retained', 'succeed', 'fail', 'reset') }),
    { maxLength: 60 },
  )
  fc.assert(
    fc.property(steps, (script) => {
      const sessions = new Sessions()
      const turns = new Map<number, { view: ReturnType<Sessions['open']>; seed: number; sent: string }>()
      const sentOf = new Map<number, Set<string>>() // by seed
      let seed = 0
      let count = 0
      for (const { turn, does } of script) {
        if (does === 'cold' || does === 'retained') {
          if (does === 'cold') seed += 1
          const view = sessions.open({ id: 's', state: does })
          for (const line of view.served?.lines ?? []) expect(sentOf.get(seed)).toContain(line)
          turns.set(turn, { view, seed, sent: `line ${(count += 1)}` })
        } else if (does === 'reset') {
          seed += 1
          sessions.reset('s')
        } else {
          const ended = turns.get(turn)
          turns.delete(turn)
          if (does === 'fail' || ended?.view.served === undefined) continue
          sentOf.set(ended.seed, (sentOf.get(ended.seed) ?? new Set()).add(ended.sent))
          ended.view.commit([ended.sent])
        }
      }
    }),
  )
})
