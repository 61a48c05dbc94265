import { existsSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { countingFileSystem } from '../../../../test/support/counting-file-system.js'
import { faultyFileSystem, type Fault } from '../../../../test/support/faulty-file-system.js'
import {
  formatGraphLine,
  formatLineLog,
  loadGraphFile,
  nodeFileSystem,
  openGraphFile,
  sha256Hex,
  type GraphContent,
  type GraphLine,
} from '../../src/index.js'
import { about, baseOf, entity, openTestRoot } from './open-test-logs.js'

const GRAPH = 'graph.jsonl'
const EMPTY = baseOf('')
const log = (...lines: GraphLine[]): string => Buffer.from(formatLineLog(lines.map(formatGraphLine))).toString()
const slugs = ({ graph }: GraphContent): string[] => [...graph.entities.keys()].map((id) => id.slice('person:'.length))

describe('appending', () => {
  test('plan after plan; what is known is what is on disk', async () => {
    const { root, options, text } = await openTestRoot()
    const file = await openGraphFile(options)
    let content = await file.look()
    expect(content).toMatchObject({ base: EMPTY, file: undefined })
    expect(existsSync(`${root}/${GRAPH}`)).toBe(false)
    content = await file.append(content.base, [entity('ana'), about('r-1-1', 'ana')])
    content = await file.append(content.base, [entity('bo')])
    const whole = log(entity('ana'), about('r-1-1', 'ana'), entity('bo'))
    expect(text(GRAPH)).toBe(whole)
    expect(content.base).toEqual(baseOf(whole))
    expect(content.file).toMatchObject({ path: GRAPH, digest: sha256Hex(whole) })
    expect(slugs(content)).toEqual(['ana', 'bo'])
    const loaded = loadGraphFile(nodeFileSystem, root)
    expect({ base: loaded.base, file: loaded.file }).toEqual({ base: content.base, file: content.file })
    expect([...loaded.graph.entities]).toEqual([...content.graph.entities])
    expect(loaded.graph.associations()).toEqual(content.graph.associations())
  })

  test('reads nothing and flushes once', async () => {
    const counting = countingFileSystem()
    const { options } = await openTestRoot(counting.fs)
    const file = await openGraphFile(options)
    let { base } = await file.append(EMPTY, [entity('ana')])
    counting.reset()
    ;({ base } = await file.append(base, [entity('bo')]))
    expect((await file.look()).base).toEqual(base)
    expect(counting.count('file.read')).toBe(0)
    expect(counting.flushes()).toBe(1)
  })

  test('no lines make no file, and a line that cannot be written changes nothing', async () => {
    const { options, path, text } = await openTestRoot()
    const file = await openGraphFile(options)
    await file.append(EMPTY, [])
    expect(existsSync(path(GRAPH))).toBe(false)
    const { base } = await file.append(EMPTY, [entity('ana')])
    await expect(file.append(base, [entity('bo'), { ...entity('cy'), name: '' }])).rejects.toThrow(RangeError)
    expect(text(GRAPH)).toBe(log(entity('ana')))
  })
})

describe('an append that was cut', () => {
  const before = log(entity('ana'))
  const ours = [entity('zoë'), about('r-2-1', 'ana'), entity('bo')]
  const whole = before + log(...ours)

  test('anywhere, zeroes in it or not: cut back and appended again, twice the same', () =>
    fc.assert(
      fc.asyncProperty(fc.nat(), fc.nat(), fc.nat({ max: 9 }), async (end, hole, zeroes) => {
        const { options, write, text, reopened } = await openTestRoot()
        const found = Buffer.from(whole).subarray(
          0,
          before.length + (end % (Buffer.byteLength(whole) - before.length + 1)),
        )
        const tail = found.subarray(before.length)
        if (tail.length > 0) tail.fill(0, hole % tail.length, Math.min((hole % tail.length) + zeroes, tail.length))
        write(GRAPH, found)
        const file = await openGraphFile({ ...options, covered: baseOf(before) })
        expect(slugs(await file.look())).toEqual(['ana'])
        const content = await file.append(baseOf(before), ours)
        expect(text(GRAPH)).toBe(whole)
        expect(content.base).toEqual(baseOf(whole))
        expect(slugs(content)).toEqual(['ana', 'zoë', 'bo'])
        const again = await openGraphFile({ ...(await reopened()), covered: baseOf(before) })
        expect(slugs(await again.append(baseOf(before), ours))).toEqual(['ana', 'zoë', 'bo'])
        expect(text(GRAPH)).toBe(whole)
      }),
      { numRuns: 60 },
    ))

  test('without a plan it is damage: the byte is named, and the file is left', async () => {
    const { root, options, write, text } = await openTestRoot()
    const torn = `${before}{"kind":"ent`
    write(GRAPH, torn)
    const where = new RegExp(`graph\\.jsonl .*line 2, from byte ${before.length}\\.`)
    expect(() => loadGraphFile(nodeFileSystem, root)).toThrow(
      expect.objectContaining({ code: 'canonical_invalid', message: expect.stringMatching(where) as string }),
    )
    await expect(openGraphFile(options)).rejects.toMatchObject({ code: 'canonical_invalid' })
    expect(text(GRAPH)).toBe(torn)
    expect(slugs(loadGraphFile(nodeFileSystem, root, baseOf(before)))).toEqual(['ana'])
  })

  test('before the base it is damage, plan or not', async () => {
    const { options, write, text } = await openTestRoot()
    const damaged = `no line\n${before}`
    write(GRAPH, damaged)
    await expect(openGraphFile({ ...options, covered: baseOf(damaged) })).rejects.toMatchObject({
      code: 'canonical_invalid',
    })
    await expect(openGraphFile({ ...options, covered: baseOf('no line\n') })).rejects.toMatchObject({
      code: 'canonical_invalid',
    })
    expect(text(GRAPH)).toBe(damaged)
  })

  test('a base of another file does not cover a torn end', async () => {
    const { options, write } = await openTestRoot()
    write(GRAPH, `${before}torn`)
    const covered = { ...baseOf(before), digest: sha256Hex('another') }
    await expect(openGraphFile({ ...options, covered })).rejects.toMatchObject({ code: 'canonical_invalid' })
  })

  test('all of it found after a kill is flushed once more', async () => {
    const counting = countingFileSystem()
    const { options, write } = await openTestRoot(counting.fs)
    write(GRAPH, whole)
    const file = await openGraphFile({ ...options, covered: baseOf(before) })
    counting.reset()
    await file.append(baseOf(before), ours)
    expect(counting.count('file.dataSync')).toBe(1)
  })
})

describe('edited by hand between plan and append', () => {
  const before = log(entity('ana'), entity('bo'))
  const ours = [entity('zoë'), about('r-2-1', 'ana')]
  test.each([
    { name: 'a line removed', found: log(entity('ana')), after: log(entity('ana'), ...ours) },
    { name: 'all removed', found: '', after: log(...ours) },
    {
      name: 'a line changed',
      found: log({ ...entity('ana'), name: 'Anna' }, entity('bo')),
      after: log({ ...entity('ana'), name: 'Anna' }, entity('bo'), ...ours),
    },
    { name: 'lines before it', found: log(entity('cy')) + before, after: log(entity('cy')) + before + log(...ours) },
    { name: 'a line behind it', found: before + log(entity('cy')), after: before + log(entity('cy'), ...ours) },
    {
      name: 'one of ours is there',
      found: log(entity('ana'), ...ours.slice(0, 1)),
      after: log(entity('ana'), ...ours),
    },
    { name: 'all of ours are there', found: log(...ours, entity('ana')), after: log(...ours, entity('ana')) },
    {
      name: 'a line behind half of ours',
      found: before + log(entity('zoë'), entity('cy')),
      after: before + log(entity('zoë'), entity('cy'), about('r-2-1', 'ana')),
    },
    {
      name: 'a line before a torn end',
      found: `${before}${log(entity('cy'))}{"id`,
      after: before + log(entity('cy'), ...ours),
    },
  ])('$name: theirs stays, what is missing of ours goes to the end', async ({ found, after }) => {
    for (const isOpen of [false, true]) {
      const { root, options, write, text, clock } = await openTestRoot()
      if (isOpen) write(GRAPH, before)
      else write(GRAPH, found)
      const file = await openGraphFile({ ...options, covered: baseOf(before) })
      if (isOpen) write(GRAPH, found)
      for (const _replay of [1, 2]) {
        const content = await file.append(baseOf(before), ours)
        expect(text(GRAPH)).toBe(after)
        expect(content.base).toEqual(baseOf(after))
        expect([...content.graph.entities]).toEqual([...loadGraphFile(nodeFileSystem, root).graph.entities])
      }
      expect(clock.monotonicNow() > 0).toBe(isOpen) // a change while it is open must settle
    }
  })

  test('a torn end behind an edited beginning is nobody’s to cut', async () => {
    const { options, write, text } = await openTestRoot()
    const found = `${log(entity('ana'))}{"id`
    write(GRAPH, before)
    const file = await openGraphFile(options)
    write(GRAPH, found)
    await expect(file.append(baseOf(before), ours)).rejects.toMatchObject({ code: 'canonical_invalid' })
    expect(text(GRAPH)).toBe(found)
  })

  test('a file that is half saved is waited for', async () => {
    const { options, write, text, clock } = await openTestRoot()
    write(GRAPH, before)
    const file = await openGraphFile(options)
    write(GRAPH, log(entity('cy')))
    clock.at(100, () => write(GRAPH, log(entity('cy'), entity('di'))))
    await file.append(baseOf(before), ours)
    expect(text(GRAPH)).toBe(log(entity('cy'), entity('di'), ...ours))
  })

  test('one that is written all the time is busy, and left', async () => {
    const { options, write, clock } = await openTestRoot()
    write(GRAPH, before)
    const file = await openGraphFile(options)
    let saves = 0
    const save = (): void => write(GRAPH, log(entity(`s${saves++}`)))
    save()
    clock.onSleep(save)
    await expect(file.append(baseOf(before), ours)).rejects.toMatchObject({ code: 'file_busy' })
  })
})

test('a change by somebody else is seen by the next look', async () => {
  const { options, write, path } = await openTestRoot()
  const file = await openGraphFile(options)
  await file.append(EMPTY, [entity('ana')])
  write(GRAPH, log(entity('ana'), entity('bo')))
  expect(slugs(await file.look())).toEqual(['ana', 'bo'])
  const content = await file.append(baseOf(log(entity('ana'), entity('bo'))), [entity('cy')])
  expect(slugs(content)).toEqual(['ana', 'bo', 'cy'])
  rmSync(path(GRAPH))
  expect(await file.look()).toMatchObject({ base: EMPTY, file: undefined })
})

test('a link in its place is refused, and what it leads to is left', async () => {
  const { root, options, path } = await openTestRoot()
  writeFileSync(path('elsewhere'), log(entity('ana')))
  symlinkSync(path('elsewhere'), path(GRAPH))
  await expect(openGraphFile(options)).rejects.toMatchObject({ code: 'path_unsafe' })
  expect(() => loadGraphFile(nodeFileSystem, root)).toThrow(expect.objectContaining({ code: 'path_unsafe' }))
})

describe.each([
  { name: 'refused', fault: { errno: 'EIO' } },
  { name: 'refused for want of space', fault: { errno: 'ENOSPC' } },
  { name: 'carried out, then said to have failed', fault: { errno: 'EIO', afterEffect: true } },
  { name: 'cut in a write', fault: { operation: 'file.write', takes: 7, errno: 'ENOSPC' } },
] as { name: string; fault: Fault }[])('any call of the port $name', ({ fault }) => {
  test('the plan, carried out again, leaves the file as if nothing had happened', async () => {
    const ours = [entity('zoë'), about('r-2-1', 'ana')]
    const counting = countingFileSystem()
    const dry = await openTestRoot(counting.fs)
    const first = await openGraphFile(dry.options)
    const { base } = await first.append(EMPTY, [entity('ana')])
    counting.reset()
    await first.append(base, ours)
    for (let nth = 1; nth <= counting.calls.length; nth++) {
      const faulty = faultyFileSystem()
      const { options, text, reopened } = await openTestRoot(faulty.fs)
      const file = await openGraphFile(options)
      await file.append(EMPTY, [entity('ana')])
      faulty.inject({ ...fault, nth })
      await file.append(base, ours).catch((error: unknown) => {
        expect(error, `call ${nth}`).toMatchObject({ code: 'storage_failed' })
      })
      faulty.clear()
      const content = await file.append(base, ours)
      expect(text('graph.jsonl'), `call ${nth}`).toBe(log(entity('ana'), ...ours))
      expect(slugs(content), `call ${nth}`).toEqual(['ana', 'zoë'])
      expect(content.graph.associations(), `call ${nth}`).toHaveLength(1)
      const after = await openGraphFile({ ...(await reopened()), covered: base })
      await after.append(base, ours)
      expect(text('graph.jsonl'), `call ${nth}`).toBe(log(entity('ana'), ...ours))
    }
  })
})

test('somebody who writes in the instant of an append is read at once', async () => {
  const faulty = countingFileSystem()
  let isArmed = false
  const fs = {
    ...faulty.fs,
    lstat(path: string) {
      if (isArmed && path.endsWith(GRAPH) && faulty.count('file.dataSync') > 0) {
        isArmed = false
        writeFileSync(path, log(entity('ana'), entity('cy')), { flag: 'a' })
      }
      return faulty.fs.lstat(path)
    },
  }
  const { options } = await openTestRoot(fs)
  const file = await openGraphFile(options)
  isArmed = true
  const content = await file.append(EMPTY, [entity('bo')])
  const whole = log(entity('bo'), entity('ana'), entity('cy'))
  expect({ slugs: slugs(content), base: content.base }).toEqual({ slugs: ['bo', 'ana', 'cy'], base: baseOf(whole) })
  expect(content.file?.digest).toBe(sha256Hex(whole))
})

test('after an append that failed and could not be cut back, a look needs the plan', async () => {
  const faulty = faultyFileSystem()
  const { options, text } = await openTestRoot(faulty.fs)
  const file = await openGraphFile(options)
  const { base } = await file.append(EMPTY, [entity('ana')])
  const before = text(GRAPH)
  faulty.inject({ operation: 'file.write', takes: 7, errno: 'ENOSPC' })
  faulty.inject({ operation: 'file.truncate', errno: 'EIO' })
  await expect(file.append(base, [entity('zoë')])).rejects.toMatchObject({ code: 'storage_failed' })
  expect(text(GRAPH)).toHaveLength(before.length + 7)
  await expect(file.look()).rejects.toMatchObject({ code: 'canonical_invalid' })
  const content = await file.look(base)
  expect({ size: content.graph.entities.size, base: content.base }).toEqual({ size: 1, base })
  expect((await file.append(base, [entity('zoë')])).graph.entities.size).toBe(2)
  expect((await file.look()).graph.entities.size).toBe(2)
})
