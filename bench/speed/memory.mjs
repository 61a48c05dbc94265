// What memory the sidecar takes: two processes answer the same questions, one with it and one without.
import { spawnSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const child = fileURLToPath(new URL('memory-child.mjs', import.meta.url))
const ASKED = 5

function measured(parts, mode) {
  const ran = spawnSync(process.execPath, ['--expose-gc', child, parts, mode], { encoding: 'utf8' })
  if (ran.status !== 0) throw new Error(`the process that measures memory ended with ${ran.status}: ${ran.stderr}`)
  return JSON.parse(ran.stdout.trim().split('\n').at(-1))
}

/**
 * @param {{ root: string, identity: object }} store
 * @returns bytes a memory that the process with it has more: `rss` resident, `used` in its heap and its buffers, `peak` at
 *   its highest mark
 */
export function sidecarMemory({ root, identity }, { size, questions }, directory) {
  const parts = join(directory, 'memory-parts.json')
  const asked = questions.slice(0, ASKED).map(({ text, vector }) => ({ text, vector: Array.from(vector) }))
  writeFileSync(parts, JSON.stringify({ root, identity, questions: asked }))
  const [without, with_] = [measured(parts, 'never'), measured(parts, 'always')]
  const more = (of) => (of(with_) - of(without)) / size
  return { rss: more(({ rss }) => rss), used: more(({ used }) => used), peak: more(({ peak }) => peak) }
}
