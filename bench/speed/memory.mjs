// What memory the sidecar takes: two processes answer the same questions, one with it and one without.
import { spawnSync } from 'node:child_process'
import { renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { p50 } from './interleave.mjs'

const child = fileURLToPath(new URL('memory-child.mjs', import.meta.url))
const ASKED = 5
/** Each is measured so often, and the middle taken: what the heap holds varies by some hundred kilobytes. */
const TIMES = 3

/** The middle one of several processes, by what each of them says. */
function measured(parts, mode) {
  const all = Array.from({ length: TIMES }, () => measuredOnce(parts, mode))
  return Object.fromEntries(Object.keys(all[0]).map((name) => [name, p50(all.map((one) => one[name]))]))
}

function measuredOnce(parts, mode) {
  const ran = spawnSync(process.execPath, ['--expose-gc', child, parts, mode], { encoding: 'utf8' })
  if (ran.status !== 0) throw new Error(`the process that measures memory ended with ${ran.status}: ${ran.stderr}`)
  return JSON.parse(ran.stdout.trim().split('\n').at(-1))
}

/**
 * @param {{ root: string, identity: object, directory: string }} store
 * @param directory  for a file of what is asked
 * @returns bytes a memory, what a process with a sidecar has more than one without: `held`, what closing the store gives
 *   back; `rss`, in memory; `loading` and `building`, at its highest mark, where there is a sealed copy and where not
 */
export function sidecarMemory({ root, identity, directory: index }, { size, questions }, directory) {
  const parts = join(directory, 'memory-parts.json')
  const asked = questions.slice(0, ASKED).map(({ text, vector }) => ({ text, vector: Array.from(vector) }))
  writeFileSync(parts, JSON.stringify({ root, identity, questions: asked }))
  const without = measured(parts, 'never')
  const loading = measured(parts, 'always')
  const [copy, away] = [join(index, 'memory.sidecar'), join(directory, 'memory.sidecar')]
  renameSync(copy, away)
  const building = measured(parts, 'always')
  renameSync(away, copy)
  const more = (of, name) => (of[name] - without[name]) / size
  return {
    held: more(loading, 'held'),
    rss: more(loading, 'rss'),
    loading: more(loading, 'peak'),
    building: more(building, 'peak'),
  }
}
