import { describe, expect, test } from 'vitest'
import { newBullet, StoreError, type DayFileBatch, type DayFileState } from '@mono-agent/memory-store'
import type { Intake, PendingTurn, Settlement } from '@mono-agent/memory-intake'
import { CanonicalWriter, type CanonicalWriterParts } from '../src/canonical-writer.js'
import { createEvents } from '../src/events.js'
import type { DraftedObservation } from '../src/projection/draft-observation.js'
import { everyDraftIsFresh } from '../src/projection/known-content.js'
import { projectBatch } from '../src/projection/project-batch.js'

const AT = '2026-05-01T09:00:00.000Z'

const pending = (n: number): PendingTurn => ({
  id: String(n).repeat(64).slice(0, 64),
  order: n,
  admittedAt: AT,
  attempts: 0,
  turn: { runId: `run-${n}`, conversationId: 'c', summary: `Sentence ${n}.` },
})

const draft = ({ id, order, turn }: PendingTurn): Promise<DraftedObservation> =>
  Promise.resolve({
    turnId: id,
    file: `daily/2026-05-0${order}.md`,
    bullets: [newBullet({ id: `r-${order}-1`, sentence: turn.summary, type: 'note', status: 'open', createdAt: AT })],
    redacted: 0,
  })

interface Failures {
  readonly publish?: (files: readonly string[]) => Error | undefined
  readonly index?: () => Error | undefined
}

/** What happened, in order, with parts that fail where they are told to. */
function makeParts(failures: Failures = {}) {
  const steps: string[] = []
  const stateOf = ({ file, changes }: DayFileBatch) =>
    ({
      file,
      drifted: false,
      outcomes: changes.map((change) => ({
        status: 'added',
        ids: change.kind === 'add' ? change.bullets.map(({ id }) => id) : [],
      })),
    }) as unknown as DayFileState
  const writerParts = {
    dayFiles: {
      apply(batches: readonly DayFileBatch[]) {
        const files = batches.map(({ file }) => file)
        steps.push(`publish ${files.join(' ')}`)
        const error = failures.publish?.(files)
        return error === undefined ? Promise.resolve(batches.map(stateOf)) : Promise.reject(error)
      },
    },
    index: {
      retirePrevious: () => Promise.resolve(),
      prepare: () => Promise.resolve(),
      record(states: readonly DayFileState[]) {
        steps.push(`index ${states.map(({ file }) => file).join(' ')}`)
        const error = failures.index?.()
        if (error !== undefined) throw error
      },
      catchUp(files: readonly string[]) {
        steps.push(`catch up ${files.join(' ')}`)
        return Promise.resolve({ filesRead: 0 })
      },
    },
    queue: { run: <T>(job: () => Promise<T>) => job() },
    events: createEvents({}),
    onIndexed: () => undefined,
  } as unknown as CanonicalWriterParts
  const intake = {
    markProjected: (ids: readonly string[]) => void steps.push(`projected ${ids.length}`),
    settle(settlements: readonly Settlement[]) {
      steps.push(`settle ${settlements.flatMap(({ memoryIds }) => memoryIds).join(' ')}`)
      return Promise.resolve()
    },
  } as unknown as Intake
  return { steps, parts: { intake, writer: new CanonicalWriter(writerParts), draft, sort: everyDraftIsFresh } }
}

const busy = new StoreError('file_busy', 'x')
const full = new StoreError('storage_failed', 'x')

describe('truth, then index, then settled (durability 1.5)', () => {
  test('in this order', async () => {
    const { steps, parts } = makeParts()
    await projectBatch(parts, [pending(1), pending(2)])
    expect(steps).toEqual([
      'publish daily/2026-05-01.md daily/2026-05-02.md',
      'projected 2',
      'index daily/2026-05-01.md daily/2026-05-02.md',
      'settle r-1-1 r-2-1',
    ])
  })

  test('a publication that failed is neither indexed nor settled', async () => {
    const { steps, parts } = makeParts({ publish: () => full })
    await expect(projectBatch(parts, [pending(1)])).rejects.toBe(full)
    expect(steps).toEqual(['publish daily/2026-05-01.md'])
  })

  test('what could not be indexed is not settled, and is caught up before anything else', async () => {
    let failed = false
    const { steps, parts } = makeParts({ index: () => (failed ? undefined : ((failed = true), full)) })
    await expect(projectBatch(parts, [pending(1)])).rejects.toBe(full)
    expect(steps).not.toContainEqual(expect.stringMatching(/^settle/))
    steps.length = 0
    await projectBatch(parts, [pending(1)])
    expect(steps[0]).toBe('catch up daily/2026-05-01.md')
    expect(steps.at(-1)).toBe('settle r-1-1')
  })
})

describe('a busy day file', () => {
  test('holds up its own turns only', async () => {
    const { steps, parts } = makeParts({
      publish: (files) => (files.includes('daily/2026-05-02.md') ? busy : undefined),
    })
    await expect(projectBatch(parts, [pending(1), pending(2), pending(3)])).rejects.toBe(busy)
    expect(steps.filter((step) => step.startsWith('settle'))).toEqual(['settle r-1-1', 'settle r-3-1'])
  })

  test('that is the only one is tried once', async () => {
    const { steps, parts } = makeParts({ publish: () => busy })
    await expect(projectBatch(parts, [pending(1)])).rejects.toBe(busy)
    expect(steps.filter((step) => step.startsWith('publish'))).toHaveLength(1)
  })
})
