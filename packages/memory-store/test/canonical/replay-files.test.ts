import { existsSync, symlinkSync, writeFileSync } from 'node:fs'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { countingFileSystem } from '../../../../test/support/counting-file-system.js'
import { faultyFileSystem, type Fault } from '../../../../test/support/faulty-file-system.js'
import {
  formatLineLog,
  formatReplayEntry,
  formatReplaySnapshot,
  layout,
  loadReplayFiles,
  MIN_FOLDED_DELTA_BYTES,
  nodeFileSystem,
  openReplayFiles,
  ReplayState,
  sha256Hex,
  type ReplayEntry,
} from '../../src/index.js'
import { baseOf, openTestRoot, supersede, terminal, thread, type TestRoot } from './open-test-logs.js'

const { replayDelta: DELTA, replaySnapshot: SNAPSHOT } = layout
const EMPTY = baseOf('')
const delta = (...entries: ReplayEntry[]): string =>
  Buffer.from(formatLineLog(entries.map(formatReplayEntry))).toString()
const texts = (entries: Iterable<ReplayEntry>): string[] => [...entries].map(formatReplayEntry).sort()
function snapshot(...entries: ReplayEntry[]): Uint8Array {
  const state = new ReplayState()
  for (const entry of entries) if (state.add(entry) !== undefined) throw new Error('refused')
  return formatReplaySnapshot(state)
}
const many = (from: number, to: number): ReplayEntry[] =>
  Array.from({ length: to - from }, (_, n) => supersede(`old-${from + n}`, `new-${from + n}`))
/** What is on disk, read as a reader reads it. */
const onDisk = ({ root }: TestRoot): string[] => texts(loadReplayFiles(nodeFileSystem, root).state.entries())

describe('appending', () => {
  test('plan after plan; what is known is what is on disk', async () => {
    const held = await openTestRoot()
    const files = await openReplayFiles(held.options)
    expect(await files.look()).toMatchObject({ base: EMPTY, files: [] })
    const first = await files.append(EMPTY, [supersede('a', 'b'), thread('c', 'a')])
    expect(first).toMatchObject({ inForce: [supersede('a', 'b'), thread('c', 'a')], refused: [] })
    const second = await files.append(first.base, [terminal('c')])
    const whole = delta(supersede('a', 'b'), thread('c', 'a'), terminal('c'))
    expect(held.text(DELTA)).toBe(whole)
    expect(existsSync(held.path(SNAPSHOT))).toBe(false)
    expect(second.base).toEqual(baseOf(whole))
    expect(second.files).toMatchObject([{ path: DELTA, digest: sha256Hex(whole) }])
    const loaded = loadReplayFiles(nodeFileSystem, held.root)
    expect({ base: loaded.base, files: loaded.files }).toEqual({ base: second.base, files: second.files })
    expect(onDisk(held)).toEqual(texts(second.state.entries()))
  })

  test('reads nothing and flushes once, whatever the snapshot holds', async () => {
    const counting = countingFileSystem()
    const { options, write } = await openTestRoot(counting.fs)
    write(SNAPSHOT, snapshot(...many(0, 1_000)))
    const files = await openReplayFiles(options)
    const { base } = await files.append(EMPTY, [terminal('x')])
    counting.reset()
    await files.append(base, [terminal('y')])
    expect(counting.count('file.read')).toBe(0)
    expect(counting.flushes()).toBe(1)
  })

  test('what the authority has or cannot take is not written, and said', async () => {
    const { options, text } = await openTestRoot()
    const files = await openReplayFiles(options)
    const edges = ['b', 'c', 'd', 'e', 'f'].map((to) => thread('a', to))
    const { base } = await files.append(EMPTY, [supersede('a', 'b'), ...edges])
    const before = text(DELTA)
    const appended = await files.append(base, [
      supersede('a', 'c'),
      supersede('b', 'a'),
      thread('a', 'x'),
      { ...thread('a', 'b'), weight: 0.9 },
      terminal('b'),
    ])
    expect(appended.refused.map(({ entry, reason }) => [entry.kind, reason])).toEqual([
      ['supersede', 'has_successor'],
      ['supersede', 'cycle'],
      ['thread', 'edge_limit'],
    ])
    expect(appended.inForce).toEqual([thread('a', 'b'), terminal('b')])
    expect(text(DELTA)).toBe(before + delta(terminal('b')))
  })
})

