import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  admitEntries,
  formatReplayEntry,
  formatReplaySnapshot,
  isCompactionDue,
  MIN_FOLDED_DELTA_BYTES,
  parseReplayEntry,
  parseReplayLog,
  parseReplaySnapshot,
  REPLAY_BOUNDS,
  ReplayState,
  type ReplayEntry,
  type ReplayRefusal,
  type SupersedeEntry,
  type TerminalEntry,
  type ThreadEntry,
} from '../../src/index.js'
import { canonicalJson } from '../../src/format/canonical-json.js'
import { replayEntries } from './graph-arbitraries.js'

const common = { at: '2026-05-01T09:00:00.000Z', authority: { kind: 'capture', digest: 'a'.repeat(64) } } as const
const thread = (from: string, to: string, weight = 0.5): ThreadEntry => ({
  kind: 'thread',
  from,
  to,
  weight,
  ...common,
})
const supersede = (id: string, by: string): SupersedeEntry => ({ kind: 'supersede', id, by, ...common })
const terminal = (id: string): TerminalEntry => ({ kind: 'terminal', id, ...common })

function stateOf(entries: Iterable<ReplayEntry>, bounds = REPLAY_BOUNDS): ReplayState {
  const state = new ReplayState(bounds)
  for (const entry of entries) state.add(entry)
  return state
}

describe('one entry', () => {
  test.each([
    { name: 'a thread', entry: thread('a', 'b') },
    { name: 'a thread of weight 0', entry: thread('a', 'b', 0) },
    { name: 'a thread of weight 1', entry: thread('a', 'b', 1) },
    { name: 'a thread of a tiny weight', entry: thread('a', 'b', 5e-324) },
    { name: 'a supersession', entry: supersede('a', 'b') },
    { name: 'a terminal', entry: terminal('a') },
    { name: 'ids that JSON escapes', entry: supersede('"\\', '\\"') },
    { name: 'an id of 200 characters', entry: terminal('r'.repeat(200)) },
    {
      name: 'an adopted one',
      entry: { ...terminal('a'), authority: { kind: 'adopted', digest: '0'.repeat(64) } } as const,
    },
  ])('$name is read back as it was written', ({ entry }) => {
    expect(parseReplayEntry(formatReplayEntry(entry))).toEqual(entry)
  })

  test.each([
    { name: 'another kind', entry: { ...terminal('a'), kind: 'revive' } },
    { name: 'a field of text', entry: { ...terminal('a'), text: 'tea' } },
    { name: 'a missing field', entry: { kind: 'thread', from: 'a', to: 'b', ...common } },
    { name: 'weight below 0', entry: thread('a', 'b', -0.1) },
    { name: 'weight above 1', entry: thread('a', 'b', 1.0000001) },
    { name: 'a memory that succeeds itself', entry: supersede('a', 'a') },
    { name: 'a thread to itself', entry: thread('a', 'a') },
    { name: 'an id with a space', entry: terminal('a b') },
    { name: 'an id of 201 characters', entry: terminal('r'.repeat(201)) },
    { name: 'an id that is not ASCII', entry: terminal('é') },
    { name: 'a day for an instant', entry: { ...terminal('a'), at: '2026-05-01' } },
    { name: 'an unknown authority', entry: { ...terminal('a'), authority: { kind: 'model', digest: 'a'.repeat(64) } } },
    {
      name: 'a digest in capitals',
      entry: { ...terminal('a'), authority: { kind: 'capture', digest: 'A'.repeat(64) } },
    },
    {
      name: 'a digest of 63 digits',
      entry: { ...terminal('a'), authority: { kind: 'capture', digest: 'a'.repeat(63) } },
    },
  ] as { name: string; entry: unknown }[])('$name is neither written nor read', ({ entry }) => {
    expect(() => formatReplayEntry(entry as ReplayEntry)).toThrow(RangeError)
    expect(parseReplayEntry(canonicalJson(entry))).toBeUndefined()
  })

  test('is canonical JSON, and reads back', () =>
    fc.assert(
      fc.property(replayEntries, (entry) => {
        const text = formatReplayEntry(entry)
        expect(text).toBe(canonicalJson(entry))
        expect(parseReplayEntry(text)).toEqual(entry)
      }),
    ))

  test('a torn delta says where', () => {
    const line = formatReplayEntry(terminal('a'))
    expect(parseReplayLog(Buffer.from(`${line}\n${line.slice(0, 20)}`))).toEqual({
      lines: [terminal('a')],
      damage: [{ offset: line.length + 1, line: 2, kind: 'torn' }],
    })
  })
})

