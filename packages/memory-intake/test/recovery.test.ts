import { copyFileSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { countingFileSystem } from '../../../test/support/counting-file-system.js'
import { faultyFileSystem } from '../../../test/support/faulty-file-system.js'
import type { Operation } from '../../../test/support/intercepted-file-system.js'
import { canonicalTurn, payloadHash } from '../src/format/canonical-turn.js'
import { formatFrame } from '../src/format/log-frame.js'
import { appendBytes, cutFile, Harness, idOf, rejection, turn } from './support/harness.js'
import { closedRoot, crashedRoot, storeOf } from './support/roots.js'

const A = idOf('a')
const shardOfA = A.slice(0, 2)
const recordOfA = `${A}.json`

const pendingRuns = async (harness: Harness): Promise<string[]> => {
  const intake = await harness.open()
  const runs = (await intake.due(1_000)).map((item) => item.turn.runId)
  return runs
}

describe('recovered (INT-7)', () => {
  test('frames are folded in, and a second recovery changes nothing', async () => {
    const harness = await crashedRoot('a', 'b')
    expect(await pendingRuns(harness)).toEqual(['a', 'b'])
    await harness.crash()
    const once = harness.bytes()
    expect(await pendingRuns(harness)).toEqual(['a', 'b'])
    await harness.crash()
    const twice = harness.bytes()
    const settled = (files: Record<string, string>) =>
      Object.entries(files).filter(([name]) => !/\/(log\/|catalog)/.test(name))
    expect(settled(twice)).toEqual(settled(once))
  })

  test('what a killed writer left in the cache is flushed before the next segment proves it whole', async () => {
    const { fs, calls } = countingFileSystem()
    const harness = await crashedRoot('a', 'b')
    const left = harness.lastSegment()
    await new Harness(fs, harness.root).open()
    const at = (operation: Operation, path: string) =>
      calls.findIndex((call) => call.operation === operation && call.path === path)
    const next = harness.path('log', String(Number(basename(left)) + 1))
    expect(at('file.sync', left)).toBeGreaterThanOrEqual(0)
    expect(at('file.sync', left)).toBeLessThan(at('file.sync', next))
  })

  test('a log cut anywhere loses the last group only, whole', async () => {
    const harness = await crashedRoot('a', 'b')
    const whole = readFileSync(harness.lastSegment())
    const lines = whole.toString('utf8').split('\n')
    const start = Buffer.byteLength(`${lines[0]}\n${lines[1]}\n`)
    for (let length = start; length < whole.length; length += 7) {
      const copy = new Harness()
      mkdirSync(copy.path(), { recursive: true })
      for (const name of ['catalog', `log/${harness.segments().at(-1)}`]) {
        mkdirSync(join(copy.path(name), '..'), { recursive: true })
        copyFileSync(harness.path(name), copy.path(name))
      }
      copyFileSync(join(harness.root, '.memory-schema'), join(copy.root, '.memory-schema'))
      cutFile(copy.lastSegment(), length)
      expect(await pendingRuns(copy)).toEqual(['a'])
      await copy.crash()
      expect(await pendingRuns(copy)).toEqual(['a'])
      await copy.close()
    }
  })

  test.each([
    { name: 'zeroes', tail: new Uint8Array(700) },
    { name: 'half a line', tail: 'abcdef' },
    { name: 'lines that are no frames', tail: `${'0'.repeat(64)} 2 []\nx\n\n` },
  ])('$name behind the last frame are dropped', async ({ tail }) => {
    const harness = await crashedRoot('a')
    appendBytes(harness.lastSegment(), tail)
    const intake = await harness.open()
    expect(intake.snapshot().pending).toBe(1)
    await intake.admit(turn('b'))
    await harness.crash()
    expect(await pendingRuns(harness)).toEqual(['a', 'b'])
    await harness.close()
  })

  test('a last segment without header is dropped, and its number used again', async () => {
    const harness = await crashedRoot('a')
    const next = (harness.segments().at(-1) ?? 0) + 1
    writeFileSync(harness.path('log', String(next)), 'torn')
    expect(await pendingRuns(harness)).toEqual(['a'])
    expect(harness.segments()).toEqual([next])
    await harness.close()
  })

  test('of two admissions of one id the later counts: the first had failed as unknown', async () => {
    const harness = await crashedRoot('a')
    const number = harness.segments().at(-1) ?? 0
    const sentAgain = canonicalTurn(turn('a', { summary: 'Sent again.' }))
    const item = `{"admittedAt":"2026-05-01T09:00:00.000Z","id":"${A}","kind":"admit","order":7,"payloadHash":"${payloadHash(sentAgain)}","recipe":1,"turn":${sentAgain}}`
    appendBytes(harness.lastSegment(), formatFrame({ store: storeOf(harness), number }, `[${item}]`))
    const intake = await harness.open()
    const [only, ...others] = await intake.due(9)
    expect(others).toEqual([])
    expect(only).toMatchObject({ order: 7, turn: { summary: 'Sent again.' } })
    await intake.admit(turn('b'))
    expect((await intake.due(9))[1]?.order).toBe(8)
    await harness.close()
  })

  test('shard bytes behind its mark are cut and written again from the log', async () => {
    const harness = await closedRoot()
    appendBytes(harness.path('ledger', shardOfA), 'f'.repeat(128) + '\n' + 'torn')
    writeFileSync(harness.path('ledger', '00'), 'never committed')
    const intake = await harness.open()
    expect(readFileSync(harness.path('ledger', shardOfA)).length % 129).toBe(0)
    expect(readFileSync(harness.path('ledger', '00')).length).toBe(0)
    expect((await intake.admit(turn('a'))).status).toBe('duplicate')
    expect(intake.snapshot()).toMatchObject({ pending: 1, resolved: 1, unaccounted: 0 })
    await harness.reopen()
    await harness.close()
  })

  test('a valid record in neither log nor ledger is committed, with its own instant and order', async () => {
    const harness = await closedRoot()
    const other = new Harness()
    const theirs = await other.open()
    for (const runId of ['x', 'y', 'z', 'orphan']) await theirs.admit(turn(runId))
    await other.close()
    copyFileSync(other.path('pending', `${idOf('orphan')}.json`), harness.path('pending', `${idOf('orphan')}.json`))
    let intake = await harness.open()
    expect((await intake.due(9)).map(({ order, turn: { runId } }) => [runId, order])).toEqual([
      ['a', 1],
      ['orphan', 4],
    ])
    expect((await intake.admit(turn('orphan'))).status).toBe('duplicate')
    await intake.admit(turn('next'))
    expect((await intake.due(9)).at(-1)?.order).toBe(5)
    intake = await harness.reopen()
    expect(intake.snapshot()).toMatchObject({ pending: 3, unaccounted: 0 })
    await harness.close()
  })

  test('a record that a person removed is counted; the store runs, the turn stays a duplicate', async () => {
    const harness = await closedRoot()
    rmSync(harness.path('pending', recordOfA))
    const intake = await harness.open()
    expect(intake.snapshot()).toMatchObject({ pending: 0, resolved: 1, unaccounted: 1 })
    expect((await intake.admit(turn('a'))).status).toBe('duplicate')
    expect((await intake.admit(turn('c'))).status).toBe('admitted')
    await harness.close()
  })

  test('a removed record whose change is in the log still: counted as well', async () => {
    const harness = await closedRoot()
    let intake = await harness.open()
    await intake.fail(A, 'provider')
    await harness.crash()
    rmSync(harness.path('pending', recordOfA))
    intake = await harness.open()
    expect(intake.snapshot()).toMatchObject({ pending: 0, unaccounted: 1 })
    await harness.close()
  })

  test('a pruned receipt that a power loss brought back goes again, uncounted', async () => {
    const harness = new Harness()
    let intake = await harness.open({ limits: { maxReceipts: 1 } })
    await intake.admit(turn('a'))
    await intake.settle([{ id: A, memoryIds: [] }])
    await intake.checkpoint()
    const receipt = readFileSync(harness.path('resolved', recordOfA))
    await intake.admit(turn('b'))
    await intake.settle([{ id: idOf('b'), memoryIds: [] }])
    await harness.close()
    writeFileSync(harness.path('resolved', recordOfA), receipt)
    intake = await harness.open({ limits: { maxReceipts: 1 } })
    expect(intake.snapshot()).toMatchObject({ resolved: 1, pruned: 1, unaccounted: 0 })
    expect(harness.names('resolved')).toEqual([`${idOf('b')}.json`])
    await harness.close()
  })

  test('segments that a checkpoint folded in and a power loss brought back are ignored and removed', async () => {
    const harness = await crashedRoot('a')
    const old = harness.segments().at(-1) ?? 0
    const bytes = readFileSync(harness.lastSegment())
    const intake = await harness.open()
    await intake.settle([{ id: A, memoryIds: [] }])
    await harness.close()
    writeFileSync(harness.path('log', String(old)), bytes)
    expect(await pendingRuns(harness)).toEqual([])
    expect(harness.segments()).not.toContain(old)
    await harness.close()
  })

  test('of two copies without frames the higher revision counts', async () => {
    const harness = await closedRoot()
    const record = readFileSync(harness.path('pending', recordOfA))
    const intake = await harness.open()
    await intake.settle([{ id: A, memoryIds: ['m9'] }])
    await harness.close()
    writeFileSync(harness.path('pending', recordOfA), record)
    const reopened = await harness.open()
    expect(await reopened.turnStatus('a')).toEqual({ state: 'indexed', memoryIds: ['m9'] })
    expect(harness.names('pending')).toEqual([])
    await harness.close()
  })

  test('old temporaries go, those of the live epoch stay', async () => {
    const harness = await closedRoot()
    writeFileSync(harness.path('pending', `.${recordOfA}.tmp-1-0`), 'debris')
    writeFileSync(harness.path('.catalog.tmp-1-3'), 'debris')
    await harness.open()
    expect(harness.names('pending')).toEqual([recordOfA])
    expect(harness.names()).not.toContain('.catalog.tmp-1-3')
    await harness.close()
  })
})

describe('making a root (INT-6, OPS-5)', () => {
  test('the order: first segment, what the host prepares, catalog, marker', async () => {
    const harness = new Harness()
    let seen: boolean[] = []
    await harness.open({
      prepareNewRoot: async () => {
        seen = [
          harness.segments().length === 1,
          harness.names().includes('catalog'),
          '.memory-schema' in harness.bytes(),
        ]
      },
    })
    expect(seen).toEqual([true, false, false])
    await harness.reopen({
      prepareNewRoot: async () => {
        throw new Error('asked twice')
      },
    })
    await harness.close()
  })

  test('what the host cannot prepare leaves a root that is still new', async () => {
    const harness = new Harness()
    const refused = await rejection(harness.open({ prepareNewRoot: () => Promise.reject(new Error('no index')) }))
    expect(refused.message).toBe('no index')
    const intake = await harness.open()
    expect((await intake.admit(turn('a'))).status).toBe('admitted')
    await harness.close()
  })

  test('a root cut at any call of its making is made again', async () => {
    for (let cut = 1; ; cut++) {
      const faulty = faultyFileSystem()
      const harness = new Harness(faulty.fs)
      faulty.inject({ path: /capture-intake|memory-schema/, nth: cut, times: 1_000_000, errno: 'EIO' })
      const wasRefused = await harness.open().then(
        () => false,
        () => true,
      )
      faulty.clear()
      if (!wasRefused) {
        expect(cut).toBeGreaterThan(20)
        await harness.close()
        return
      }
      const intake = await harness.open()
      expect((await intake.admit(turn('a'))).status).toBe('admitted')
      await harness.close()
    }
  })

  test('a lost marker is made again for the same store', async () => {
    const harness = await closedRoot()
    rmSync(join(harness.root, '.memory-schema'))
    await harness.open()
    await harness.close()
    const store = storeOf(harness)
    expect(readFileSync(join(harness.root, '.memory-schema'), 'utf8')).toContain(store)
  })
})
