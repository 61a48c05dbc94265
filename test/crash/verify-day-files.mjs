// The verifier of the workload that writes day files alone: applying all of it again finishes what was cut, and no more.
import assert from 'node:assert/strict'
import { readAcknowledged } from './acknowledge.mjs'
import { checkRoot } from './check-root.mjs'
import { checkPersonsLines, checkTurns } from './check-turns.mjs'
import { batchOf } from './day-changes.mjs'
import { openDayFilesAlone } from './open-day-files.mjs'
import { storeRoot } from './paths.mjs'
import { canonicalDigests } from './read-root.mjs'

const RUNS = ['short-1', 'short-3', 'short-2', 'long-4', 'long-5', 'short-7', 'short-9', 'long-6']

export async function verify({ root: folder, acked: tokens }) {
  const root = storeRoot(folder)
  const acked = readAcknowledged(tokens)
  await apply(root, [])
  checkRoot(root)
  checkTurns(root, acked)
  checkPersonsLines(root, acked)

  await apply(root, RUNS)
  for (const runId of RUNS) acked.said('turn').add(runId)
  checkTurns(root, acked)
  checkPersonsLines(root, acked)
  const digests = canonicalDigests(root)
  await apply(root, RUNS)
  assert.deepEqual(canonicalDigests(root), digests, 'applying again changed something')
}

async function apply(root, runs) {
  const { dayFiles, close } = await openDayFilesAlone(root)
  try {
    if (runs.length > 0) await dayFiles.apply(runs.map(batchOf))
  } finally {
    close()
  }
}
