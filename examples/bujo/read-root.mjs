// Reads what a store left on disk.
import { readdirSync, readFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { openMemoryReader } from '../../packages/memory-bujo/dist/index.js'
import { foldGraph, parseGraphLog } from '../../packages/memory-store/dist/index.js'
import { embeddingsOf } from './replay.mjs'

const CANONICAL = /^(daily|audit)[/\\].*\.md$|^graph\.jsonl$|^\.replay-projection-v1/

/** All memories, by day and line. */
export async function readMemories(root, model) {
  const reader = await openMemoryReader({ path: root, mode: 'bujo', embeddings: embeddingsOf(model) })
  const memories = []
  for (const name of readdirSync(join(root, 'daily')).sort()) {
    memories.push(...(await reader.show(name.slice(0, 'YYYY-MM-DD'.length))).memories)
  }
  await reader.close()
  return memories
}

/** Entities by id, and relations. */
export function readGraph(root) {
  const { lines, damage } = parseGraphLog(readFileSync(join(root, 'graph.jsonl')))
  if (damage.length > 0) throw new Error('graph.jsonl cannot be read.')
  const graph = foldGraph(lines)
  return { entities: graph.entities, relations: graph.relations() }
}

/** Memories that carry another one on without taking its place: pairs of ids. */
export function readThreads(root) {
  return readFileSync(join(root, '.replay-projection-v1.delta.jsonl'), 'utf8')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line))
    .filter(({ kind }) => kind === 'thread')
}

/** Paths below `root`, sorted. */
export function filesOf(root) {
  return readdirSync(root, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => relative(root, join(entry.parentPath, entry.name)))
    .sort()
}

/** Everything that counts: what cannot be made again from something else. */
export const canonicalFiles = (root) => filesOf(root).filter((path) => CANONICAL.test(path))
