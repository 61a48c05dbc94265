// Admission: one at a time against a raw append + fsync of the same bytes, interleaved in one loop; 64 at a time against
// one at a time, on this disk and on one whose flushes take a millisecond longer. Prints JSON lines {name, value, floor, ok}.
import { randomBytes } from 'node:crypto'
import { closeSync, fsync, mkdtempSync, openSync, rmSync, writeSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { setTimeout as wait } from 'node:timers/promises'
import { acquireWriterLease, nodeFileSystem, prepareRoot } from '../packages/memory-store/dist/index.js'
import { openIntake } from '../packages/memory-intake/dist/index.js'
import { inMs, median, report } from './report.mjs'

const TURNS = 3_000
const TURN_BYTES = 2_700
const AT_ONCE = 64
const ROUNDS = 30
const MAX_RATIO = 2
const MAX_FLUSHES = 2
const MIN_GAIN = 3
const MIN_GAIN_SLOW = 8

const rawFsync = promisify(fsync)
const folder = mkdtempSync(join(tmpdir(), 'bench-admission-'))
let serial = 0
const nextTurn = () => ({
  runId: `run-${serial++}`,
  conversationId: 'bench:1',
  summary: 'An observation of what was said and done. '.repeat(100).slice(0, TURN_BYTES - 100),
})

/** The port with its flushes counted and, if wanted, slowed down. */
function watched(extraMs) {
  const flushes = { log: 0 }
  const slow = async (flush) => {
    if (extraMs > 0) await wait(extraMs)
    return flush()
  }
  const fs = {
    ...nodeFileSystem,
    open(path, mode) {
      const file = nodeFileSystem.open(path, mode)
      return {
        stat: () => file.stat(),
        read: (into, position) => file.read(into, position),
        write: (bytes, position) => file.write(bytes, position),
        truncate: (length) => file.truncate(length),
        close: () => file.close(),
        sync: () => slow(() => file.sync()),
        dataSync() {
          if (path.includes('/log/')) flushes.log++
          return slow(() => file.dataSync())
        },
      }
    },
    syncDirectory: (path) => slow(() => nodeFileSystem.syncDirectory(path)),
  }
  return { fs, flushes }
}

async function open(name, fs) {
  const root = await prepareRoot(fs, join(folder, name))
  const lease = await acquireWriterLease(fs, root)
  const intake = await openIntake({
    root,
    fs,
    lease,
    now: Date.now,
    randomHex: (bytes) => randomBytes(bytes).toString('hex'),
    limits: { maxUnfinished: 1_000_000, maxReceipts: 4_096 },
  })
  return {
    intake,
    async close() {
      await intake.close()
      lease.release()
    },
  }
}

/** Milliseconds that a step takes. */
async function timed(step) {
  const start = performance.now()
  await step()
  return performance.now() - start
}

async function oneAtATime() {
  const { intake, close } = await open('single', nodeFileSystem)
  const raw = openSync(join(folder, 'raw'), 'a', 0o600)
  const bytes = Buffer.from(JSON.stringify(nextTurn()).padEnd(TURN_BYTES + 300, 'x'))
  const admitted = []
  const appended = []
  for (let n = 0; n < TURNS; n++) {
    const turn = nextTurn()
    admitted.push(await timed(() => intake.admit(turn)))
    appended.push(
      await timed(() => {
        writeSync(raw, bytes)
        return rawFsync(raw)
      }),
    )
  }
  closeSync(raw)
  await close()
  const [admission, floor] = [median(admitted), median(appended)]
  report({
    name: 'admission, one at a time: median against a raw append + fsync',
    value: admission / floor,
    unit: '×',
    floor: `≤ ${MAX_RATIO} ×`,
    ok: admission / floor <= MAX_RATIO,
    detail: `${inMs(admission)} against ${inMs(floor)}`,
  })
}

/** Turns a second, one at a time and 64 at a time, in alternating rounds; medians, so that a checkpoint is no result. */
async function atOnce(name, extraMs, minGain) {
  const { fs, flushes } = watched(extraMs)
  const { intake, close } = await open(name, fs)
  const single = []
  const grouped = []
  let mostFlushes = 0
  for (let round = 0; round < ROUNDS; round++) {
    const turns = Array.from({ length: AT_ONCE }, nextTurn)
    single.push(
      await timed(async () => {
        for (const turn of turns) await intake.admit(turn)
      }),
    )
    const group = Array.from({ length: AT_ONCE }, nextTurn)
    const before = flushes.log
    grouped.push(await timed(() => Promise.all(group.map((turn) => intake.admit(turn)))))
    mostFlushes = Math.max(mostFlushes, flushes.log - before)
  }
  await close()
  const gain = median(single) / median(grouped)
  report({
    name: `admission, ${AT_ONCE} at once${extraMs > 0 ? `, flush + ${extraMs} ms` : ''}: flushes a group`,
    value: mostFlushes,
    floor: `≤ ${MAX_FLUSHES}`,
    ok: mostFlushes <= MAX_FLUSHES,
  })
  report({
    name: `admission, ${AT_ONCE} at once${extraMs > 0 ? `, flush + ${extraMs} ms` : ''}: throughput against one at a time`,
    value: gain,
    unit: '×',
    floor: `≥ ${minGain} ×`,
    ok: gain >= minGain,
    detail: `${inMs(median(grouped))} against ${inMs(median(single))} for ${AT_ONCE}`,
  })
}

try {
  await oneAtATime()
  await atOnce('fast', 0, MIN_GAIN)
  await atOnce('slow', 1, MIN_GAIN_SLOW)
} finally {
  rmSync(folder, { recursive: true, force: true })
}