describe('the rules', () => {
  const five = ['b', 'c', 'd', 'e', 'f'].map((to) => thread('a', to))
  test.each([
    { name: 'a fifth thread', there: five.slice(0, 4), entry: thread('a', 'x'), refused: undefined },
    { name: 'a sixth thread', there: five, entry: thread('a', 'x'), refused: 'edge_limit' },
    { name: 'a sixth that is one of the five', there: five, entry: thread('a', 'b', 0.9), refused: 'duplicate' },
    { name: 'a thread out of another', there: five, entry: thread('b', 'a'), refused: undefined },
    {
      name: 'a sixth thread into one',
      there: five.map(({ to }) => thread(to, 'a')),
      entry: thread('x', 'a'),
      refused: undefined,
    },
    { name: 'the same supersession', there: [supersede('a', 'b')], entry: supersede('a', 'b'), refused: 'duplicate' },
    { name: 'a second successor', there: [supersede('a', 'b')], entry: supersede('a', 'c'), refused: 'has_successor' },
    { name: 'two with one successor', there: [supersede('a', 'c')], entry: supersede('b', 'c'), refused: undefined },
    { name: 'a cycle of two', there: [supersede('a', 'b')], entry: supersede('b', 'a'), refused: 'cycle' },
    {
      name: 'a cycle of three',
      there: [supersede('b', 'c'), supersede('a', 'b')],
      entry: supersede('c', 'a'),
      refused: 'cycle',
    },
    { name: 'a chain', there: [supersede('b', 'c')], entry: supersede('a', 'b'), refused: undefined },
    { name: 'a second terminal', there: [terminal('a')], entry: terminal('a'), refused: 'duplicate' },
    { name: 'a terminal of a superseded one', there: [supersede('a', 'b')], entry: terminal('a'), refused: undefined },
  ] as { name: string; there: ReplayEntry[]; entry: ReplayEntry; refused?: ReplayRefusal }[])(
    '$name: $refused',
    ({ there, entry, refused }) => {
      const state = stateOf(there)
      const size = state.size
      const admitted = admitEntries(state, [entry])
      expect(admitted).toEqual(
        refused === undefined ? { added: [entry], refused: [] } : { added: [], refused: [{ entry, reason: refused }] },
      )
      expect(state.size).toBe(size) // trying leaves the state alone
      expect(state.admit(entry)).toBe(refused)
    },
  )

  test('entries of one call see each other', () => {
    const state = stateOf([supersede('a', 'b')])
    const { added, refused } = admitEntries(state, [
      supersede('b', 'c'),
      supersede('c', 'a'),
      supersede('b', 'd'),
      terminal('a'),
      terminal('a'),
    ])
    expect(added).toEqual([supersede('b', 'c'), terminal('a')])
    expect(refused.map(({ reason }) => reason)).toEqual(['cycle', 'has_successor', 'duplicate'])
    expect([...state.entries()]).toEqual([supersede('a', 'b')])
  })

  test('a long chain is followed in no time, from either end', () => {
    const links = Array.from({ length: 50_000 }, (_, n) => supersede(`m${n}`, `m${n + 1}`))
    for (const chain of [links, [...links].reverse()]) {
      const state = stateOf(chain)
      expect(state.size).toBe(50_000)
      expect(admitEntries(state, [supersede('m50000', 'm0')]).refused[0]?.reason).toBe('cycle')
      expect(admitEntries(state, [supersede('m50000', 'new')]).refused).toEqual([])
    }
  })

  /** Everything by scanning the list. */
  function naive(list: readonly ReplayEntry[], entry: ReplayEntry): ReplayRefusal | undefined {
    const supersessions = list.filter((one) => one.kind === 'supersede')
    if (entry.kind === 'terminal')
      return list.some((one) => one.kind === 'terminal' && one.id === entry.id) ? 'duplicate' : undefined
    if (entry.kind === 'thread') {
      const edges = list.filter((one) => one.kind === 'thread').filter(({ from }) => from === entry.from)
      return edges.some(({ to }) => to === entry.to) ? 'duplicate' : edges.length >= 5 ? 'edge_limit' : undefined
    }
    const successor = supersessions.find(({ id }) => id === entry.id)
    if (successor !== undefined) return successor.by === entry.by ? 'duplicate' : 'has_successor'
    for (let at: string | undefined = entry.by; at !== undefined; at = supersessions.find(({ id }) => id === at)?.by)
      if (at === entry.id) return 'cycle'
    return undefined
  }

  test('equal a linear scan, in a state and in drafts on top of it', () =>
    fc.assert(
      fc.property(fc.array(replayEntries, { maxLength: 40 }), fc.nat({ max: 40 }), (entries, split) => {
        const list: ReplayEntry[] = []
        const refusals = entries.map((entry) => {
          const refusal = naive(list, entry)
          if (refusal === undefined) list.push(entry)
          return refusal
        })
        const state = new ReplayState()
        expect(entries.slice(0, split).map((entry) => state.add(entry))).toEqual(refusals.slice(0, split))
        const draft = state.draft().draft()
        expect(entries.slice(split).map((entry) => draft.add(entry))).toEqual(refusals.slice(split))
        const texts = (all: Iterable<ReplayEntry>): string[] => [...all].map(formatReplayEntry).sort()
        expect(texts(draft.entries())).toEqual(texts(list))
        expect(draft.size).toBe(list.length)
        expect(formatReplaySnapshot(draft)).toHaveLength(draft.snapshotBytes)
        for (const id of ['m1', 'm2', 'm3']) {
          expect(draft.threadsOf(id)).toEqual(list.filter((one) => one.kind === 'thread' && one.from === id))
          expect(draft.successorOf(id)).toEqual(list.find((one) => one.kind === 'supersede' && one.id === id))
          expect(draft.terminalOf(id)).toEqual(list.find((one) => one.kind === 'terminal' && one.id === id))
        }
      }),
    ))
})