describe('an append that was cut', () => {
  const before = delta(supersede('a', 'b'))
  const ours = [thread('c', 'a'), supersede('b', 'c'), terminal('a')]
  const whole = before + delta(...ours)

  test('anywhere: cut back and appended again, twice the same', () =>
    fc.assert(
      fc.asyncProperty(fc.nat({ max: whole.length - before.length }), fc.nat(), async (taken, hole) => {
        const held = await openTestRoot()
        const found = Buffer.from(whole.slice(0, before.length + taken))
        if (taken > 0) found[before.length + (hole % taken)] = 0
        held.write(DELTA, found)
        const files = await openReplayFiles({ ...held.options, covered: baseOf(before) })
        expect((await files.look()).state.size).toBe(1)
        for (const _replay of [1, 2]) {
          const appended = await files.append(baseOf(before), ours)
          expect(appended).toMatchObject({ inForce: ours, refused: [], base: baseOf(whole) })
          expect(held.text(DELTA)).toBe(whole)
        }
      }),
      { numRuns: 60 },
    ))

  test('without a plan it is damage, and left', async () => {
    const { root, options, write, text } = await openTestRoot()
    write(DELTA, whole.slice(0, -1))
    await expect(openReplayFiles(options)).rejects.toMatchObject({
      code: 'canonical_invalid',
      message: expect.stringContaining(
        '.replay-projection-v1.delta.jsonl ends in a torn line: line 4, from byte',
      ) as string,
    })
    expect(text(DELTA)).toBe(whole.slice(0, -1))
    expect(loadReplayFiles(nodeFileSystem, root, baseOf(before)).state.size).toBe(1)
  })
})

describe('files that cannot be the authority', () => {
  test.each([
    {
      name: 'a snapshot in another spelling',
      snapshot: '{"entries": [],"v":1}',
      delta: '',
      says: 'cannot be read from byte 0 on',
    },
    {
      name: 'a damaged entry',
      snapshot: Buffer.from(snapshot(terminal('a')))
        .toString()
        .replace('"a"', '"a "'),
      delta: '',
      says: 'from byte 12 on',
    },
    {
      name: 'a second successor',
      snapshot: snapshot(supersede('a', 'b')),
      delta: delta(terminal('a'), supersede('a', 'c')),
      says: '(has_successor): entry 2',
    },
    {
      name: 'a cycle',
      snapshot: snapshot(supersede('a', 'b')),
      delta: delta(supersede('b', 'a')),
      says: '(cycle): entry 1',
    },
    {
      name: 'a sixth edge',
      snapshot: snapshot(),
      delta: delta(...'bcdefg'.split('').map((to) => thread('a', to))),
      says: '(edge_limit): entry 6',
    },
  ])('$name: refused, named and left', async ({ snapshot: found, delta: tail, says }) => {
    const { root, options, write, text } = await openTestRoot()
    write(SNAPSHOT, found)
    write(DELTA, tail)
    const refusal = { code: 'canonical_invalid', message: expect.stringContaining(says) as string }
    await expect(openReplayFiles(options)).rejects.toMatchObject(refusal)
    expect(() => loadReplayFiles(nodeFileSystem, root)).toThrow(expect.objectContaining(refusal))
    expect(text(SNAPSHOT)).toBe(Buffer.from(found).toString())
    expect(text(DELTA)).toBe(tail)
  })

  test.each([SNAPSHOT, DELTA])('%s that is a link', async (file) => {
    const { options, path } = await openTestRoot()
    writeFileSync(path('elsewhere'), '')
    symlinkSync(path('elsewhere'), path(file))
    await expect(openReplayFiles(options)).rejects.toMatchObject({ code: 'path_unsafe' })
  })

  test('thread edges beyond 90 % of the bound are read: they came when there was room', async () => {
    const held = await openTestRoot()
    held.write(SNAPSHOT, snapshot(...Array.from({ length: 117_970 }, (_, n) => terminal(`m${n}`))))
    held.write(DELTA, delta(thread('a', 'b')))
    const files = await openReplayFiles(held.options)
    const { base } = await files.look()
    const appended = await files.append(base, [thread('c', 'd'), supersede('c', 'd')])
    expect(appended.refused).toEqual([{ entry: thread('c', 'd'), reason: 'full' }])
    expect(appended.inForce).toEqual([supersede('c', 'd')])
  })
})

