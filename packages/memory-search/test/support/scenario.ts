import { afterEach } from 'vitest'
import type { Bullet, MemoryHit } from '@mono-agent/memory-store'
import type { SearchIndex } from '../../src/index.js'
import { bullet, makeRoot, type TestRoot } from './roots.js'

const roots: TestRoot[] = []
const indexes: SearchIndex[] = []

/** Everything a test opened is closed and removed after it. */
afterEach(() => {
  for (const index of indexes.splice(0)) index.close()
  for (const root of roots.splice(0)) root.free()
})

export async function newRoot(): Promise<TestRoot> {
  const root = await makeRoot()
  roots.push(root)
  return root
}

export async function openIn(root: TestRoot): Promise<SearchIndex> {
  const index = await root.open()
  indexes.push(index)
  return index
}

export const DAY = 'daily/2026-05-01.md'

/** An index of these sentences: `m-0`, `m-1` and so on, of one day. */
export async function indexOf(sentences: readonly (string | Partial<Bullet>)[]): Promise<SearchIndex> {
  const root = await newRoot()
  root.write(
    DAY,
    sentences.map((given, at) => {
      const fields = typeof given === 'string' ? { sentence: given } : given
      return bullet({ id: `m-${at}`, sentence: `Sentence ${at}.`, ...fields })
    }),
  )
  return openIn(root)
}

export const idsOf = (hits: readonly MemoryHit[]): string[] => hits.map(({ id }) => id)

export const find = (index: SearchIndex, query: string, limit = 10): string[] => idsOf(index.search({ query, limit }))
