import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { describe, expect, test } from 'vitest'
import { layout, type GraphLine } from '@mono-agent/memory-store'
import { countingFileSystem } from '../../../../../test/support/counting-file-system.js'
import { faultyFileSystem } from '../../../../../test/support/faulty-file-system.js'
import { commitCapture } from '../../../src/capture/commit/commit-capture.js'
import { add, decided, memory, oldBullet, TODAY, YESTERDAY } from './support/captures.js'
import { makeCommitRoot, type CommitRoot, type Seed } from './support/commit-root.js'
import { endsAt, endsOncePlanned, mortal, type End, type Mortal } from './support/mortal.js'

const AT = '2026-05-01T09:00:00.000Z'
const OLD = oldBullet('m-tide', 'The tide is at 1 m.', { attribution: 'assistant-inferred', replaceable: true })
const OTHER = oldBullet('m-other', 'Ana paints.')
const graph: readonly GraphLine[] = [{ kind: 'entity', id: 'person:ana', name: 'Ana', type: 'person', createdAt: AT }]
const authority = { kind: 'capture', digest: 'a'.repeat(64) } as const
const seed: Seed = {
  days: { [YESTERDAY]: [OLD, OTHER] },
  graph,
  delta: [{ kind: 'thread', from: 'm-other', to: 'm-tide', weight: 1, at: AT, authority }],
}
const REQUEST = { text: 'The tide is at 2 m.', about: 'Ana', supersedes: 'm-tide', conversationId: 'web:2' }

/** One process: opens, recovers, remembers if it is asked to, and closes or dies. */
async function run(root: CommitRoot, process?: Mortal, { asks = true } = {}): Promise<void> {
  const opened = await root.open(process?.fs, process?.step)
  try {
    await opened.index.catchUp()
    await opened.writes.recover()
    if (asks) await opened.remember(REQUEST)
  } catch (error) {
    if (process?.isDead() !== true) throw error // whatever the dying process made of it
  } finally {
    opened.close()
  }
}
const reopen = (root: CommitRoot): Promise<void> => run(root, undefined, { asks: false })

const untouched = await makeCommitRoot(seed)
const before = untouched.state() as { canonical: object }
const whole = mortal({ at: () => false })
await run(untouched, whole)
const expected = untouched.state() as { canonical: object; outbox: string[] }

const planIsThere = (root: CommitRoot): boolean =>
  readdirSync(root.at(layout.outbox)).some((name) => /^[0-9a-f]+\.json$/.test(name))

describe('what a Remember with detail leaves (REC-25, REC-27)', () => {
  test('is as pinned', () => {
    const golden = fileURLToPath(new URL('golden/remembered.json', import.meta.url))
    expect(expected.canonical).toEqual(JSON.parse(readFileSync(golden, 'utf8')))
    expect(expected.outbox).toEqual([])
  })

  test('the index is what the files say', async () => {
    const root = await makeCommitRoot(seed)
    await run(root)
    const { kept, rebuilt } = await root.indexes()
    expect(kept).toEqual(rebuilt)
  })

  test('plan, day file, graph, delta, index, plan gone for good; each durable before the next', async () => {
    const root = await makeCommitRoot(seed)
    const told: string[] = []
    const counted = countingFileSystem()
    const opened = await root.open(counted.fs, (name) => void told.push(`${counted.calls.length} ${name}`))
    await opened.writes.recover()
    counted.reset()
    told.length = 0
    await opened.remember(REQUEST)
    const flushed = counted.calls.map(({ operation, path }, at) => {
      const name = path
        .slice(root.root.length + 1)
        .replace(/[0-9a-f]{64}/, 'plan')
        .replace(/(^|\/)\.([^/]*)\.tmp-\d+-\d+$/, '$1$2')
      return { at, done: `${operation} ${name}` }
    })
    const steps = told.map((line) => ({ at: Number(line.split(' ')[0]) - 0.5, done: line.split(' ')[1] ?? '' }))
    const ofNote = /^(file\.(sync|dataSync)|syncDirectory|rename|remove|record)/
    const seen = [...flushed, ...steps].sort((a, b) => a.at - b.at).map(({ done }) => done)
    expect(seen.filter((done) => ofNote.test(done))).toEqual([
      'file.sync .capture-outbox/plan.json',
      'rename .capture-outbox/plan.json',
      'syncDirectory .capture-outbox',
      'file.sync daily/2026-05-02.md',
      'rename daily/2026-05-02.md',
      'syncDirectory daily',
      'file.dataSync graph.jsonl',
      'file.dataSync .replay-projection-v1.delta.jsonl',
      'record',
      'recorded',
      'remove .capture-outbox/plan.json',
      'syncDirectory .capture-outbox',
    ])
  })

  test('text alone, and `replaceable`, take one day file and no plan', async () => {
    const root = await makeCommitRoot(seed)
    const counted = countingFileSystem()
    const opened = await root.open(counted.fs)
    await opened.writes.recover()
    for (const request of [{ text: 'Plain.' }, { text: 'Observed.', replaceable: true }]) {
      counted.reset()
      await opened.remember(request)
      expect(counted.calls.filter(({ path }) => path.includes('.capture-outbox'))).toEqual([])
      expect(counted.flushes()).toBe(2)
    }
  })
})

