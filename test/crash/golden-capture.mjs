// What a script leaves if nobody crashes: recorded once a process, step by step, each in an opening of its own.
import { cpSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { scriptOf } from './capture-scripts.mjs'
import { openCapture, rebuildCapture } from './open-capture.mjs'
import { captureBytes, indexRows } from './read-capture.mjs'

const runs = new Map()

/** @returns for each step of the script: `bytes`, the `rows` of an index built anew, and the `statuses` of all turns */
export function goldenRun(variant) {
  if (!runs.has(variant)) runs.set(variant, record(variant))
  return runs.get(variant)
}

async function record(variant) {
  const folder = mkdtempSync(join(tmpdir(), 'golden-'))
  try {
    const root = join(folder, 'memory')
    const script = scriptOf(variant)
    const states = []
    let rows, lastBytes
    for (const step of script.steps) {
      const store = await openCapture(root, script, step.at)
      await store.perform({ ...step, isWithNext: false })
      if (step.kind !== 'retry') await store.flush()
      const statuses = await statusesOf(store, script)
      await store.close()
      const bytes = captureBytes(root)
      const isSame = JSON.stringify(bytes) === lastBytes
      if (!isSame) rows = await rebuiltRows(root, join(folder, 'copy'))
      lastBytes = JSON.stringify(bytes)
      states.push(comparable({ bytes, rows, statuses }, variant))
    }
    return states
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

/** By run id. Whether an unfinished turn was tried in this opening is left out. */
export async function statusesOf(store, { steps }) {
  const turns = steps.filter(({ kind }) => kind === 'turn')
  const found = await Promise.all(turns.map(({ run }) => store.turnStatus(run)))
  const durable = found.map((status) => (status.state === 'projected' ? { state: 'admitted' } : status))
  return Object.fromEntries(turns.map(({ run }, at) => [run, durable[at]]))
}

/**
 * What two ways to the same end have in common. The digest of a plan covers what the logs held when it was made, so where
 * they are compacted at another time, or a note comes before or after the capture beside it, it is another one.
 */
export function comparable(state, variant) {
  if (!/^(?:compaction|edited|remember)/.test(variant)) return state
  return JSON.parse(
    JSON.stringify(state)
      .replaceAll(/(\\"digest\\":\\")[0-9a-f]{64}(\\",\\"kind\\":\\"capture)/g, '$1$2')
      .replaceAll(/(\\"authority_kind\\":\\"capture\\",\\"authority_digest\\":\\")[0-9a-f]{64}/g, '$1'),
  )
}

async function rebuiltRows(root, copy) {
  cpSync(root, copy, { recursive: true, filter: (path) => basename(path) !== '.writer-lease' })
  try {
    await rebuildCapture(copy)
    return indexRows(copy)
  } finally {
    rmSync(copy, { recursive: true, force: true })
  }
}
