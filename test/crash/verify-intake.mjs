// The verifier of the workloads that use the intake alone.
import assert from 'node:assert/strict'
import { readIntake } from '../../packages/memory-intake/dist/index.js'
import { nodeFileSystem } from '../../packages/memory-store/dist/index.js'
import { readAcknowledged } from './acknowledge.mjs'
import { checkRoot } from './check-root.mjs'
import { openIntakeAlone } from './open-intake.mjs'
import { storeRoot } from './paths.mjs'
import { ALL_RUNS, conflictingTurn, turnOf } from './turns.mjs'

export async function verify({ root: folder, acked: tokens }) {
  const root = storeRoot(folder)
  const acked = readAcknowledged(tokens)
  const first = await opened(root, 24, (intake) => stateOf(intake, acked))
  checkRoot(root)
  const read = await readIntake({ root, fs: nodeFileSystem })
  assert.deepEqual(countsOf(read.counts), countsOf(first.counts), 'a reader sees another intake than the writer')
  assert.deepEqual(
    await opened(root, 24, (intake) => stateOf(intake, acked)),
    first,
    'a second recovery changed something',
  )
  await opened(root, 24, (intake) => sendAgain(intake, acked))
  checkRoot(root)
}

const countsOf = ({ pending, dead, resolved }) => ({ pending, dead, resolved })

async function opened(root, hours, use) {
  const { intake, close } = await openIntakeAlone(root, hours)
  try {
    return await use(intake)
  } finally {
    await close()
  }
}

/** Checks every run's state; returns all that a second recovery must not change. */
async function stateOf(intake, acked) {
  const states = {}
  for (const runId of ALL_RUNS) {
    const { state } = await intake.turnStatus(runId)
    if (state === 'unknown') assert.ok(!acked.has('turn', runId), `${runId} was acknowledged and is not known`)
    else {
      states[runId] = state
      assert.ok(allowedStates(runId, acked).includes(state), `${runId} is ${state}`)
    }
  }
  await checkPayloads(intake, states)
  const snapshot = intake.snapshot()
  const known = Object.keys(states).length
  assert.equal(
    snapshot.pending + snapshot.dead + snapshot.resolved + snapshot.pruned,
    known,
    'the counts do not add up',
  )
  assert.equal(snapshot.unaccounted, 0)
  const { items } = await intake.inspect()
  return {
    states,
    items: items.map(({ id, state, attempts, revision }) => ({ id, state, attempts, revision })),
    counts: snapshot,
  }
}

/** Where a run may stand: where its last acknowledged change put it, or where the one under way would. */
function allowedStates(runId, acked) {
  const said = (word) => acked.has(word, runId)
  if (said('resolved')) return ['resolved', 'settled']
  if (said('will-resolve')) return ['admitted', 'resolved', 'settled']
  if (said('settled')) return ['indexed', 'settled']
  if (said('will-settle')) return ['admitted', 'indexed', 'settled']
  if (said('retried')) return ['admitted']
  if (said('will-retry')) return ['admitted', 'dead']
  if (said('dead')) return ['dead']
  if (said('will-die')) return ['admitted', 'dead']
  return ['admitted']
}

/** What is due is what was sent, once, in an order that never changes. */
async function checkPayloads(intake, states) {
  const due = await intake.due(1_000)
  const orders = due.map(({ order }) => order)
  assert.deepEqual(
    orders,
    [...new Set(orders)].sort((a, b) => a - b),
    'the order is not one',
  )
  for (const { turn } of due) {
    assert.deepEqual(JSON.parse(JSON.stringify(turn)), turnOf(turn.runId), `${turn.runId} is not as it was sent`)
    assert.equal(states[turn.runId], 'admitted')
  }
  const admitted = Object.values(states).filter((state) => state === 'admitted').length
  assert.ok(due.length <= admitted, 'a turn is due twice')
}

async function sendAgain(intake, acked) {
  for (const runId of acked.said('turn')) {
    assert.equal((await intake.admit(turnOf(runId))).status, 'duplicate', `${runId} was admitted again`)
    await assert.rejects(intake.admit(conflictingTurn(runId)), { code: 'run_conflict' })
  }
  assert.equal((await intake.admit(turnOf('short-199'))).status, 'admitted')
}
