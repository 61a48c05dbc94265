import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { beforeEach, expect, onTestFinished, test } from 'vitest'
import type { Fault } from '../../../test/model-server/index.js'
import { openJournal, openService } from './support/journal.js'
import { NOON, openStore, turn } from './support/open-store.js'

let root: string
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'outage-'))
  onTestFinished(() => rmSync(root, { recursive: true, force: true }))
})

const HOUR_MS = 3_600_000
const FAULTS: readonly Fault[] = [
  { kind: 'drop' },
  { kind: 'status', status: 500 },
  { kind: 'status', status: 429, retryAfterSeconds: 1 },
  { kind: 'half-body' },
  { kind: 'invalid-json' },
  { kind: 'wrong-dimension' },
  { kind: 'bad-number', value: 'NaN' },
  { kind: 'hold' },
]

const bullets = (path: string): string[] =>
  readdirSync(join(path, 'daily'))
    .sort()
    .flatMap((file) => readFileSync(join(path, 'daily', file), 'utf8').split('\n'))
    .filter((line) => line.startsWith('- '))

test('a day with a service that fails in every way: no turn lost, late or doubled, recall by words as in lite, then it drains', async () => {
  const server = await openService()
  const clock = { nowMs: NOON, monotonicMs: 0, endsPatience: true }
  // During the outage a recall's patience runs out at once; nothing else that waits matters here.
  const host = {
    now: () => clock.nowMs,
    monotonicNow: () => clock.monotonicMs,
    sleep: (ms: number, { signal, keepsProcessAlive }: { signal?: AbortSignal; keepsProcessAlive: boolean }) =>
      new Promise<void>((resolve) => {
        signal?.addEventListener('abort', () => resolve(), { once: true })
        if (keepsProcessAlive && clock.endsPatience && ms <= 5_000) setImmediate(() => setImmediate(resolve))
      }),
  }
  const journal = await openJournal(join(root, 'journal'), server, host)
  const lite = await openStore(join(root, 'lite'), { now: host.now })

  for (let hour = 0; hour < 24; hour++) {
    const fault = FAULTS[hour % FAULTS.length] as Fault
    server.faults.set(fault)
    const said = turn(`run-${hour}`, `In hour ${hour} the ferry carried ${hour * 7} crates of oranges.`)
    for (const store of [journal, lite]) expect((await store.persistCompletedTurn(said)).status).toBe('admitted')
    // Sent again, as harnesses do when they do not know.
    expect((await journal.persistCompletedTurn(said)).status).toBe('duplicate')
    await Promise.all([journal.whenSettled(`run-${hour}`), lite.whenSettled(`run-${hour}`)])
    const [words, plain] = [
      await journal.recallWithOutcome('ferry oranges'),
      await lite.recallWithOutcome('ferry oranges'),
    ]
    expect(words.mode).toBe('lexical')
    expect(words.degraded?.reason).toMatch(/^embedding_/)
    expect(words.hits.map(({ text, score }) => [text, score])).toEqual(
      plain.hits.map(({ text, score }) => [text, score]),
    )
    clock.nowMs += HOUR_MS
    clock.monotonicMs += HOUR_MS
  }
  expect(journal.snapshot().vectors).toMatchObject({ waiting: 24, written: 0 })

  server.faults.clear()
  clock.endsPatience = false
  clock.monotonicMs += 60_000
  await journal.flush()
  clock.monotonicMs += 60_000 // a request that was held may have counted as the last failure
  expect(await journal.flush()).toEqual({ pending: 0, dead: 0, missingVectors: 0 })
  const found = await journal.recallWithOutcome('ferry oranges')
  expect(found).toMatchObject({ mode: 'hybrid' })
  expect(found.degraded).toBeUndefined()
  expect(bullets(join(root, 'journal'))).toEqual(bullets(join(root, 'lite')))
  expect(bullets(join(root, 'journal'))).toHaveLength(24)
})
