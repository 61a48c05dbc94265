// The verifier of sealed copies is shown copies that break what it stands for.
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { crc32 } from 'node:zlib'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openWritableIndex } from '../../packages/memory-search/dist/index.js'
import { acquireWriterLease, nodeFileSystem } from '../../packages/memory-store/dist/index.js'
import { checkSidecar } from './check-sidecar.mjs'
import { readManifest } from './check-vectors.mjs'
import { hashEmbeddings } from './embeddings.mjs'
import { openJournal } from './open-journal.mjs'
import { sealedCopyOf } from './sealing.mjs'
import { tellingOf } from './tellings.mjs'

const PREAMBLE = 20
const LENGTH_AT = 12
const CHECKSUM_AT = 16

const folder = mkdtempSync(join(tmpdir(), 'sidecar-verifier-'))
const whole = join(folder, 'whole')
let serial = 0

beforeAll(async () => {
  await tell('short-1:1', 'short-3:1', 'short-5:1')
  await seal()
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

async function tell(...runIds) {
  const store = await openJournal(whole, hashEmbeddings())
  for (const runId of runIds) await store.persistCompletedTurn(tellingOf(runId))
  await store.flush()
  await store.close()
}

async function seal() {
  const lease = await acquireWriterLease(nodeFileSystem, whole)
  const { identity } = readManifest(whole)
  const options = { root: whole, fs: nodeFileSystem, lease, identity, now: Date.now, sidecarFrom: 1 }
  const index = await openWritableIndex(options)
  await index.warmRankings()
  await index.stopAside()
  index.close()
  lease.release()
}

/** The store with another sealed copy. */
function withCopy(change) {
  const root = join(folder, `${serial++}`)
  cpSync(whole, root, { recursive: true })
  const path = sealedCopyOf(root)
  const copy = change(readFileSync(path))
  if (copy === undefined) rmSync(path)
  else writeFileSync(path, copy)
  return root
}

/** The copy with another head, and, of the section `rows`, other values; its sums are right. */
function forged(bytes, { changeHeader = () => undefined, changeRows = () => undefined }) {
  const length = bytes.readUInt32LE(LENGTH_AT)
  const head = JSON.parse(bytes.subarray(PREAMBLE, PREAMBLE + length))
  const sections = Buffer.from(bytes.subarray(PREAMBLE + length))
  expect(head.sections[0]).toMatchObject({ name: 'rows', element: 4, bytes: 12 })
  const rows = sections.subarray(0, 12)
  changeRows(rows)
  changeHeader(head.header)
  head.sections[0].checksum = crc32(rows)
  const json = Buffer.from(JSON.stringify(head))
  const preamble = Buffer.from(bytes.subarray(0, PREAMBLE))
  preamble.writeUInt32LE(json.length, LENGTH_AT)
  preamble.writeUInt32LE(crc32(json, crc32(preamble.subarray(8, CHECKSUM_AT))), CHECKSUM_AT)
  return Buffer.concat([preamble, json, sections])
}

test('a sound copy is taken, written anew or not', async () => {
  expect(await checkSidecar(withCopy((bytes) => bytes))).toBe(true)
  expect(await checkSidecar(withCopy((bytes) => forged(bytes, {})))).toBe(true)
})

test('no copy is none that is taken', async () => {
  expect(await checkSidecar(withCopy(() => undefined))).toBe(false)
})

test('a copy that says something else, and has the right sums and marks, is noticed by what is recalled', async () => {
  const swapped = (rows) => rows.swap32().reverse() // the first row changes places with the last
  const root = withCopy((bytes) => forged(bytes, { changeRows: swapped }))
  await expect(checkSidecar(root)).rejects.toThrow(/recall is not what it is without it/)
})

test.each([
  { name: 'cut', change: (bytes) => bytes.subarray(0, -1), fault: 'damaged' },
  { name: 'empty', change: () => '', fault: 'damaged' },
  {
    name: 'of changes that the index never made',
    change: (bytes) => forged(bytes, { changeHeader: (header) => (header.change += 1_000) }),
    fault: 'foreign',
  },
  {
    name: 'of another epoch',
    change: (bytes) => forged(bytes, { changeHeader: (header) => (header.mark = 'another') }),
    fault: 'foreign',
  },
])('a copy that is $name may be refused as $fault only', async ({ change, fault }) => {
  const root = withCopy(change)
  expect(await checkSidecar(root, { mayBe: [fault] })).toBe(false)
  const others = ['damaged', 'foreign', 'other_format'].filter((each) => each !== fault)
  await expect(checkSidecar(root, { mayBe: others })).rejects.toThrow(`was not taken: sidecar_invalid, ${fault}`)
})
