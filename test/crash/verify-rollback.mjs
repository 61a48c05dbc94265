// The verifier of switches between indexes: one of the two answers, exactly; the other is offered only if it would too.
import assert from 'node:assert/strict'
import { cpSync, mkdtempSync } from 'node:fs'
import { readAcknowledged } from './acknowledge.mjs'
import { checkContents } from './check-contents.mjs'
import { checkIndexFolder } from './check-index-folder.mjs'
import { checkOffer, isKeptCurrent, isOffered } from './check-offer.mjs'
import { checkRoot } from './check-root.mjs'
import { checkUnrecovered } from './check-unrecovered.mjs'
import { checkVectors, readManifest } from './check-vectors.mjs'
import { paraphraseOf } from './embeddings.mjs'
import { openJournal, openJournalReader, preparedTellings, rebuild, rollBack } from './open-journal.mjs'
import { storeRoot } from './paths.mjs'
import { nameOfIdentity, servicesOf } from './rebuilds.mjs'
import { contentOf, tellingOf } from './tellings.mjs'
import { wordOf } from './turns.mjs'

const LATER_TURN = 'short-199:0'

export async function verify({ root: folder, acked: tokens }) {
  const root = storeRoot(folder)
  const acked = readAcknowledged(tokens)
  for (const runId of preparedTellings()) acked.said('turn').add(runId)
  const name = nameOfIdentity(readManifest(root).identity)
  assert.ok(allowedNow(tokens).includes(name), `${name} is in use after ${allowedNow(tokens).join(' or ')}`)
  if (!acked.has('will-reword', 'short-1')) checkOffer(root) // a person cannot tell the store before they save
  if (mustOffer(tokens)) assert.ok(isOffered(root), 'the index that was replaced is not offered')

  await checkUnrecovered(root, () => openJournalReader(root, servicesOf()[name]))
  const kept = copyOf(root)
  await checkRollback(kept, name)
  await open(root, name, (store) => store.flush())
  checkRoot(root)
  checkContents(root, acked)
  checkVectors(root, { isComplete: true })
  checkIndexFolder(root, { mayHoldStaged: true })
  checkOffer(root)
  await checkAnswers(root, name)
  await checkRollback(copyOf(root), name)

  await open(root, name, async (store) => {
    await store.persistCompletedTurn(tellingOf(LATER_TURN))
    await store.flush()
  })
  assert.ok(!isOffered(root), 'an index is offered though a turn came after it')
  await assert.rejects(rollBack(root, otherOf(root), 96), { code: 'rollback_unavailable' })
}

/** A copy beside the root, under a name of its own. */
function copyOf(root) {
  const copy = mkdtempSync(`${root}-copy-`)
  cpSync(root, copy, { recursive: true })
  return copy
}

async function open(root, name, use) {
  const store = await openJournal(root, servicesOf()[name], 48)
  try {
    await use(store)
  } finally {
    await store.close()
  }
}

/** The index that was acknowledged last, or the one that was being switched to. */
function allowedNow(tokens) {
  let active = 'other model'
  let next = active
  for (const token of tokens) {
    if (token.startsWith('switching ')) next = token.slice('switching '.length)
    if (token.startsWith('active ')) next = active = token.slice('active '.length)
  }
  return [...new Set([active, next])]
}

/** Since the last switch nothing happened that could have changed a day file, and it was no recovery from a change. */
const mustOffer = (tokens) => tokens.at(-1)?.startsWith('active ') === true && !tokens.includes('recovering')

/** The service that the kept index is of. */
function otherOf(root) {
  const { previous, identity } = readManifest(root)
  return servicesOf()[nameOfIdentity(previous?.identity ?? identity)]
}

/** The words and scores that a reader gets are those of an index which is built from Markdown anew. */
async function checkAnswers(root, name) {
  const anew = copyOf(root)
  await rebuild(anew, servicesOf()[name], 72)
  assert.deepEqual(await answersOf(root, name), await answersOf(anew, name), 'other answers than a new index gives')
}

async function answersOf(root, name) {
  const reader = await openJournalReader(root, servicesOf()[name])
  try {
    const answers = []
    for (const content of ['short-1', ...preparedTellings().map(contentOf)]) {
      for (const query of [wordOf(content), paraphraseOf(content), 'Who asked, and was answered?']) {
        const { mode, hits } = await reader.recallWithOutcome(query, { limit: 50 })
        answers.push({ mode, hits: hits.map(({ id, score, text }) => ({ id, score, text })) })
      }
    }
    return answers
  } finally {
    await reader.close()
  }
}

/** What is offered can be gone back to, without a model, and there and back is where one was; all else is refused. */
async function checkRollback(root, name) {
  const { previous } = readManifest(root)
  const service = otherOf(root)
  if (previous === undefined || !isOffered(root) || !isKeptCurrent(root)) {
    const refused = rollBack(root, service, 49)
    await assert.rejects(refused, ({ code }) => ['rollback_unavailable', 'source_changed'].includes(code))
    assert.equal(nameOfIdentity(readManifest(root).identity), name, 'a refused rollback switched')
    return
  }
  await rollBack(root, service, 50)
  assert.deepEqual(service.asked, [], 'a rollback asked for vectors')
  checkIndexFolder(root, { mayHoldStaged: true })
  checkVectors(root, { isComplete: false })
  const back = nameOfIdentity(previous.identity)
  assert.equal(nameOfIdentity(readManifest(root).identity), back)
  const used = copyOf(root)
  await open(used, back, (store) => store.flush()) // a vector may have waited when it was kept, and a turn when it crashed
  await checkAnswers(used, back)
  await rollBack(root, servicesOf()[name], 51)
  assert.equal(nameOfIdentity(readManifest(root).identity), name, 'back and forth is elsewhere')
}
