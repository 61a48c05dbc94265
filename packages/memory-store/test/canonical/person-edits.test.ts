import { closeSync, openSync, renameSync, rmSync, writeFileSync, writeSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { interceptFileSystem, type Call } from '../../../../test/support/intercepted-file-system.js'
import { nodeFileSystem, type FileSystem } from '../../src/disk/file-system.js'
import { bulletDigest, formatBullet } from '@mono-agent/memory-store'
import { add, bullet, FILE, idsIn, openTestDays, type TestDays } from './open-test-days.js'

const linesOf = (id: string): string => `${formatBullet(bullet(id)).join('\n')}\n`

/** A day file with bullets a and b, published by `days`. */
async function published(fs?: FileSystem): Promise<TestDays> {
  const test = await openTestDays(fs)
  await test.days.apply([{ file: FILE, changes: [add('a', 'b')] }])
  return test
}

const addC = [{ file: FILE, changes: [add('c')] }]

/** Saves by writing another file and renaming it, as most editors do. */
function saveByRename(path: string, text: string): void {
  writeFileSync(`${path}.swp`, text)
  renameSync(`${path}.swp`, path)
}

describe('an edit between two writes (FMT-13)', () => {
  test('a person’s wording, bullets and prose stay, byte for byte', async () => {
    const { days, save, text, clock } = await published()
    const prose = 'Prose of a person  \n\tindented, no memory\r\n- a plain list item\n'
    save((before) => before.replace('Sentence of a.', 'As Ana says it.') + prose + linesOf('theirs'))
    const edited = text()
    const [state] = await days.apply(addC)
    expect(text()).toBe(edited + linesOf('c'))
    expect(state?.drifted).toBe(true)
    expect(state?.delta?.added.map(({ id }) => id)).toEqual(['theirs', 'c'])
    expect(state?.delta?.changed.map(({ sentence }) => sentence)).toEqual(['As Ana says it.'])
    expect(clock.monotonicNow()).toBe(250)
    expect((await days.apply(addC))[0]?.drifted).toBe(false)
  })

  test('a bullet they removed stays removed, once it is sure that the save was done', async () => {
    const { days, save, text, clock } = await published()
    save((before) => before.replace(linesOf('a'), ''))
    const [state] = await days.apply(addC)
    expect(idsIn(text())).toEqual(['b', 'c'])
    expect(state?.delta?.removed).toEqual(['a'])
    expect(clock.monotonicNow()).toBe(2_000)
  })

  test('where both changed one bullet, theirs stays and ours is added once under the spare id', async () => {
    const { days, save, text } = await published()
    const set = {
      kind: 'set' as const,
      id: 'a',
      baseDigest: bulletDigest(bullet('a')),
      bullet: { ...bullet('a', 'As the machine says it.'), rev: 'run-1' },
      spareId: 'spare',
    }
    save((before) => before.replace('Sentence of a.', 'As Ana says it.'))
    for (let times = 1; times <= 2; times++) {
      const [state] = await days.apply([{ file: FILE, changes: [set] }])
      expect(state?.outcomes).toEqual([{ status: times === 1 ? 'kept_theirs' : 'already_applied', ids: ['spare'] }])
      expect(idsIn(text())).toEqual(['a', 'b', 'spare'])
    }
    expect(text()).toContain('As Ana says it.')
    expect(text()).toContain('As the machine says it.')
  })

  test('a file they removed is made anew with our bullets alone', async () => {
    const { days, path, text } = await published()
    rmSync(path)
    const [state] = await days.apply(addC)
    expect(idsIn(text())).toEqual(['c'])
    expect(state).toMatchObject({ drifted: true })
    expect(state?.delta?.removed).toEqual(['a', 'b'])
  })
})

describe('a save that is half done', () => {
  test.each([
    { name: 'is empty so far', half: () => '' },
    { name: 'has the first bullets so far', half: (text: string) => text.slice(0, text.indexOf('- – Sentence of b')) },
    { name: 'stops in the middle of a line', half: (text: string) => text.slice(0, -20) },
  ])('that $name is waited for, though nothing moves meanwhile', async ({ half }) => {
    const { days, save, text, path, clock } = await published()
    const saved = `${text()}Their note.\n`
    save(half)
    clock.at(1_900, () => writeFileSync(path, saved))
    await days.apply(addC)
    expect(text()).toBe(saved + linesOf('c'))
  })

  test('after a restart the index tells what is missing', async () => {
    const { reopen, save, text, path, clock } = await published()
    const saved = text()
    save((before) => before.slice(0, before.indexOf('- – Sentence of b')))
    clock.at(1_900, () => writeFileSync(path, saved))
    await reopen({ indexedIds: () => ['a', 'b'] }).apply(addC)
    expect(idsIn(text())).toEqual(['a', 'b', 'c'])
  })

  test('a file that is away between two steps of a save is waited for', async () => {
    const { days, text, path, clock } = await published()
    const saved = `${text()}Their note.\n`
    rmSync(path)
    clock.at(1_500, () => writeFileSync(path, saved))
    await days.apply(addC)
    expect(text()).toBe(saved + linesOf('c'))
  })

  test('a file that never rests is busy after ten seconds; nothing is written, and the next try works', async () => {
    const { days, save, text, clock } = await published()
    let isTyping = true
    const type = (): void => save((before) => (isTyping ? `${before}x` : before))
    type()
    clock.onSleep(type)
    await expect(days.apply(addC)).rejects.toMatchObject({ code: 'file_busy' })
    expect(clock.monotonicNow()).toBe(10_000)
    expect(idsIn(text())).toEqual(['a', 'b'])
    isTyping = false
    await days.apply(addC)
    expect(idsIn(text())).toEqual(['a', 'b', 'c'])
  })
})

/** Runs `edit` once, right before the first call that `when` names. */
function meddling(): { fs: FileSystem; before: (when: (call: Call) => boolean, edit: () => void) => void } {
  let armed: { when: (call: Call) => boolean; edit: () => void } | undefined
  const fs = interceptFileSystem(nodeFileSystem, {
    around(call, proceed) {
      if (armed?.when(call) === true) {
        const { edit } = armed
        armed = undefined
        edit()
      }
      return proceed()
    },
  })
  return { fs, before: (when, edit) => (armed = { when, edit }) }
}

const isStaging = ({ operation }: Call): boolean => operation === 'file.sync'
const isRename = ({ operation, path }: Call): boolean => operation === 'rename' && path.endsWith('2026-05-01.md')
const isFlush = ({ operation }: Call): boolean => operation === 'syncDirectory'

describe('a save while we write', () => {
  test.each([
    { name: 'in place', saver: (path: string, text: string) => writeFileSync(path, text) },
    { name: 'by rename', saver: saveByRename },
  ])('before the last look, $name: it is merged', async ({ saver }) => {
    const meddler = meddling()
    const { days, text, path } = await published(meddler.fs)
    meddler.before(isStaging, () => saver(path, `${text()}Their note.\n`))
    const [state] = await days.apply(addC)
    expect(text()).toContain('Their note.\n')
    expect(idsIn(text())).toEqual(['a', 'b', 'c'])
    expect(state).toMatchObject({ drifted: true, outcomes: [{ status: 'added', ids: ['c'] }] })
  })

  test('in place between the last look and the rename: found in the replaced file, and merged', async () => {
    const meddler = meddling()
    const { days, save, text } = await published(meddler.fs)
    meddler.before(isRename, () => save((before) => `${before}Their note.\n${linesOf('theirs')}`))
    const [state] = await days.apply(addC)
    expect(text()).toContain('Their note.\n')
    expect(idsIn(text())).toEqual(['a', 'b', 'theirs', 'c'])
    expect(state?.drifted).toBe(true)
    expect(state?.delta?.added.map(({ id }) => id)).toEqual(['theirs', 'c'])
  })

  test('the same with a file that loses a byte and a tick: the bytes are compared, not the times', async () => {
    const meddler = meddling()
    const { days, save, text } = await published(meddler.fs)
    meddler.before(isRename, () => save((before) => before.replace('Sentence of a.', 'sentence of A!')))
    await days.apply(addC)
    expect(text()).toContain('sentence of A!')
    expect(idsIn(text())).toEqual(['a', 'b', 'c'])
  })

  test('in place and half done at the rename: what the editor writes next into the replaced file is not lost', async () => {
    const meddler = meddling()
    const { days, text, path, clock } = await published(meddler.fs)
    const saved = `${text()}Their note.\n`
    meddler.before(isRename, () => {
      const editor = openSync(path, 'r+')
      writeFileSync(path, '')
      clock.at(1_500, () => (writeSync(editor, saved, 0), closeSync(editor)))
    })
    await days.apply(addC)
    expect(text()).toBe(saved + linesOf('c'))
  })

  test('in place, and then once more by rename: the later save counts, the earlier one’s new bullets are kept', async () => {
    const meddler = meddling()
    const { days, save, text, path, clock } = await published(meddler.fs)
    meddler.before(isRename, () => {
      save((before) => before + linesOf('early'))
      meddler.before(isFlush, () => clock.at(100, () => saveByRename(path, `${text()}Later note.\n`)))
    })
    await days.apply(addC)
    expect(text()).toContain('Later note.\n')
    expect(idsIn(text()).sort()).toEqual(['a', 'b', 'c', 'early'])
  })

  test('right after the rename: it is merged by the next write', async () => {
    const meddler = meddling()
    const { days, save, text } = await published(meddler.fs)
    meddler.before(isFlush, () => save((before) => `${before}Their note.\n`))
    await days.apply(addC)
    const [state] = await days.apply([{ file: FILE, changes: [add('d')] }])
    expect(text()).toContain('Their note.\n')
    expect(idsIn(text())).toEqual(['a', 'b', 'c', 'd'])
    expect(state?.drifted).toBe(true)
  })
})
