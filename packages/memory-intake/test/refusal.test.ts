import { copyFileSync, linkSync, readFileSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { formatRecord, parseRecord } from '../src/format/admission-record.js'
import { formatFrame, formatSegmentHeader } from '../src/format/log-frame.js'
import { appendBytes, cutFile, idOf, rejection, type Harness } from './support/harness.js'
import { closedRoot, crashedRoot, storeOf } from './support/roots.js'

const A = idOf('a')
const shardOfA = A.slice(0, 2)
const recordOfA = `${A}.json`

describe('refused, and nothing touched (INT-7)', () => {
  test.each<{ name: string; harm: (harness: Harness) => void | Promise<void>; code?: string }>([
    { name: 'catalog missing', harm: (h) => rmSync(h.path('catalog')) },
    { name: 'catalog cut', harm: (h) => cutFile(h.path('catalog'), 100) },
    { name: 'catalog empty', harm: (h) => cutFile(h.path('catalog'), 0) },
    {
      name: 'catalog with one byte changed',
      harm: (h) => {
        const bytes = readFileSync(h.path('catalog'))
        bytes[200] = (bytes[200] ?? 0) ^ 1
        writeFileSync(h.path('catalog'), bytes)
      },
    },
    {
      name: 'ledger and catalog lost together',
      harm: (h) => {
        rmSync(h.path('catalog'))
        rmSync(h.path('ledger'), { recursive: true })
      },
    },
    { name: 'the whole of intake lost', harm: (h) => rmSync(h.path(), { recursive: true }) },
    { name: 'marker not as written', harm: (h) => cutFile(join(h.root, '.memory-schema'), 40) },
    {
      name: 'marker of another store',
      harm: async (h) => {
        const other = await closedRoot()
        copyFileSync(join(other.root, '.memory-schema'), join(h.root, '.memory-schema'))
      },
    },
    {
      name: 'no marker, no catalog, a record',
      harm: (h) => {
        rmSync(join(h.root, '.memory-schema'))
        rmSync(h.path('catalog'))
        rmSync(h.path('ledger'), { recursive: true })
      },
    },
    { name: 'shard missing', harm: (h) => rmSync(h.path('ledger', shardOfA)) },
    { name: 'shard shorter than its mark', harm: (h) => cutFile(h.path('ledger', shardOfA), 128) },
    { name: 'shard empty', harm: (h) => cutFile(h.path('ledger', shardOfA), 0) },
    {
      name: 'shard changed',
      harm: (h) => {
        const path = h.path('ledger', shardOfA)
        writeFileSync(
          path,
          readFileSync(path, 'latin1').replace(/^./, (digit) => (digit === '0' ? '1' : '0')),
        )
      },
    },
    { name: 'foreign file in the ledger', harm: (h) => writeFileSync(h.path('ledger', 'notes.txt'), 'x') },
    {
      name: 'shard is a link',
      harm: (h) => {
        renameSync(h.path('ledger', shardOfA), h.path('elsewhere'))
        symlinkSync(h.path('elsewhere'), h.path('ledger', shardOfA))
      },
      code: 'path_unsafe',
    },
    ...(['catalog', 'marker', 'segment'] as const).map((what) => ({
      name: `${what} is a link`,
      harm: (h: Harness) => {
        const path = { catalog: h.path('catalog'), marker: join(h.root, '.memory-schema'), segment: h.lastSegment() }[
          what
        ]
        renameSync(path, h.path('elsewhere'))
        symlinkSync(h.path('elsewhere'), path)
      },
      code: 'path_unsafe',
    })),
    { name: 'segment missing', harm: (h) => rmSync(h.lastSegment()) },
    { name: 'first segment headless', harm: (h) => cutFile(h.lastSegment(), 20) },
    { name: 'first segment empty', harm: (h) => cutFile(h.lastSegment(), 0) },
    {
      name: 'gap in the segments',
      harm: (h) => {
        const next = (h.segments().at(-1) ?? 0) + 2
        writeFileSync(h.path('log', String(next)), formatSegmentHeader({ store: storeOf(h), number: next }))
      },
    },
    {
      name: 'headless segment in the middle',
      harm: (h) => {
        const last = h.segments().at(-1) ?? 0
        writeFileSync(h.path('log', String(last + 1)), '')
        writeFileSync(h.path('log', String(last + 2)), formatSegmentHeader({ store: storeOf(h), number: last + 2 }))
      },
    },
    {
      name: 'segment of another store',
      harm: (h) => {
        const next = (h.segments().at(-1) ?? 0) + 1
        writeFileSync(h.path('log', String(next)), formatSegmentHeader({ store: 'ab'.repeat(32), number: next }))
      },
    },
    {
      name: 'entry of an unknown kind',
      harm: (h) => {
        const number = h.segments().at(-1) ?? 0
        appendBytes(h.lastSegment(), formatFrame({ store: storeOf(h), number }, '[{"kind":"new"}]'))
      },
    },
    {
      name: 'change of a turn that was never admitted',
      harm: (h) => {
        const number = h.segments().at(-1) ?? 0
        const item = `{"at":"2026-05-01T09:00:00.000Z","id":"${idOf('z')}","kind":"retry","revision":2}`
        appendBytes(h.lastSegment(), formatFrame({ store: storeOf(h), number }, `[${item}]`))
      },
    },
    { name: 'foreign file in the log', harm: (h) => writeFileSync(h.path('log', '1.bak'), 'x') },
    { name: 'record malformed', harm: (h) => writeFileSync(h.path('pending', recordOfA), '{}') },
    { name: 'record cut', harm: (h) => cutFile(h.path('pending', recordOfA), 50) },
    {
      name: 'record with one letter of the payload changed',
      harm: (h) => {
        const path = h.path('pending', recordOfA)
        writeFileSync(path, readFileSync(path, 'utf8').replace('Summary', 'Simmary'))
      },
    },
    {
      name: 'record under the name of another',
      harm: (h) => renameSync(h.path('pending', recordOfA), h.path('pending', `${idOf('q')}.json`)),
    },
    {
      name: 'record in the directory of another state',
      harm: (h) => renameSync(h.path('pending', recordOfA), h.path('dead', recordOfA)),
    },
    { name: 'foreign file among records', harm: (h) => writeFileSync(h.path('dead', 'note.md'), 'x') },
    {
      name: 'record is a symbolic link',
      harm: (h) => {
        renameSync(h.path('pending', recordOfA), h.path('elsewhere'))
        symlinkSync(h.path('elsewhere'), h.path('pending', recordOfA))
      },
    },
    {
      name: 'record has a second name',
      harm: (h) => linkSync(h.path('pending', recordOfA), h.path('elsewhere')),
    },
    {
      name: 'receipt is a symbolic link',
      harm: (h) => {
        const receipt = h.path('resolved', `${idOf('b')}.json`)
        renameSync(receipt, h.path('elsewhere'))
        symlinkSync(h.path('elsewhere'), receipt)
      },
    },
    {
      name: 'two copies of one revision',
      harm: (h) => {
        const record = parseRecord(readFileSync(h.path('pending', recordOfA)))
        if (record === undefined) throw new Error('no record')
        const state = { ...record.state, state: 'dead', failure: 'provider' } as const
        writeFileSync(h.path('dead', recordOfA), formatRecord({ ...record, state }))
      },
    },
  ])('$name', async ({ harm, code = 'intake_invalid' }) => {
    const harness = await closedRoot()
    await harm(harness)
    const before = harness.bytes()
    const refused = await rejection(harness.open())
    expect(refused.code).toBe(code)
    expect(refused.message).not.toMatch(/web:1|Summary|\/memory-root/)
    expect(harness.bytes()).toEqual(before)
  })

  test('an invalid frame before a valid one', async () => {
    const harness = await crashedRoot('a', 'b', 'c')
    const log = readFileSync(harness.lastSegment(), 'utf8')
    writeFileSync(harness.lastSegment(), log.replace('Summary of b', 'Simmary of b'))
    const before = harness.bytes()
    expect(await rejection(harness.open())).toMatchObject({ code: 'intake_invalid' })
    expect(harness.bytes()).toEqual(before)
  })

  test('a header that is gone before valid frames', async () => {
    const harness = await crashedRoot('a', 'b')
    const log = readFileSync(harness.lastSegment(), 'utf8')
    writeFileSync(harness.lastSegment(), `#${log.slice(1)}`)
    expect(await rejection(harness.open())).toMatchObject({ code: 'intake_invalid' })
  })
})
