// What memory and what room on disk the store takes.
import { report } from '../report.mjs'
import { MAX_BYTES, MAX_DISK } from './floors.mjs'
import { tell } from './lines.mjs'
import { sidecarMemory } from './memory.mjs'
import { bytesOf } from './store.mjs'

export function space(store, naive, corpus, directory) {
  const { name, size } = corpus
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
  const value = bytesOf(store.directory) / naive.bytes
  report({
    name: `the index on disk against naive, ${name}`,
    value,
    unit: '×',
    floor: `≤ ${MAX_DISK} ×`,
    ok: value <= MAX_DISK,
    detail: `${(bytesOf(store.directory) / size).toFixed(0)} and ${(naive.bytes / size).toFixed(0)} B a memory`,
  })
}
