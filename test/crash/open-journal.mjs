import { acknowledge } from './acknowledge.mjs'
import { embeddingsBlock } from './embeddings.mjs'
import { steadyHost } from './host.mjs'
import { createMemoryStore, openMemoryReader, rebuildMemoryIndex, rollbackMemoryIndex } from './library.mjs'
import { tellingOf, textOf } from './tellings.mjs'

const FIRST_PREPARED = 100

/** What opens the store of `path` for what `service` makes; without a service, lite. */
const settings = (path, service) =>
  service === undefined
    ? { mode: 'lite', path }
    : { mode: 'journal', path, embeddings: embeddingsBlock(service.embed.identity.dimension) }

const parts = (service, hours) => ({ ...steadyHost(hours), ...(service === undefined ? {} : { embed: service.embed }) })

/**
 * Opens a store for writing, `hours` after the workloads' beginning.
 * @param overFileSystem  what is put over the file system
 */
export function openJournal(path, service, hours = 0, overFileSystem = (fs) => fs) {
  const { fs, ...others } = parts(service, hours)
  return createMemoryStore(settings(path, service), { ...others, fs: overFileSystem(fs) })
}

export const openJournalReader = (path, service) => openMemoryReader(operatorOptions(path, service, 0))

export const rebuild = (path, service, hours = 0) => rebuildMemoryIndex(operatorOptions(path, service, hours))

export const rollBack = (path, service, hours = 0) => rollbackMemoryIndex(operatorOptions(path, service, hours))

function operatorOptions(path, service, hours) {
  const { fs, now, embed } = parts(service, hours)
  return { ...settings(path, service), fs, now, ...(embed === undefined ? {} : { embed }) }
}

/** Sends one telling; it is acknowledged when the promise resolves. */
export async function tell(store, runId) {
  acknowledge('will-turn', runId)
  await store.persistCompletedTurn(tellingOf(runId))
  acknowledge('turn', runId)
}

export const tellAll = (store, ...runIds) => Promise.all(runIds.map((runId) => tell(store, runId)))

/** Remembers the fact that a content is. */
export async function rememberContent(store, content) {
  acknowledge('will-remember', content)
  await store.remember({ text: textOf(content) })
  acknowledge('remembered', content)
}

/** The CRASH_PREPARED tellings that are durable before recording begins. */
export const preparedTellings = () =>
  Array.from({ length: Number(process.env.CRASH_PREPARED ?? 0) }, (_, n) => `short-${FIRST_PREPARED + n}:0`)
