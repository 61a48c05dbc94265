import { describe, expect, test } from 'vitest'
import { MemoryError, type Admission, type CompletedTurn } from '@mono-agent/memory-bujo'
import {
  ADMISSION_WINDOW,
  ADMISSIONS_BEFORE_FLUSH,
  admitEntries,
  type IngestStore,
} from '../src/ingest/admit-entries.js'
import type { Entry } from '../src/ingest/entry.js'

/** An intake of `capacity` places that is emptied by `flush` only; the answer to each turn can be scripted. */
class ScriptedStore {
  readonly admitted: string[] = []
  inFlight = 0
  mostInFlight = 0
  flushes = 0
  private unfinished = 0

  constructor(
    private readonly capacity: number,
    private readonly answer: (turn: CompletedTurn) => Admission | MemoryError | undefined = () => undefined,
    private readonly isProjecting = true,
  ) {}

  async persistCompletedTurn(turn: CompletedTurn): Promise<Admission> {
    this.inFlight += 1
    this.mostInFlight = Math.max(this.mostInFlight, this.inFlight)
    await Promise.resolve()
    this.inFlight -= 1
    const answer = this.answer(turn)
    if (answer instanceof MemoryError) throw answer
    if (answer !== undefined) return answer
    if (this.unfinished >= this.capacity) throw new MemoryError('intake_full', 'Full.')
    this.unfinished += 1
    this.admitted.push(turn.runId)
    return { status: 'admitted', id: turn.runId }
  }

  async flush() {
    await Promise.resolve()
    this.flushes += 1
    if (this.isProjecting) this.unfinished = 0
    return { pending: this.unfinished, dead: 0 }
  }

  snapshot() {
    return { intake: { fill: this.unfinished / this.capacity } } as ReturnType<IngestStore['snapshot']>
  }
}

const turn = (number: number): Entry => ({
  kind: 'turn',
  place: { line: number },
  turn: { runId: `r${number}`, conversationId: 'c', summary: 'x' },
})
async function* turns(count: number, read: { count: number } = { count: 0 }): AsyncGenerator<Entry> {
  for (let number = 1; number <= count; number += 1) {
    read.count = number
    yield await Promise.resolve(turn(number))
  }
}
const never = new AbortController().signal
const all = (count: number): string[] => Array.from({ length: count }, (_, index) => `r${index + 1}`)

describe('admitting entries', () => {
  test.each([0, 1, ADMISSION_WINDOW - 1, ADMISSION_WINDOW, ADMISSION_WINDOW + 1, 3_000])(
    '%i turns, never more than the window at a time',
    async (count) => {
      const store = new ScriptedStore(4_096)
      const { tally, end } = await admitEntries(turns(count), store, { signal: never })
      expect(end).toEqual({ kind: 'complete' })
      expect(tally.admitted).toBe(count)
      expect(store.admitted).toEqual(all(count))
      expect(store.mostInFlight).toBeLessThanOrEqual(ADMISSION_WINDOW)
    },
  )

  test.each([
    { count: ADMISSIONS_BEFORE_FLUSH - 1, flushes: 0 },
    { count: ADMISSIONS_BEFORE_FLUSH, flushes: 1 },
    { count: 2 * ADMISSIONS_BEFORE_FLUSH + 1, flushes: 2 },
  ])('$count turns wait for projection $flushes times', async ({ count, flushes }) => {
    const store = new ScriptedStore(4_096)
    await admitEntries(turns(count), store, { signal: never })
    expect(store.flushes).toBe(flushes)
  })

  test('a full intake is waited for, and every turn goes in once', async () => {
    const store = new ScriptedStore(100)
    const { tally, end } = await admitEntries(turns(1_000), store, { signal: never })
    expect(end).toEqual({ kind: 'complete' })
    expect(tally.admitted).toBe(1_000)
    expect([...store.admitted].sort()).toEqual(all(1_000).sort())
  })

  test('a full intake that does not empty ends the run', async () => {
    const store = new ScriptedStore(100, undefined, false)
    const { tally, end } = await admitEntries(turns(1_000), store, { signal: never })
    expect(end).toMatchObject({ kind: 'failed', error: { code: 'projection_stuck' } })
    expect(tally.admitted).toBe(100)
  })

  test.each(['run_conflict', 'turn_too_large', 'turn_invalid'])(
    '%s is told with its place; the rest goes in',
    async (code) => {
      const store = new ScriptedStore(4_096, ({ runId }) =>
        runId === 'r2' ? new MemoryError(code, 'Why.') : undefined,
      )
      const { tally, end } = await admitEntries(turns(3), store, { signal: never })
      expect(end).toEqual({ kind: 'complete' })
      expect(tally.admitted).toBe(2)
      expect(tally.listed).toEqual([{ kind: 'bad', place: { line: 2 }, code, detail: 'Why.' }])
    },
  )

  test.each(['storage_failed', 'lease_lost', 'intake_invalid'])(
    '%s ends the run; nothing more is read',
    async (code) => {
      const failure = new MemoryError(code, 'Why.')
      const store = new ScriptedStore(4_096, ({ runId }) => (runId === 'r10' ? failure : undefined))
      const read = { count: 0 }
      const { tally, end } = await admitEntries(turns(100_000, read), store, { signal: never })
      expect(end).toEqual({ kind: 'failed', error: failure })
      expect(tally.admitted).toBe(read.count - 1)
      expect(read.count).toBeLessThanOrEqual(10 + ADMISSION_WINDOW)
      expect(store.inFlight).toBe(0)
    },
  )

  test('duplicates and skipped turns are counted by what they are', async () => {
    const answers: Record<string, Admission> = {
      r1: { status: 'duplicate', id: 'r1' },
      r2: { status: 'skipped', reason: 'low_signal' },
      r3: { status: 'skipped', reason: 'low_signal' },
    }
    const store = new ScriptedStore(4_096, ({ runId }) => answers[runId])
    const { tally } = await admitEntries(turns(4), store, { signal: never })
    expect(tally).toMatchObject({ admitted: 1, duplicate: 1, bad: 0, stored: 2 })
    expect([...tally.skipped]).toEqual([['low_signal', 2]])
  })

  test('a reader that fails ends the run, and what was read before goes in', async () => {
    const failure = new Error('no more')
    async function* failing(): AsyncGenerator<Entry> {
      yield* turns(5)
      throw failure
    }
    const { tally, end } = await admitEntries(failing(), new ScriptedStore(10), { signal: never })
    expect(end).toEqual({ kind: 'failed', error: failure })
    expect(tally.admitted).toBe(5)
  })

  test('an abort ends the run, also while the next entry never comes; what is in flight is finished', async () => {
    const controller = new AbortController()
    const store = new ScriptedStore(100)
    async function* waiting(): AsyncGenerator<Entry> {
      yield* turns(5)
      setImmediate(() => controller.abort('SIGINT'))
      await new Promise(() => undefined)
    }
    const { tally, end } = await admitEntries(waiting(), store, { signal: controller.signal })
    expect(end).toEqual({ kind: 'interrupted' })
    expect(tally.admitted).toBe(5)
    expect(store.inFlight).toBe(0)
  })

  test('a signal that was aborted before admits nothing', async () => {
    const store = new ScriptedStore(100)
    const { tally, end } = await admitEntries(turns(5), store, { signal: AbortSignal.abort('SIGINT') })
    expect(end).toEqual({ kind: 'interrupted' })
    expect(tally.admitted).toBe(0)
  })
})