describe.each([
  { name: 'before', isAfter: false },
  { name: 'right after, a write cut in half', isAfter: true },
])('killed $name', ({ isAfter }) => {
  const points = Array.from({ length: whole.steps() }, (_, n) => n + 1)

  test(`each of the ${points.length} steps: all or nothing; asked again, all, once`, async () => {
    let planned = 0
    for (const point of points) {
      const root = await makeCommitRoot(seed)
      const process = mortal({ at: (step) => step === point, isAfter })
      await run(root, process)
      expect(process.isDead()).toBe(true)
      const isPlanned = planIsThere(root)
      if (isPlanned) planned++
      await reopen(root)
      const recovered = root.state() as typeof expected
      const { canonical } = recovered
      const isDone = Object.keys(canonical).includes(TODAY)
      if (isPlanned) expect(isDone).toBe(true)
      expect({ point, canonical }).toEqual({ point, canonical: isDone ? expected.canonical : before.canonical })
      expect(recovered.outbox).toEqual([])
      await reopen(root)
      expect({ point, state: root.state() }).toEqual({ point, state: recovered }) // a second recovery changes nothing
      await run(root)
      expect({ point, state: root.state() }).toEqual({ point, state: expected })
    }
    expect(planned).toBeGreaterThan(points.length / 2)
  }, 120_000)

  test('and killed again, and again, while it recovers', async () => {
    for (const point of points.filter((_, at) => at % 9 === 0)) {
      const root = await makeCommitRoot(seed)
      await run(root, mortal({ at: (step) => step === point, isAfter }))
      for (let again = 1; again < 80; again += 13) {
        const process = mortal({ at: (step) => step === again, isAfter })
        await run(root, process, { asks: false })
      }
      await run(root)
      expect({ point, state: root.state() }).toEqual({ point, state: expected })
    }
  }, 120_000)
})

/** A Remember of which a killed process left the plan, and as much as it had done. */
async function cut(end: End): Promise<CommitRoot> {
  const root = await makeCommitRoot(seed)
  const process = mortal(end)
  await run(root, process)
  expect(process.isDead()).toBe(true)
  return root
}

describe('between plan and recovery', () => {
  const bulletOf = (id: string): RegExp => new RegExp(`- .*\\n  <!--mem id=${id} .*\\n`)
  const isSuperseded = (root: CommitRoot): boolean => root.text(layout.replayDelta).includes('"kind":"supersede"')

  test.each([
    { name: 'reworded', edit: (text: string) => text.replace('1 m.', 'half a metre.') },
    { name: 'removed', edit: (text: string) => text.replace(bulletOf('m-tide'), '') },
  ])('a person $name what it replaces: the note is there, theirs stays', async ({ edit }) => {
    const root = await cut(endsOncePlanned(/daily/))
    root.edit(YESTERDAY, edit)
    const theirs = root.text(YESTERDAY)
    await reopen(root)
    expect(root.text(TODAY)).toContain('The tide is at 2 m.')
    expect(root.text(YESTERDAY)).toBe(theirs)
    expect(isSuperseded(root)).toBe(false)
    const { kept, rebuilt } = await root.indexes()
    expect(kept).toEqual(rebuilt)
  })

  test('a person removed the new line: it comes back once, with all that it says (durability §8)', async () => {
    const root = await cut(endsOncePlanned(/graph\.jsonl$/))
    root.edit(TODAY, (text) => text.replace(bulletOf('m-N1'), ''))
    await reopen(root)
    expect(root.text(TODAY).match(/2 m\./g)).toHaveLength(1)
    expect(isSuperseded(root)).toBe(true)
    root.edit(TODAY, (text) => text.replace(bulletOf('m-N1'), ''))
    await reopen(root)
    expect(root.text(TODAY)).not.toContain('2 m.')
  })

  test('what was indexed already is not written twice', async () => {
    const root = await cut(endsAt('recorded'))
    await reopen(root)
    expect(root.state()).toEqual(expected)
  })
})

