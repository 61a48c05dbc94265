import { describe, expect, test } from 'vitest'
import { newBullet, StoreError, type DayFileBatch, type DayFileState } from '@mono-agent/memory-store'
import type { CapturedAuthority, NewVector } from '@mono-agent/memory-search'
import { CanonicalWriter, type CanonicalWriterParts } from '../../../src/canonical-writer.js'
import { createEvents } from '../../../src/events.js'

const FILE = 'daily/2026-05-01.md'
const batch: DayFileBatch = {
  file: FILE,
  changes: [{ kind: 'add', bullets: [newBullet({ id: 'a', sentence: 'A.', createdAt: '2026-05-01T09:00:00.000Z' })] }],
}
const nothing: CapturedAuthority = { graph: [], replay: [], files: [] }
const vectors: readonly NewVector[] = [{ contentHash: 'h', vector: new Float32Array(1) }]

/** What happened, in order; a step fails as long as it is named. */
function makeWriter(failing: { step?: string } = {}, drifted = false) {
  const steps: string[] = []
  const take = (step: string): void => {
    steps.push(step)
    if (failing.step !== undefined && step.startsWith(failing.step)) throw new StoreError('storage_failed', 'x')
  }
  const parts = {
    dayFiles: {
      async apply(batches: readonly DayFileBatch[]) {
        take(`publish ${batches.map(({ file }) => file).join()}`)
        return Promise.resolve(batches.map(({ file }) => ({ file, drifted, outcomes: [] }) as unknown as DayFileState))
      },
      read: (file: string) => Promise.resolve({ file, drifted } as DayFileState),
    },
    index: {
      assertAuthorityInPlace: () => undefined,
      async retirePrevious(written: string) {
        take(`retire ${written}`)
        return Promise.resolve()
      },
      prepare: () => Promise.resolve(),
      record: (states: readonly DayFileState[], captured?: CapturedAuthority) =>
        take(`record ${states.length} ${captured === nothing ? 'with' : 'without'} authority`),
      writeVectors: (given: readonly NewVector[]) => take(`vectors ${given.length}`),
      async catchUp(files: readonly string[]) {
        take(`catch up ${files.join()}`)
        return Promise.resolve({ filesRead: 0 })
      },
    },
    queue: { run: <T>(job: () => Promise<T>) => job() },
    events: createEvents({ onEvent: ({ kind }) => void steps.push(kind) }),
    onIndexed: () => void steps.push('indexed'),
  } as unknown as CanonicalWriterParts
  const authority = async (): Promise<CapturedAuthority> => {
    take('authority')
    return Promise.resolve(nothing)
  }
  return { steps, writer: new CanonicalWriter(parts), authority }
}

describe('a capture through the canonical writer', () => {
  test('truth first, then the index, then vectors, then whoever waits for rows', async () => {
    const { steps, writer, authority } = makeWriter()
    await writer.commit([batch], authority, vectors)
    expect(steps).toEqual([
      'retire days',
      `publish ${FILE}`,
      'authority',
      'record 1 with authority',
      'vectors 1',
      'indexed',
    ])
  })

  test('without day files retires an index of bujo alone', async () => {
    const { steps, writer, authority } = makeWriter()
    await writer.commit([], authority)
    expect(steps).toEqual(['retire authority', 'authority', 'record 0 with authority', 'indexed'])
  })

  test.each(['publish', 'authority', 'record', 'vectors'])(
    'that failed at %s is caught up with before the next section looks anything up',
    async (step) => {
      const failing: { step?: string } = { step }
      const { steps, writer, authority } = makeWriter(failing)
      await expect(writer.commit([batch], authority, vectors)).rejects.toMatchObject({ code: 'storage_failed' })
      expect(steps).not.toContain('indexed')
      delete failing.step
      steps.length = 0
      await writer.exclusive(() => Promise.resolve())
      expect(steps).toEqual([`catch up ${FILE}`])
    },
  )

  test('of which the offer to go back could not be withdrawn wrote nothing', async () => {
    const { writer, authority, steps } = makeWriter({ step: 'retire' })
    await expect(writer.commit([batch], authority)).rejects.toMatchObject({ outcome: 'not_written' })
    expect(steps).toEqual(['retire days'])
  })

  test('a day file that a person edited is told, and caught up with, when it is only read', async () => {
    const { writer, steps } = makeWriter({}, true)
    await writer.exclusive(() => writer.read(FILE))
    expect(steps).toEqual(['day_file_drifted'])
    await writer.exclusive(() => Promise.resolve())
    expect(steps).toEqual(['day_file_drifted', `catch up ${FILE}`])
  })

  test('one that is as it was left is not', async () => {
    const { writer, steps } = makeWriter()
    await writer.exclusive(() => writer.read(FILE))
    await writer.exclusive(() => Promise.resolve())
    expect(steps).toEqual([])
  })
})
