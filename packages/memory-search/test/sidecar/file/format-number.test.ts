import { createHash } from 'node:crypto'
import { expect, test } from 'vitest'
import { HOST_BYTE_ORDER, SIDECAR_FORMAT } from '../../../src/sidecar/file/sidecar-format.js'
import type { SidecarRecord } from '../../../src/sidecar/record.js'
import { SidecarMemory } from '../../../src/sidecar/sidecar-memory.js'
import { SlotTable } from '../../../src/sidecar/slot-table.js'
import { CodeStore } from '../../../src/sidecar/vectors/code-store.js'
import { WordIndex } from '../../../src/sidecar/words/word-index.js'

// A copy of another release has right checksums: only the number tells that its bytes mean something else, and whoever takes
// it all the same answers wrongly without a word. So the number belongs to these bytes. Where a change of the code changes
// them, raise the number, and put both here.
const FORMAT = 3
const BYTES = {
  rows: '08941a4b7d44e8a0',
  lengths: 'e5a1608670dda32e',
  recordedAt: '5d8eb8011be2a946',
  before: '0c848a068d7131f8',
  kinds: '65f970bf3bc4f5ea',
  words: '16712ebd9d5e7978',
  table: 'c2b9d5af3f3c7b3b',
  codes: 'fd15a86e2a232f5c',
  gains: '8b644dfc83727083',
  offsets: 'b02e8e858917806d',
  mean: 'aa3b2216d937f3e3',
}

const RECORDS = 80
const DIMENSION = 24

/** Words once to six times, alone, in the two after it, and in these alone; rows and slots with gaps; some without vector. */
const record = (at: number): SidecarRecord => {
  const body = (of: number): string =>
    of < 0 ? '' : `all w${of} ${'often '.repeat(of % 7)}${of % 5 === 0 ? 'fifth Zoë' : ''} 猫${of % 11}`.trim()
  const vector = Float32Array.from({ length: DIMENSION }, (_, d) => ((at * 31 + d * 17) % 23) - 11)
  const length = Math.sqrt(vector.reduce((sum, value) => sum + value * value, 0))
  return {
    row: 3 * at + 1 + (at >> 4),
    columns: [body(at), at % 3 === 0 ? '' : body(at - 1), at % 3 === 2 ? body(at - 2) : '', `t${at % 4}`],
    recordedAt: Date.UTC(2026, 4, 1) + at * 60_000,
    kinds: at % 9 === 0 ? ['preference'] : at % 10 === 0 ? ['lesson'] : [],
    before: at % 3 === 0 ? undefined : 3 * at - 2,
    vector: at % 13 === 12 ? undefined : vector.map((value) => value / length),
  }
}

test.runIf(HOST_BYTE_ORDER === 'little')('the number of the format belongs to what its bytes mean', async () => {
  const mean = Float32Array.from({ length: DIMENSION }, (_, d) => (d - 12) / 256)
  const codes = CodeStore.create({ dimension: DIMENSION, mean })
  const building = new SidecarMemory({ slots: new SlotTable(), words: WordIndex.empty(), codes, meanOf: 1 }, 0)
  for (let at = 0; at < RECORDS; at++) building.put(record(at))
  const { slots, words, codes: sealed } = await building.compacted(() => Promise.resolve())
  const sections = { ...slots.columns(slots.liveSlots()), ...words.sections(), ...sealed?.sections() }
  const found = Object.entries(sections).map(([name, { buffer, byteOffset, byteLength }]) => {
    const bytes = new Uint8Array(buffer, byteOffset, byteLength)
    return [name, createHash('sha256').update(bytes).digest('hex').slice(0, 16)]
  })
  expect({ format: SIDECAR_FORMAT, bytes: Object.fromEntries(found) as unknown }).toEqual({
    format: FORMAT,
    bytes: BYTES,
  })
})