describe('bounds', () => {
  const many = (count: number): TerminalEntry[] => Array.from({ length: count }, (_, n) => terminal(`m${n}`))

  test.each([
    { name: 'below 90 % of the entries', there: 117_964, thread: undefined, lifecycle: undefined },
    { name: 'at 90 % of the entries', there: 117_965, thread: 'full', lifecycle: undefined },
    { name: 'one entry below the bound', there: 131_071, thread: 'full', lifecycle: undefined },
    { name: 'at the bound', there: 131_072, thread: 'full', lifecycle: 'full' },
  ])('$name: thread $thread, lifecycle $lifecycle', ({ there, thread: refusedThread, lifecycle }) => {
    const state = stateOf(many(there))
    expect(state.size).toBe(there)
    expect(state.draft().admit(thread('a', 'b'))).toBe(refusedThread)
    expect(state.draft().admit(supersede('a', 'b'))).toBe(lifecycle)
    expect(state.draft().admit(terminal('x'))).toBe(lifecycle)
    expect(state.draft().add(thread('a', 'b'))).toBe(lifecycle)
    expect(state.admit(terminal('m0'))).toBe('duplicate')
  })

  /** Bytes that a snapshot of one entry takes. */
  const snapshotOf = (entry: ReplayEntry): number => formatReplaySnapshot(stateOf([entry])).length

  test.each([
    { name: 'exactly its size', more: 0, refused: undefined },
    { name: 'a byte less', more: -1, refused: 'full' },
  ])('lifecycle fits into $name', ({ more, refused }) => {
    const bounds = { maxEntries: 10, maxBytes: snapshotOf(terminal('a')) + more }
    expect(new ReplayState(bounds).add(terminal('a'))).toBe(refused)
  })

  test.each([
    { name: '90 % of them at most', spare: 0, refused: undefined },
    { name: 'more than 90 % of them', spare: -2, refused: 'full' },
  ])('a thread fits while it makes $name', ({ spare, refused }) => {
    const bounds = { maxEntries: 10, maxBytes: Math.ceil(snapshotOf(thread('a', 'b')) / 0.9) + spare }
    expect(new ReplayState(bounds).admit(thread('a', 'b'))).toBe(refused)
    expect(new ReplayState(bounds).add(thread('a', 'b'))).toBeUndefined() // in the files it may be: it came when there was room
  })

  test('the whole size: long ids fill 32 MiB before the entries do, and the snapshot is read back', () => {
    const state = new ReplayState()
    const wide = (n: number): SupersedeEntry => supersede(`${'x'.repeat(190)}${n}`, 'y'.repeat(200))
    let count = 0
    while (state.add(wide(count)) === undefined) count++
    expect(count).toBeLessThan(131_072)
    expect(state.add(wide(count))).toBe('full')
    const bytes = formatReplaySnapshot(state)
    expect(bytes).toHaveLength(state.snapshotBytes)
    expect(bytes.length).toBeLessThanOrEqual(32 * 1024 * 1024)
    expect(bytes.length).toBeGreaterThan(32 * 1024 * 1024 - 600)
    expect(parseReplaySnapshot(bytes)).toMatchObject({ kind: 'snapshot' })
    expect(parseReplaySnapshot(Buffer.concat([bytes, Buffer.alloc(600)]))).toEqual({
      kind: 'invalid',
      offset: 32 * 1024 * 1024,
    })
  })
})

