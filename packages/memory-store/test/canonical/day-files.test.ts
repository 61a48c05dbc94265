import { existsSync, readdirSync, statSync, symlinkSync, mkdirSync, writeFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { countingFileSystem } from '../../../../test/support/counting-file-system.js'
import { interceptFileSystem } from '../../../../test/support/intercepted-file-system.js'
import { bulletDigest, type DayChange } from '@mono-agent/memory-store'
import { sha256Hex } from '../../src/format/sha256.js'
import { identityOf } from '../../src/disk/file-identity.js'
import { nodeFileSystem } from '../../src/disk/file-system.js'
import { add, bullet, FILE, idsIn, openTestDays, writeDay } from './open-test-days.js'

describe('apply', () => {
  test('makes a day file: heading, bullets, owner-only, without waiting', async () => {
    const { days, text, path, clock, root } = await openTestDays()
    const [state] = await days.apply([{ file: FILE, changes: [add('a', 'b')] }])
    expect(text()).toMatch(/^# 2026-05-01\n\n- /)
    expect(idsIn(text())).toEqual(['a', 'b'])
    expect(statSync(path).mode & 0o777).toBe(0o600)
    expect(statSync(join(root, 'daily')).mode & 0o777).toBe(0o700)
    expect(clock.monotonicNow()).toBe(0)
    expect(state).toMatchObject({ file: FILE, drifted: false, outcomes: [{ status: 'added', ids: ['a', 'b'] }] })
    expect(state?.digest).toBe(sha256Hex(text()))
    const stat = nodeFileSystem.lstat(path)
    expect(state?.identity).toEqual(stat && identityOf(stat))
    expect(state?.delta).toMatchObject({ base: undefined, changed: [], removed: [] })
    expect(state?.delta?.added.map(({ id }) => id)).toEqual(['a', 'b'])
  })

  test('daily/ is not made again where the caller says that it must not be, not even if it goes meanwhile', async () => {
    const { days, reopen, root } = await openTestDays()
    await days.apply([{ file: FILE, changes: [add('a')] }])
    const gone = (): boolean => !existsSync(join(root, 'daily'))
    const assertDailyInPlace = (): void => {
      if (gone()) throw new Error('gone')
    }
    const other = { file: 'daily/2026-05-02.md', changes: [add('b')] }
    let sleeps = 0
    const guarded = reopen({
      assertDailyInPlace,
      sleep: () => Promise.resolve(void (sleeps++ === 0 && rmSync(join(root, 'daily'), { recursive: true }))),
    })
    // Goes while a file is awaited that another program may be saving.
    await expect(guarded.apply([{ file: FILE, changes: [add('c')] }])).rejects.toThrow('gone')
    await expect(guarded.apply([other])).rejects.toThrow('gone')
    expect([gone(), sleeps]).toEqual([true, 2])
    await days.apply([other])
    expect(gone()).toBe(false)
  })

  test('goes on from what it left, without waiting, with a delta against that', async () => {
    const { days, text, clock } = await openTestDays()
    const [first] = await days.apply([{ file: FILE, changes: [add('a')] }])
    const [a] = first?.document.bullets ?? []
    const set: DayChange = {
      kind: 'set',
      id: 'a',
      spareId: 'spare',
      baseDigest: a === undefined ? '' : bulletDigest(a),
      bullet: { ...bullet('a', 'New.'), rev: 'run-1' },
    }
    const [second] = await days.apply([{ file: FILE, changes: [set, add('b')] }])
    expect(idsIn(text())).toEqual(['a', 'b'])
    expect(second?.outcomes.map(({ status }) => status)).toEqual(['replaced', 'added'])
    expect(second?.delta?.base).toBe(first?.digest)
    expect(second?.delta?.added.map(({ id }) => id)).toEqual(['b'])
    expect(second?.delta?.changed.map(({ id }) => id)).toEqual(['a'])
    expect(clock.monotonicNow()).toBe(0)
  })

  test('costs one flush a day file and one for all of them', async () => {
    const counting = countingFileSystem()
    const { days } = await openTestDays(counting.fs)
    await days.apply([{ file: FILE, changes: [add('a')] }])
    counting.reset()
    const files = ['daily/2026-05-01.md', 'daily/2026-05-02.md', 'daily/2026-05-03.md']
    await days.apply(files.map((file) => ({ file, changes: [add('x')] })))
    expect(counting.counts()).toMatchObject({ 'file.sync': 3, 'file.dataSync': 0, syncDirectory: 1, rename: 3 })
    const order = counting.calls.map(({ operation }) => operation)
    expect(order.lastIndexOf('file.sync')).toBeLessThan(order.indexOf('rename'))
    expect(order.lastIndexOf('rename')).toBeLessThan(order.indexOf('syncDirectory'))
  })

  test('batches of one file are one rewrite; each gets its own outcomes', async () => {
    const counting = countingFileSystem()
    const { days, text } = await openTestDays(counting.fs)
    const states = await days.apply([
      { file: FILE, changes: [add('a'), add('b')] },
      { file: 'daily/2026-05-02.md', changes: [add('z')] },
      { file: FILE, changes: [add('a')] },
    ])
    expect(counting.count('rename')).toBe(2)
    expect(idsIn(text())).toEqual(['a', 'b'])
    expect(states.map(({ outcomes }) => outcomes.map(({ status }) => status))).toEqual([
      ['added', 'added'],
      ['added'],
      ['already_applied'],
    ])
    expect(states.map(({ file }) => file)).toEqual([FILE, 'daily/2026-05-02.md', FILE])
  })

  test('what this writer published already is not written again', async () => {
    const counting = countingFileSystem()
    const { days } = await openTestDays(counting.fs)
    const [first] = await days.apply([{ file: FILE, changes: [add('a')] }])
    counting.reset()
    const [second] = await days.apply([{ file: FILE, changes: [add('a')] }])
    expect(counting.counts()).toMatchObject({ open: 0, rename: 0 })
    expect(second).toMatchObject({ digest: first?.digest, identity: first?.identity, drifted: false })
    expect(second?.delta).toMatchObject({ base: first?.digest, added: [], changed: [], removed: [] })
  })

  test('what was only found is published once, for it may be in the cache only', async () => {
    const counting = countingFileSystem()
    const { days, reopen, text } = await openTestDays(counting.fs)
    await days.apply([{ file: FILE, changes: [add('a')] }])
    const before = text()
    const restarted = reopen()
    counting.reset()
    const [found] = await restarted.apply([{ file: FILE, changes: [add('a')] }])
    expect(found).toMatchObject({ outcomes: [{ status: 'already_applied' }], drifted: false })
    expect(counting.counts()).toMatchObject({ 'file.sync': 1, rename: 1, syncDirectory: 1 })
    expect(text()).toBe(before)
    counting.reset()
    await restarted.apply([{ file: FILE, changes: [add('a')] }])
    expect(counting.flushes()).toBe(0)
  })

  test('a file first met after a restart must read the same twice', async () => {
    const { days, reopen, clock, text } = await openTestDays()
    await days.apply([{ file: FILE, changes: [add('a')] }])
    await reopen().apply([{ file: FILE, changes: [add('b')] }])
    expect(clock.monotonicNow()).toBe(250)
    expect(idsIn(text())).toEqual(['a', 'b'])
  })

  test('calls that overlap never lose one', async () => {
    const { days, text } = await openTestDays()
    const ids = Array.from({ length: 30 }, (_, index) => `id-${index}`)
    await Promise.all(ids.map((id) => days.apply([{ file: FILE, changes: [add(id)] }])))
    expect(idsIn(text())).toEqual(ids)
  })

  test('more day files than are kept in memory are written all the same', async () => {
    const { days, root } = await openTestDays()
    const files = Array.from({ length: 20 }, (_, index) => `daily/2026-05-${String(index + 1).padStart(2, '0')}.md`)
    const states = await days.apply(files.map((file) => ({ file, changes: [add(`of-${file.slice(-5, -3)}`)] })))
    expect(states.map(({ file }) => file)).toEqual(files)
    await days.apply(files.map((file) => ({ file, changes: [add(`more-${file.slice(-5, -3)}`)] })))
    expect(days.list()).toEqual(files)
    expect(readdirSync(join(root, 'daily')).sort()).toEqual(files.map((file) => file.slice(6)))
    for (const file of files) expect((await days.read(file))?.document.bullets).toHaveLength(2)
  })

  test.each([
    'daily/2026-05-01.txt',
    'daily/2026-02-30.md',
    '../daily/2026-05-01.md',
    'audit/2026-05-01.md',
    'daily/../2026-05-01.md',
    '',
  ])('%j is no day file', async (file) => {
    const { days, root } = await openTestDays()
    await expect(days.apply([{ file, changes: [add('a')] }])).rejects.toBeInstanceOf(TypeError)
    await expect(days.read(file)).rejects.toBeInstanceOf(TypeError)
    expect(readdirSync(root).sort()).toEqual(['.writer-epoch', '.writer-lease'])
  })

  test('a batch without changes is a mistake of the caller', async () => {
    const { days } = await openTestDays()
    await expect(days.apply([{ file: FILE, changes: [] }])).rejects.toBeInstanceOf(TypeError)
    await expect(days.apply([])).resolves.toEqual([])
  })

  test.each([
    {
      name: 'the day file is a link',
      make: (root: string) => (mkdirSync(join(root, 'daily')), symlinkSync('x', join(root, FILE))),
    },
    {
      name: '`daily` is a link',
      make: (root: string) => (mkdirSync(join(root, 'x')), symlinkSync('x', join(root, 'daily'))),
    },
  ])('refuses to write where $name', async ({ make }) => {
    const { days, root } = await openTestDays()
    make(root)
    await expect(days.apply([{ file: FILE, changes: [add('a')] }])).rejects.toMatchObject({ code: 'path_unsafe' })
    expect(readdirSync(root)).not.toContain('2026-05-01.md')
  })

  test('writes nothing once the lease is lost, not even a directory or a temporary', async () => {
    const counting = countingFileSystem()
    const { days, root, text } = await openTestDays(counting.fs)
    const elsewhere = { file: '2026-05-02.md', changes: [add('c')] }
    await days.apply([elsewhere])
    writeFileSync(join(root, '.writer-epoch'), '9\n')
    counting.reset()
    for (const batch of [
      { file: FILE, changes: [add('a')] },
      { ...elsewhere, changes: [add('d')] },
    ]) {
      await expect(days.apply([batch])).rejects.toMatchObject({ code: 'lease_lost', outcome: 'unknown' })
    }
    expect(counting.counts()).toMatchObject({ open: 0, makeDirectory: 0, rename: 0 })
    expect(() => text()).toThrow(/ENOENT/)
  })

  test('looks at the lease once more right before the rename', async () => {
    let isStaged = (): void => undefined
    const fs = interceptFileSystem(nodeFileSystem, {
      around(call, proceed) {
        if (call.operation === 'file.sync') isStaged()
        return proceed()
      },
    })
    const { days, root, text } = await openTestDays(fs)
    await days.apply([{ file: FILE, changes: [add('a')] }])
    const before = text()
    isStaged = () => writeFileSync(join(root, '.writer-epoch'), '9\n')
    await expect(days.apply([{ file: FILE, changes: [add('b')] }])).rejects.toMatchObject({ code: 'lease_lost' })
    expect(text()).toBe(before)
    expect(readdirSync(join(root, 'daily'))).toEqual(['2026-05-01.md'])
  })
})

describe('read and list', () => {
  test('reads what is there, once, and tells what is not there', async () => {
    const { days, root, clock } = await openTestDays()
    expect(await days.read(FILE)).toBeUndefined()
    writeDay(root, FILE, '# 2026-05-01\n\nprose only')
    const state = await days.read(FILE)
    expect(state).toMatchObject({
      file: FILE,
      digest: sha256Hex('# 2026-05-01\n\nprose only'),
      drifted: false,
      outcomes: [],
    })
    expect(state).not.toHaveProperty('delta')
    expect(clock.monotonicNow()).toBe(0)
  })

  test('tells a person’s edit as drift, with what changed', async () => {
    const { days, save, clock, text } = await openTestDays()
    const [published] = await days.apply([{ file: FILE, changes: [add('a', 'b')] }])
    expect(await days.read(FILE)).toMatchObject({ drifted: false, digest: published?.digest })
    save((before) => before.replace('Sentence of a.', 'Said otherwise.'))
    const state = await days.read(FILE)
    expect(state).toMatchObject({
      drifted: true,
      digest: sha256Hex(text()),
      delta: { base: published?.digest, added: [], removed: [] },
    })
    expect(state?.delta?.changed.map(({ sentence }) => sentence)).toEqual(['Said otherwise.'])
    expect(clock.monotonicNow()).toBe(250)
    expect(await days.read(FILE)).toMatchObject({ drifted: false })
  })

  test('a file that a person removed is gone after two seconds', async () => {
    const { days, path, clock } = await openTestDays()
    await days.apply([{ file: FILE, changes: [add('a')] }])
    rmSync(path)
    expect(await days.read(FILE)).toBeUndefined()
    expect(clock.monotonicNow()).toBe(2_000)
  })

  test('lists both layouts by day and nothing else', async () => {
    const { days, root } = await openTestDays()
    expect(days.list()).toEqual([])
    const files = [
      'daily/2026-05-02.md',
      '2026-05-01.md',
      '2026-05-02.md',
      'daily/notes.md',
      'daily/2026-13-01.md',
      'daily/.2026-05-01.md.tmp-1-0',
    ]
    for (const file of files) writeDay(root, file, '')
    expect(days.list()).toEqual(['2026-05-01.md', '2026-05-02.md', 'daily/2026-05-02.md'])
  })
})