describe('edited by hand between plan and append', () => {
  const before = delta(terminal('x'))
  const ours = [supersede('a', 'b'), thread('c', 'a')]
  test.each([
    { name: 'an entry removed', found: '', after: delta(...ours) },
    { name: 'an entry added', found: before + delta(terminal('y')), after: before + delta(terminal('y'), ...ours) },
    {
      name: 'a successor given meanwhile',
      found: before + delta(supersede('a', 'z')),
      after: before + delta(supersede('a', 'z'), thread('c', 'a')),
      refused: ['has_successor'],
    },
    {
      name: 'ours there, in another place',
      found: delta(thread('c', 'a')) + before,
      after: delta(thread('c', 'a')) + before + delta(supersede('a', 'b')),
    },
  ])('$name: theirs stays, what is missing goes to the end', async ({ found, after, refused = [] }) => {
    const held = await openTestRoot()
    held.write(DELTA, before)
    const files = await openReplayFiles(held.options)
    held.write(DELTA, found)
    for (const _replay of [1, 2]) {
      const appended = await files.append(baseOf(before), ours)
      expect(appended.refused.map(({ reason }) => reason)).toEqual(refused)
      expect(held.text(DELTA)).toBe(after)
      expect(onDisk(held)).toEqual(texts(appended.state.entries()))
    }
  })

  test('a snapshot that somebody changed counts, in looks and in appends', async () => {
    const held = await openTestRoot()
    const files = await openReplayFiles(held.options)
    held.write(SNAPSHOT, snapshot(terminal('x')))
    expect((await files.look()).state.terminalOf('x')).toBeDefined()
    held.write(SNAPSHOT, snapshot(terminal('x'), supersede('a', 'z')))
    const appended = await files.append(EMPTY, ours)
    expect(appended.refused).toEqual([{ entry: supersede('a', 'b'), reason: 'has_successor' }])
    expect(onDisk(held)).toEqual(texts([terminal('x'), supersede('a', 'z'), thread('c', 'a')]))
  })
})

const OLD_SNAPSHOT = snapshot(...many(0, 100))
const DUE_DELTA = delta(...many(100, 600))
const ALL = texts(many(0, 600))

/** A delta that is due: over 64 KiB and over a quarter of the snapshot. */
async function dueRoot(fs = nodeFileSystem): Promise<TestRoot & { readonly all: string[] }> {
  const held = await openTestRoot(fs)
  held.write(SNAPSHOT, OLD_SNAPSHOT)
  held.write(DELTA, DUE_DELTA)
  return { ...held, all: ALL }
}

