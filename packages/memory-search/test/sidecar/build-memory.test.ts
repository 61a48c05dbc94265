import { afterEach, expect, test, vi } from 'vitest'
import { buildMemory, SAMPLE, SAMPLE_SLICE } from '../../src/sidecar/build-memory.js'
import { RunningMean } from '../../src/sidecar/vectors/mean.js'
import { connectMemory } from '../../src/sqlite/connection.js'
import { migrate } from '../../src/sqlite/schema.js'
import { toBlob } from '../../src/sqlite/vector-rows.js'

afterEach(() => void vi.restoreAllMocks())

test.each([SAMPLE_SLICE - 1, SAMPLE_SLICE, SAMPLE_SLICE + 1, SAMPLE + 1_000])(
  'the mean of %i vectors is taken in turns, so that it holds nobody',
  async (vectors) => {
    const db = connectMemory()
    migrate(db)
    const insert = db.prepare(`insert into memory_vectors (row, content_hash, vector) values (?, '', ?)`)
    db.transaction(() => {
      for (let row = 1; row <= vectors; row++) insert.run(row, toBlob(Float32Array.of(1, 0)))
    })()
    const added = vi.spyOn(RunningMean.prototype, 'add')
    let [before, most] = [0, 0]
    const yieldTurn = (): Promise<void> => {
      most = Math.max(most, added.mock.calls.length - before)
      before = added.mock.calls.length
      return Promise.resolve()
    }
    const memory = await buildMemory(db, 2, yieldTurn, () => Promise.resolve())
    expect(added).toHaveBeenCalledTimes(Math.min(vectors, SAMPLE))
    expect(most).toBe(Math.min(vectors, SAMPLE_SLICE))
    expect(memory.codes?.mean).toEqual(Float32Array.of(1, 0))
    expect(memory.meanOf).toBe(vectors)
    db.close()
  },
)