describe('the snapshot', () => {
  const entries = [terminal('b'), supersede('a', 'b'), thread('c', 'a', 0.25), terminal('a')]
  const text = Buffer.from(formatReplaySnapshot(stateOf(entries))).toString()
  const texts = entries.map(formatReplayEntry).sort() as [string, string, string, string]

  test('one set has one spelling, whatever the order it came in', () =>
    fc.assert(
      fc.property(fc.array(replayEntries, { maxLength: 20 }), fc.infiniteStream(fc.nat()), (all, order) => {
        const state = stateOf(all)
        const kept = [...state.entries()].map((entry) => ({ entry, place: order.next().value }))
        const shuffled = kept.sort((a, b) => a.place - b.place).map(({ entry }) => entry)
        const bytes = formatReplaySnapshot(state)
        expect(formatReplaySnapshot(stateOf(shuffled))).toEqual(bytes)
        const parsed = parseReplaySnapshot(bytes)
        if (parsed.kind === 'invalid') throw new Error('invalid')
        expect(formatReplaySnapshot(stateOf(parsed.entries))).toEqual(bytes)
        const value: unknown = JSON.parse(Buffer.from(bytes).toString())
        expect(canonicalJson(value)).toBe(Buffer.from(bytes).toString())
      }),
    ))

  test.each([
    { name: 'nothing', text: '', offset: 0 },
    { name: 'cut', text: text.slice(0, -1), offset: 0 },
    { name: 'a line feed at the end', text: `${text}\n`, offset: text.length - '],"v":1}'.length },
    { name: 'another version', text: text.replace('"v":1', '"v":2'), offset: text.length - '],"v":1}'.length },
    { name: 'a further key', text: text.replace('"v":1', '"v":1,"x":1'), offset: text.length - '],"v":1}'.length },
    { name: 'a space', text: text.replace('[', '[ '), offset: 12 },
    { name: 'a space in an entry', text: text.replace('"at":', '"at": '), offset: 12 },
    { name: 'a space after a comma', text: text.replace('},{', '}, {'), offset: 12 + texts[0].length + 1 },
    { name: 'a space before a comma', text: text.replace('},{', '} ,{'), offset: 12 + texts[0].length + 1 },
    { name: 'the wrong order', text: `{"entries":[${texts[1]},${texts[0]}],"v":1}`, offset: 12 + texts[1].length + 1 },
    { name: 'an entry twice', text: `{"entries":[${texts[0]},${texts[0]}],"v":1}`, offset: 12 + texts[0].length + 1 },
    { name: 'an entry that is none', text: `{"entries":[${texts[0]},0],"v":1}`, offset: 12 + texts[0].length + 1 },
    { name: 'entries twice', text: text.replace('{', '{"entries":[],'), offset: 12 },
    { name: 'no entries', text: '{"v":1}', offset: 0 },
    { name: 'a list', text: '[]', offset: 0 },
  ])('is not read with $name', ({ text: found, offset }) => {
    expect(parseReplaySnapshot(Buffer.from(found))).toEqual({ kind: 'invalid', offset })
  })

  test('of no entries', () => {
    const bytes = formatReplaySnapshot(new ReplayState())
    expect(Buffer.from(bytes).toString()).toBe('{"entries":[],"v":1}')
    expect(parseReplaySnapshot(bytes)).toEqual({ kind: 'snapshot', entries: [] })
  })

  test.each([
    { delta: MIN_FOLDED_DELTA_BYTES - 1, snapshot: 0, due: false },
    { delta: MIN_FOLDED_DELTA_BYTES, snapshot: 0, due: true },
    { delta: MIN_FOLDED_DELTA_BYTES, snapshot: 4 * MIN_FOLDED_DELTA_BYTES - 1, due: true },
    { delta: MIN_FOLDED_DELTA_BYTES, snapshot: 4 * MIN_FOLDED_DELTA_BYTES, due: false },
    { delta: MIN_FOLDED_DELTA_BYTES + 1, snapshot: 4 * MIN_FOLDED_DELTA_BYTES, due: true },
  ])('takes a delta of $delta in beside $snapshot bytes: $due', ({ delta, snapshot, due }) => {
    expect(isCompactionDue(delta, snapshot)).toBe(due)
  })
})
