import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import {
  applyDayChanges,
  emptyDayDocument,
  formatDayFile,
  formatReplayEntry,
  layout,
  newBullet,
} from '../../packages/memory-store/dist/index.js'
import { completedTurnOf } from './capture-scripts.mjs'
import { saveByRename } from './editor.mjs'
import { embeddingsBlock, hashEmbeddings } from './embeddings.mjs'
import { steadyHost } from './host.mjs'
import { createBujoMemoryStore, openMemoryReader, rebuildMemoryIndex } from './library.mjs'
import { scriptedModel } from './scripted-model.mjs'

/** Entries that are not yet worth a snapshot, but with the next one are. */
const FULL_DELTA_BYTES = 64 * 1024

/** Clock and randomness stand still during a step: what is written of it is the same whoever performs it. */
function hostAt(clock, overFileSystem) {
  const host = steadyHost()
  return {
    ...host,
    fs: overFileSystem(host.fs),
    now: () => clock.at,
    randomBytes: (count) => new Uint8Array(count).fill(7),
  }
}

/**
 * Opens a bujo store that curates a script.
 * @param at  epoch milliseconds: the clock until the first step
 * @param overFileSystem  what is put over the file system
 * @returns `perform(step, onAdmitted)`, which resolves when a step is done, or admitted if it goes on with the next one;
 *   `asked` of the models; `flush`, `turnStatus`, `close`
 */
export async function openCapture(root, { steps }, at = steps[0].at, overFileSystem = (fs) => fs) {
  const clock = { at }
  const model = scriptedModel(
    steps.filter(({ kind }) => kind === 'turn'),
    () => clock.at,
    (edit) => editLine(root, edit),
  )
  const { embed } = hashEmbeddings()
  const store = await createBujoMemoryStore({
    root,
    embeddings: embed,
    dim: embed.identity.dimension,
    llm: model.chat,
    reconcileModel: model.reconcile,
    ...hostAt(clock, overFileSystem),
  })
  return {
    asked: model.asked,
    flush: () => store.flush(),
    turnStatus: (run) => store.turnStatus(run),
    recall: (query) => store.recallWithOutcome(query),
    close: () => store.close(),
    async perform(step, onAdmitted = () => undefined) {
      clock.at = step.at
      await PERFORM[step.kind](store, step, root, onAdmitted)
    },
  }
}

const PERFORM = {
  async turn(store, step, _root, onAdmitted) {
    await store.persistCompletedTurn(completedTurnOf(step))
    onAdmitted()
    if (step.isWithNext !== true) await store.flush()
  },
  retry: (store) => store.flush(),
  async remember(store, { text, about, supersedes, replaceable }) {
    const target = supersedes === undefined ? undefined : await idOf(store, supersedes)
    await store.remember({ text, about, supersedes: target, replaceable })
  },
  edit: (_store, step, root) => editLine(root, step),
  removal: (_store, step, root) => removeLine(root, step),
  tasks: (_store, step, root) => writeTasks(root, step),
  'full delta': (_store, _step, root) => fillDelta(root),
}

async function idOf(store, text) {
  const { hits } = await store.recallWithOutcome(text, { limit: 50 })
  const [hit] = hits.filter((each) => each.text === text)
  if (hit === undefined) throw new Error('The target of a step is not there.')
  return hit.id
}

/** A person takes a memory out; done again, nothing changes. */
function removeLine(root, { file, text }) {
  saveByRename(root, file, (content) => {
    const lines = content.split('\n')
    const at = lines.findIndex((line) => line.startsWith('- ') && line.endsWith(text))
    return at === -1 ? content : lines.toSpliced(at, 2).join('\n')
  })
}

/** A person rewords a line; done again, nothing changes. */
export function editLine(root, { file, from, to }) {
  saveByRename(root, file, (text) => text.replace(from, to))
}

/** Open tasks of a person, in a day file of theirs. */
function writeTasks(root, { file, tasks }) {
  const day = file.slice(-13, -3)
  const bullets = Object.entries(tasks).map(([id, sentence]) =>
    newBullet({ id, sentence, type: 'task', status: 'open', createdAt: `${day}T08:00:00.000Z` }),
  )
  const { document } = applyDayChanges(emptyDayDocument(day), [{ kind: 'add', bullets }])
  writeOwned(join(root, file), formatDayFile(document))
}

/** As many threads between memories of long ago as leave no room for one more. */
function fillDelta(root) {
  const line = (n) => {
    const [from, to] = [n, n + 1].map((number) => `m-old-${String(number).padStart(4, '0')}`)
    const authority = { kind: 'import', digest: '0'.repeat(64) }
    return `${formatReplayEntry({ kind: 'thread', from, to, weight: 1, at: '2026-01-01T00:00:00.000Z', authority })}\n`
  }
  const count = Math.floor(FULL_DELTA_BYTES / line(0).length)
  writeOwned(join(root, layout.replayDelta), Array.from({ length: count }, (_, n) => line(n)).join(''))
}

function writeOwned(path, content) {
  if (!existsSync(dirname(path))) mkdirSync(dirname(path), { mode: 0o700 })
  if (!existsSync(path)) writeFileSync(path, content, { mode: 0o600 })
}

const readerOptions = (root) => {
  const { fs, now } = steadyHost()
  return { mode: 'bujo', path: root, embeddings: embeddingsBlock(), embed: hashEmbeddings().embed, fs, now }
}

export const openCaptureReader = (root) => openMemoryReader(readerOptions(root))

export const rebuildCapture = (root) => rebuildMemoryIndex(readerOptions(root))
