// The verifier of rebuilds: the old index or the new one, whole, and a rebuild that goes on where it was.
import assert from 'node:assert/strict'
import { cpSync } from 'node:fs'
import { join } from 'node:path'
import { readAcknowledged } from './acknowledge.mjs'
import { checkContents } from './check-contents.mjs'
import { checkIndexFolder } from './check-index-folder.mjs'
import { checkJournalRecall } from './check-journal-recall.mjs'
import { checkRoot } from './check-root.mjs'
import { checkVectors } from './check-vectors.mjs'
import { hashEmbeddings } from './embeddings.mjs'
import { openJournal, preparedTellings, rebuild } from './open-journal.mjs'
import { storeRoot } from './paths.mjs'
import { BETWEEN, servicesOf, turnsAmong } from './rebuilds.mjs'

/** Recalls are slow: one content in so many is asked for. Vectors are all compared. */
const EVERY = 10

export async function verify({ root: folder, acked: tokens, model }) {
  const root = storeRoot(folder)
  const acked = readAcknowledged(tokens)
  for (const runId of preparedTellings()) acked.said('turn').add(runId)
  const copy = join(folder, 'copy')
  cpSync(root, copy, { recursive: true })
  const active = await checkOpening(copy, acked)
  await checkRebuild(root, acked, active, model === 'kill' ? stagedBy(tokens) : [])
}

/** Exactly one configuration opens it; the others are refused, before a service is asked. @returns its name */
async function checkOpening(root, acked) {
  const opening = []
  for (const [name, service] of Object.entries(servicesOf())) {
    try {
      const store = await openJournal(root, service, 24)
      opening.push(name)
      const { pending, dead, missingVectors } = await store.flush()
      await store.close()
      assert.deepEqual({ pending, dead }, { pending: 0, dead: 0 })
      assert.equal(missingVectors ?? 0, 0)
    } catch (error) {
      if (error.code !== 'configured_identity_mismatch') throw error
      assert.deepEqual(service?.asked ?? [], [], 'a refused configuration asked its service')
    }
  }
  assert.equal(opening.length, 1, `not exactly one configuration opens it, but ${opening.join(' and ') || 'none'}`)
  if (acked.has('switched', '')) assert.deepEqual(opening, ['rebuilt'], 'the switch is lost')
  checkContents(root, acked)
  if (opening[0] !== 'lite') checkVectors(root, { isComplete: true })
  return opening[0]
}

/** A rebuild ends well, asks for nothing that is there, and leaves nothing behind; one more asks for nothing at all. */
async function checkRebuild(root, acked, active, staged) {
  const service = hashEmbeddings()
  await rebuild(root, service, 24)
  const asked = new Set(turnsAmong(service.asked))
  if (active === 'rebuilt') assert.deepEqual([...asked], [], 'texts were embedded that the index has')
  const again = staged.filter((text) => asked.has(text))
  assert.deepEqual(again, [], 'texts were embedded again that a cut rebuild had kept')
  assert.equal(turnsAmong(service.asked).length, asked.size, 'a text was embedded twice')
  checkFiles(root)
  await settleDue(root)
  await checkRebuilt(root, acked)

  const second = hashEmbeddings()
  await rebuild(root, second, 25)
  assert.deepEqual(second.asked, [], 'a second rebuild asked for vectors')
  await checkRebuilt(root, acked)
}

function checkFiles(root) {
  checkRoot(root)
  checkIndexFolder(root)
  checkVectors(root, { isComplete: true })
}

/** A rebuild reads the day files: a turn that was admitted and not yet written is as due as before. */
async function settleDue(root) {
  const store = await openJournal(root, hashEmbeddings(), 24.5)
  const { pending, dead, missingVectors } = await store.flush()
  await store.close()
  assert.deepEqual({ pending, dead, missingVectors }, { pending: 0, dead: 0, missingVectors: 0 })
}

async function checkRebuilt(root, acked) {
  checkFiles(root)
  const contents = checkContents(root, acked)
  await checkJournalRecall(root, new Map([...contents].filter((_, at) => at % EVERY === 0)))
}

/** What was staged since the last crash: of an earlier one that was a power loss, nothing may have remained. */
function stagedBy(tokens) {
  const since = tokens.slice(tokens.lastIndexOf('recovering') + 1)
  return [...readAcknowledged(since).said('staged')].flatMap((texts) => texts.split(BETWEEN))
}
