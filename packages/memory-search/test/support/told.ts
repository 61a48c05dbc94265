import { layout, type Bullet, type GraphLine, type MemoryLabel, type ReplayEntry } from '@mono-agent/memory-store'
import { afterEach } from 'vitest'
import { openIndexReader, type IndexReader } from '../../src/index.js'
import { BUJO, buildBujo, deltaBytes, graphBytes, put } from './authority.js'
import { bullet, type TestRoot } from './roots.js'
import { DAY, newRoot } from './scenario.js'

export const day = (number: number): string => `2026-05-${String(number).padStart(2, '0')}T09:00:00.000Z`
export const at = (number: number): number => Date.parse(day(number))

export const fact = (entityId: string, text = 'Lund'): MemoryLabel => ({
  kind: 'fact',
  entityId,
  key: 'home_location',
  value: { type: 'text', text },
  attribution: 'user-stated',
})
export const coarse = (entityId: string): MemoryLabel => ({ kind: 'fact', entityId, attribution: 'user-stated' })
export const preference = (scope: 'agent' | `user:${string}`): MemoryLabel => ({
  kind: 'preference',
  scope,
  attribution: 'user-stated',
})
export const lesson = (scope: 'agent' | `user:${string}`): MemoryLabel => ({ kind: 'lesson', scope, verified: true })

export interface Told {
  readonly memories?: readonly (Partial<Bullet> & { readonly id: string })[]
  readonly graph?: readonly GraphLine[]
  readonly replay?: readonly ReplayEntry[]
}

const indexes: IndexReader[] = []
afterEach(() => {
  for (const index of indexes.splice(0)) index.close()
})

/** What a reader answers from a bujo index of all this; recorded on 1 May where nothing else is said. */
export async function told({ memories = [], graph = [], replay = [] }: Told): Promise<IndexReader> {
  const root = await bujoRoot({ memories, graph, replay })
  const reader = openIndexReader({ root: root.path, fs: root.fs, identity: BUJO, now: () => at(20) })
  indexes.push(reader)
  return reader
}

export async function bujoRoot({ memories = [], graph = [], replay = [] }: Told): Promise<TestRoot> {
  const root = await newRoot()
  root.write(
    DAY,
    memories.map((fields) => bullet({ sentence: `Memory ${fields.id}.`, createdAt: day(1), ...fields })),
  )
  put(root, layout.graph, graphBytes(graph))
  put(root, layout.replayDelta, deltaBytes(replay))
  await buildBujo(root)
  return root
}

export const idsOf = (found: readonly { readonly id: string }[]): string[] => found.map(({ id }) => id)
