// What memory and what room on disk the store takes.
import { report } from '../report.mjs'
import { BOUND_DIMENSION, MAX_BYTES, MAX_DISK } from './floors.mjs'
import { skip, tell } from './lines.mjs'
import { sidecarMemory } from './memory.mjs'
import { bytesWithRecords } from './naive-records.mjs'
import { bytesOf } from './store.mjs'

export function space(store, naive, corpus, directory) {
  const { name } = corpus
  const memory = sidecarMemory(store, corpus, directory)
  report({
    name: `memory that recall takes, ${name}`,
    value: memory.held,
    unit: 'B a memory',
    floor: `≤ ${MAX_BYTES} B`,
    ok: memory.held <= MAX_BYTES,
    detail: `the process has ${memory.rss.toFixed(0)} B more in memory`,
  })
  // Only Linux tells it.
  if (Number.isFinite(memory.loading)) {
    tell({
      name: `memory at its highest mark while recall gets ready, ${name}`,
      value: memory.loading,
      unit: 'B a memory',
      detail: `${memory.building.toFixed(0)} B where all is built from the index`,
    })
  }
  onDisk(store, naive, corpus, directory)
}

/** Naive copies of all vectors take long beyond this. */
const MAX_COPIED = 100_000

/** Naive with the same records and look-ups, which the bound is for, and as it is asked: with rows that are found by number. */
function onDisk(store, naive, { name, size, dimension }, directory) {
  const ours = bytesOf(store.directory)
  const of = (other) => `${(ours / size).toFixed(0)} and ${(other / size).toFixed(0)} B a memory`
  const what = `the index on disk against naive, ${name}`
  const floor = `≤ ${MAX_DISK} ×`
  if (size > MAX_COPIED) skip({ name: what, floor, why: 'its database would be copied' })
  else {
    const bytes = bytesWithRecords(naive.path, store.path, directory)
    const line = { name: what, value: ours / bytes, unit: '×', detail: of(bytes) }
    if (dimension === BOUND_DIMENSION) report({ ...line, floor, ok: line.value <= MAX_DISK })
    else tell(line)
  }
  tell({
    name: `the index on disk against naive without the same records and look-ups, ${name}`,
    value: ours / naive.bytes,
    unit: '×',
    detail: of(naive.bytes),
  })
}
