import { createHash } from 'node:crypto'
import { readFileSync, writeFileSync } from 'node:fs'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { formatLedgerEntry } from '../src/format/ledger-entry.js'
import { ShardIds } from '../src/id-table.js'
import { Ledger } from '../src/ledger.js'
import { intakePaths } from '../src/intake-paths.js'
import { nodeFileSystem } from '@mono-agent/memory-store'
import { Harness, idOf, rejection, turn } from './support/harness.js'

const entryOf = (id: string) => Buffer.from(formatLedgerEntry({ id, payloadHash: id }))

test('the table finds every entry and, but for equal fingerprints, nothing else', () => {
  const digits = fc.constantFrom('00000000', '00000001', '0000001f', 'ffffffff', '10000000', 'deadbeef')
  const ids = fc.array(fc.tuple(digits, fc.nat(50)).map(([start, n]) => `7a${start}${String(n).padStart(54, '0')}`))
  fc.assert(
    fc.property(ids, digits, (known, other) => {
      const table = new ShardIds()
      for (const id of known) table.addEntries(entryOf(id))
      expect(table.count).toBe(known.length)
      for (const id of [...known, `7a${other}`.padEnd(64, '5')]) {
        const same = known.flatMap((each, entry) => (each.slice(2, 10) === id.slice(2, 10) ? [entry] : []))
        expect([...table.candidates(id)].sort((a, b) => a - b)).toEqual(same)
      }
    }),
  )
})

test('10,000 entries of one shard are all found', () => {
  const table = new ShardIds()
  const ids = Array.from(
    { length: 10_000 },
    (_, n) => `00${createHash('sha256').update(String(n)).digest('hex').slice(2)}`,
  )
  table.addEntries(Buffer.concat(ids.map(entryOf)))
  ids.forEach((id, entry) => expect([...table.candidates(id)]).toContain(entry))
})

test('two ids of one fingerprint: the entry on disk decides', async () => {
  const harness = new Harness()
  await harness.open()
  const paths = intakePaths(harness.root)
  const ledger = new Ledger(nodeFileSystem, paths)
  const [first, second, third] = ['1', '2', '3'].map((end) => `7adeadbeef${end.padStart(54, '0')}`) as [
    string,
    string,
    string,
  ]
  const prepared = await ledger.prepare(harness.lease, [
    { id: first, payloadHash: idOf('x') },
    { id: second, payloadHash: idOf('y') },
  ])
  expect(ledger.find(first)).toBeUndefined() // not before the catalog commits it
  prepared.commit()
  expect(ledger.find(first)?.payloadHash).toBe(idOf('x'))
  expect(ledger.find(second)?.payloadHash).toBe(idOf('y'))
  expect(ledger.mayHold(third)).toBe(true)
  expect(ledger.find(third)).toBeUndefined()
  expect(ledger.entries).toBe(2)
  await harness.close()
})

test('what was prepared and not committed is overwritten by the next preparation', async () => {
  const harness = new Harness()
  await harness.open()
  const paths = intakePaths(harness.root)
  const ledger = new Ledger(nodeFileSystem, paths)
  const entry = (name: string) => ({ id: `7a${idOf(name).slice(2)}`, payloadHash: idOf(name) })
  await ledger.prepare(harness.lease, [entry('lost'), entry('lost too')])
  const prepared = await ledger.prepare(harness.lease, [entry('kept')])
  prepared.commit()
  expect(readFileSync(harness.path('ledger', '7a'), 'utf8')).toBe(formatLedgerEntry(entry('kept')))
  const again = new Ledger(nodeFileSystem, paths)
  expect(await again.load(prepared.shards)).toEqual([])
  expect(again.find(entry('kept').id)).toEqual(entry('kept'))
  await harness.close()
})

test('committed bytes that change while the store is open are noticed, not believed', async () => {
  const harness = new Harness()
  const intake = await harness.open()
  await intake.admit(turn('a'))
  await intake.settle([{ id: idOf('a'), memoryIds: [] }])
  await intake.checkpoint()
  writeFileSync(harness.path('ledger', idOf('a').slice(0, 2)), 'x'.repeat(129))
  expect(await rejection(intake.admit(turn('a')))).toMatchObject({ code: 'intake_invalid' })
  await harness.crash()
})