describe('a disk that fails', () => {
  const opened = async (root: CommitRoot) => {
    const faulty = faultyFileSystem()
    const process = await root.open(faulty.fs)
    await process.index.catchUp()
    await process.writes.recover()
    return { faulty, process }
  }
  const PLACES = [
    { name: 'the plan', operation: 'file.write', path: /outbox/, outcome: 'not_written', status: 'stored' },
    { name: 'a day file', operation: 'file.write', path: /daily/, outcome: 'unknown', status: 'duplicate' },
    { name: 'the name of a day file', operation: 'rename', path: /daily/, outcome: 'unknown', status: 'duplicate' },
    { name: 'the graph', operation: 'file.write', path: /graph/, outcome: 'unknown', status: 'duplicate' },
    { name: 'the delta', operation: 'file.write', path: /delta/, outcome: 'unknown', status: 'duplicate' },
    { name: 'the removal of the plan', operation: 'remove', path: /outbox/, outcome: 'unknown', status: 'duplicate' },
  ] as const

  test.each(PLACES)('at $name: $outcome; asked again, $status', async ({ operation, path, outcome, status }) => {
    const root = await makeCommitRoot(seed)
    const { faulty, process } = await opened(root)
    faulty.inject({ operation, path, errno: 'EIO' })
    await expect(process.remember(REQUEST)).rejects.toMatchObject({ code: 'storage_failed', outcome })
    expect(faulty.played()).toBe(1)
    faulty.clear()
    const id = status === 'stored' ? 'm-N2' : 'm-N1'
    expect(await process.remember(REQUEST)).toEqual({ status, id, text: REQUEST.text })
    process.close()
    if (status === 'duplicate') expect(root.state()).toEqual(expected)
  })

  test('that cannot say whether the plan is gone: it is there again, and is carried out once more', async () => {
    const root = await makeCommitRoot(seed)
    const { faulty, process } = await opened(root)
    faulty.inject({ operation: 'syncDirectory', path: /outbox/, errno: 'EIO', nth: 2 })
    await expect(process.remember(REQUEST)).rejects.toMatchObject({ code: 'storage_failed', outcome: 'unknown' })
    expect(faulty.played()).toBe(1)
    expect(planIsThere(root)).toBe(true)
    faulty.clear()
    await process.writes.recover()
    process.close()
    expect(root.state()).toEqual(expected)
  })

  test('words that wait in a plan alone are not written beside it', async () => {
    const root = await makeCommitRoot(seed)
    const { faulty, process } = await opened(root)
    faulty.inject({ operation: 'file.write', path: /daily/, errno: 'ENOSPC' })
    await expect(process.remember(REQUEST)).rejects.toMatchObject({ outcome: 'unknown' })
    faulty.clear()
    expect(await process.remember({ text: 'Other words.' })).toMatchObject({ status: 'stored', id: 'm-N2' })
    expect(planIsThere(root)).toBe(true) // other words have no reason to wait for it
    expect(await process.remember({ text: REQUEST.text })).toMatchObject({ status: 'duplicate', id: 'm-N1' })
    process.close()
    expect(planIsThere(root)).toBe(false)
    expect(root.text(TODAY).match(/2 m\./g)).toHaveLength(1)
    const { kept, rebuilt } = await root.indexes()
    expect(kept).toEqual(rebuilt)
  })

  test('a capture finishes what a Remember left before it writes, and the other way round', async () => {
    const root = await makeCommitRoot(seed)
    const { faulty, process } = await opened(root)
    const capture = decided([add(memory(0, 'Ana paints boats.', { entities: ['person:ana'] }))])
    const byCapture = () => process.writes.alone((parts) => commitCapture(parts, () => capture))
    faulty.inject({ operation: 'file.write', path: /delta/, errno: 'ENOSPC' })
    await expect(process.remember(REQUEST)).rejects.toMatchObject({ outcome: 'unknown' })
    faulty.clear()
    faulty.inject({ operation: 'file.write', path: /graph/, errno: 'ENOSPC', nth: 2 }) // the first one recovers
    await expect(byCapture()).rejects.toMatchObject({ code: 'storage_failed' })
    faulty.clear()
    expect(root.text(layout.replayDelta)).toContain('"by":"m-N1"')
    expect(await process.remember({ text: 'Ana sails.', about: 'Ana' })).toMatchObject({ status: 'stored' })
    process.close()
    expect(root.text(TODAY)).toContain('Ana paints boats.')
    expect([...root.turns.values()][0]?.memoryIds).toHaveLength(1)
    const { kept, rebuilt } = await root.indexes()
    expect(kept).toEqual(rebuilt)
  })
})

describe('an outbox that cannot be trusted', () => {
  test('plain words are remembered all the same; nothing is written by plan', async () => {
    const root = await makeCommitRoot(seed)
    writeFileSync(root.at(`${layout.outbox}/notes.txt`), 'x', { mode: 0o600 })
    const opened = await root.open()
    await expect(opened.writes.recover()).rejects.toMatchObject({ code: 'outbox_invalid' })
    await expect(opened.remember(REQUEST)).rejects.toMatchObject({ code: 'outbox_invalid', outcome: 'not_written' })
    expect(existsSync(root.at(TODAY))).toBe(false)
    expect(await opened.remember({ text: 'Plain.' })).toMatchObject({ status: 'stored' })
    rmSync(root.at(`${layout.outbox}/notes.txt`))
    expect(await opened.remember(REQUEST)).toMatchObject({ status: 'stored' })
  })
})