describe('compaction', () => {
  test('folds the delta into the snapshot: the same set, and appends go on', async () => {
    const held = await dueRoot()
    const files = await openReplayFiles(held.options)
    const compacted = await files.compactIfDue()
    expect(compacted?.base).toEqual(EMPTY)
    expect(held.text(DELTA)).toBe('')
    expect(Buffer.from(held.text(SNAPSHOT))).toEqual(Buffer.from(snapshot(...many(0, 600))))
    expect(compacted?.files).toEqual(loadReplayFiles(nodeFileSystem, held.root).files)
    expect(compacted?.files.map(({ path, digest }) => [path, digest])).toEqual([
      [SNAPSHOT, sha256Hex(held.text(SNAPSHOT))],
      [DELTA, sha256Hex('')],
    ])
    expect(await files.compactIfDue()).toBeUndefined()
    await files.append(EMPTY, [terminal('x')])
    expect(onDisk(held)).toEqual([...held.all, formatReplayEntry(terminal('x'))].sort())
  })

  test.each([
    { name: 'under 64 KiB', bytes: MIN_FOLDED_DELTA_BYTES - 1, due: false },
    { name: 'at 64 KiB', bytes: MIN_FOLDED_DELTA_BYTES, due: true },
  ])('a delta $name without a snapshot is due: $due', async ({ bytes, due }) => {
    const held = await openTestRoot()
    const entries = many(0, 400)
    while (delta(...entries).length > bytes - 300) entries.pop()
    const width = bytes - delta(...entries, supersede('m', 'n')).length + 2
    const half = Math.floor(width / 2)
    held.write(DELTA, delta(...entries, supersede('m'.repeat(half), 'n'.repeat(width - half))))
    expect(held.text(DELTA)).toHaveLength(bytes)
    const files = await openReplayFiles(held.options)
    expect((await files.compactIfDue()) !== undefined).toBe(due)
  })

  test('a plan made before it finds its entries in the snapshot', async () => {
    const held = await dueRoot()
    const files = await openReplayFiles(held.options)
    const { base } = await files.look()
    const ours = [supersede('p', 'q'), terminal('p')]
    const appended = await files.append(base, ours)
    await files.compactIfDue()
    expect(await files.append(base, ours)).toMatchObject({ inForce: appended.inForce, refused: [] })
    expect(held.text(DELTA)).toBe('')
    const reopened = await openReplayFiles({ ...(await held.reopened()), covered: base })
    expect(await reopened.append(base, ours)).toMatchObject({ inForce: appended.inForce, refused: [] })
    expect(held.text(DELTA)).toBe('')
    expect(onDisk(held)).toEqual([...held.all, ...texts(ours)].sort())
  })

  test.each([
    { name: 'refused', fault: { errno: 'EIO' } },
    { name: 'carried out, then said to have failed', fault: { errno: 'ENOSPC', afterEffect: true } },
  ] as { name: string; fault: Fault }[])(
    'any call of the port $name: at each point the set is whole',
    async ({ fault }) => {
      const counting = countingFileSystem()
      const dry = await dueRoot(counting.fs)
      const first = await openReplayFiles(dry.options)
      counting.reset()
      await first.compactIfDue()
      expect(counting.calls.length).toBeGreaterThan(15)
      for (let nth = 1; nth <= counting.calls.length; nth++) {
        const faulty = faultyFileSystem()
        const held = await dueRoot(faulty.fs)
        const files = await openReplayFiles(held.options)
        faulty.inject({ ...fault, nth })
        await files.compactIfDue().catch((error: unknown) => {
          expect(error, `call ${nth}`).toMatchObject({ code: 'storage_failed' })
        })
        faulty.clear()
        expect(onDisk(held), `call ${nth}`).toEqual(held.all)
        const { base, state } = await files.look()
        expect(texts(state.entries()), `call ${nth}`).toEqual(held.all)
        await files.append(base, [terminal('x')])
        await files.compactIfDue()
        expect(onDisk(held), `call ${nth}`).toEqual([...held.all, formatReplayEntry(terminal('x'))].sort())
        const reopened = await openReplayFiles(await held.reopened())
        expect((await reopened.look()).state.size, `call ${nth}`).toBe(601)
      }
    },
  )
})

test('any call of an append refused: the plan, carried out again, leaves the file as if nothing had happened', async () => {
  const ours = [supersede('a', 'b'), thread('c', 'a')]
  const counting = countingFileSystem()
  const dry = await openTestRoot(counting.fs)
  const first = await openReplayFiles(dry.options)
  const { base } = await first.append(EMPTY, [terminal('x')])
  counting.reset()
  await first.append(base, ours)
  for (const fault of [{ errno: 'EIO' }, { errno: 'EIO', afterEffect: true }]) {
    for (let nth = 1; nth <= counting.calls.length; nth++) {
      const faulty = faultyFileSystem()
      const held = await openTestRoot(faulty.fs)
      const files = await openReplayFiles(held.options)
      await files.append(EMPTY, [terminal('x')])
      faulty.inject({ ...fault, nth })
      await files.append(base, ours).catch((error: unknown) => {
        expect(error, `call ${nth}`).toMatchObject({ code: 'storage_failed' })
      })
      faulty.clear()
      expect(await files.append(base, ours), `call ${nth}`).toMatchObject({ inForce: ours, refused: [] })
      expect(held.text(DELTA), `call ${nth}`).toBe(delta(terminal('x'), ...ours))
    }
  }
})

test('after an append that failed and could not be cut back, a look needs the plan', async () => {
  const faulty = faultyFileSystem()
  const { options, text } = await openTestRoot(faulty.fs)
  const file = await openReplayFiles(options)
  const { base } = await file.append(EMPTY, [terminal('a')])
  const before = text(DELTA)
  faulty.inject({ operation: 'file.write', takes: 7, errno: 'ENOSPC' })
  faulty.inject({ operation: 'file.truncate', errno: 'EIO' })
  await expect(file.append(base, [terminal('b')])).rejects.toMatchObject({ code: 'storage_failed' })
  expect(text(DELTA)).toHaveLength(before.length + 7)
  await expect(file.look()).rejects.toMatchObject({ code: 'canonical_invalid' })
  const content = await file.look(base)
  expect({ size: content.state.size, base: content.base }).toEqual({ size: 1, base })
  expect((await file.append(base, [terminal('b')])).state.size).toBe(2)
  expect((await file.look()).state.size).toBe(2)
})
