// Opening a root with 1,000,000 ledger entries against reading and hashing the same bytes, alternating, both from the page
// cache. Prints JSON lines {name, value, floor, ok}.
import { createHash, randomBytes } from 'node:crypto'
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { acquireWriterLease, nodeFileSystem, prepareRoot } from '../packages/memory-store/dist/index.js'
import { openIntake } from '../packages/memory-intake/dist/index.js'
import { inMs, median, report } from './report.mjs'

const ENTRIES = 1_000_000
const ROUNDS = 5
const MAX_RATIO = 2
const MAX_TABLE_MB = 20

const folder = mkdtempSync(join(tmpdir(), 'bench-open-'))

async function open(root) {
  const lease = await acquireWriterLease(nodeFileSystem, root)
  const intake = await openIntake({
    root,
    fs: nodeFileSystem,
    lease,
    now: Date.now,
    randomHex: (bytes) => randomBytes(bytes).toString('hex'),
  })
  return {
    intake,
    async close() {
      await intake.close()
      lease.release()
    },
  }
}

/** A root as it is after so many settled and pruned turns: the ledger written directly, the catalog as intake writes it. */
async function makeRoot() {
  const root = await prepareRoot(nodeFileSystem, join(folder, 'root'))
  await (await open(root)).close()
  const shards = Array.from({ length: 256 }, () => [])
  for (let n = 0; n < ENTRIES; n++) {
    const id = createHash('sha256').update(`run-${n}`).digest('hex')
    shards[Number.parseInt(id.slice(0, 2), 16)].push(`${id}${id.slice(32)}${id.slice(0, 32)}\n`)
  }
  const ledger = join(root, '.capture-intake', 'ledger')
  mkdirSync(ledger, { recursive: true })
  const marks = shards.map((entries, shard) => {
    const bytes = Buffer.from(entries.join(''), 'latin1')
    writeFileSync(join(ledger, shard.toString(16).padStart(2, '0')), bytes, { mode: 0o600 })
    return [bytes.length, createHash('sha256').update(bytes).digest('hex')]
  })
  const path = join(root, '.capture-intake', 'catalog')
  const catalog = JSON.parse(readFileSync(path, 'utf8'))
  const body = JSON.stringify({
    order: ENTRIES,
    pruned: ENTRIES,
    shards: marks,
    store: catalog.store,
    through: catalog.through,
  })
  const checksum = createHash('sha256').update(body).digest('hex')
  writeFileSync(path, `{"checksum":"${checksum}",${body.slice(1)}\n`, { mode: 0o600 })
  return { root, ledger }
}

/** What is held, not what waits to be freed: array buffers go in a later step than the objects that owned them. */
async function arrayBufferBytes() {
  for (let pass = 0; pass < 4; pass++) {
    globalThis.gc?.()
    await new Promise((resolve) => setImmediate(resolve))
  }
  return process.memoryUsage().arrayBuffers
}

function readAndHash(ledger) {
  for (const name of readdirSync(ledger))
    createHash('sha256')
      .update(readFileSync(join(ledger, name)))
      .digest('hex')
}

try {
  const { root, ledger } = await makeRoot()
  readAndHash(ledger)
  const opened = []
  const read = []
  let tableMb = 0
  for (let round = 0; round < ROUNDS; round++) {
    const readStart = performance.now()
    readAndHash(ledger)
    read.push(performance.now() - readStart)

    const before = await arrayBufferBytes()
    const start = performance.now()
    const { intake, close } = await open(root)
    opened.push(performance.now() - start)
    tableMb = Math.max(tableMb, ((await arrayBufferBytes()) - before) / 1e6)
    const { unaccounted, pruned } = intake.snapshot()
    if (unaccounted !== 0 || pruned !== ENTRIES) throw new Error('The root was not opened as it was made.')
    if ((await intake.turnStatus('run-7')).state !== 'settled') throw new Error('A turn of the ledger is not known.')
    await close()
  }
  const ratio = median(opened) / median(read)
  report({
    name: `opening a root of ${ENTRIES} entries against reading and hashing them`,
    value: ratio,
    unit: '×',
    floor: `≤ ${MAX_RATIO} ×`,
    ok: ratio <= MAX_RATIO,
    detail: `${inMs(median(opened))} against ${inMs(median(read))}`,
  })
  report({
    name: `memory of the id table of ${ENTRIES} entries`,
    value: tableMb,
    unit: 'MB',
    floor: `≤ ${MAX_TABLE_MB} MB`,
    ok: tableMb <= MAX_TABLE_MB,
  })
} finally {
  rmSync(folder, { recursive: true, force: true })
}
