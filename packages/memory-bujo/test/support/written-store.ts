import { appendFileSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import {
  applyDayChanges,
  emptyDayDocument,
  formatDayFile,
  formatGraphLine,
  formatReplayEntry,
  newBullet,
  type Bullet,
  type GraphLine,
} from '@mono-agent/memory-store'
import type { EmbeddingProvider } from '@mono-agent/memory-search'
import type { BuiltInMemoryStore } from '../../src/index.js'
import { openBujo, scriptedModel, type BujoOptions } from './bujo.js'

export type BulletFields = Partial<Parameters<typeof newBullet>[0]> & { readonly id: string; readonly sentence: string }

/** What a store is to hold, as its files say it. */
export interface Written {
  readonly memories: readonly BulletFields[]
  readonly graph?: readonly GraphLine[]
  readonly supersessions?: readonly { readonly id: string; readonly by: string; readonly at: string }[]
}

const CREATED_AT = '2026-05-01T09:00:00.000Z'
const DIGEST = '0'.repeat(64)

/** A memory of a conversation that nobody is in, recorded on 2026-05-01. */
const bulletOf = (fields: BulletFields): Bullet =>
  newBullet({
    type: 'note',
    status: 'open',
    salience: 0.5,
    createdAt: CREATED_AT,
    conversationId: 'web:earlier',
    ...fields,
  })

/** A bujo store with these files, made while it is stopped, as from a backup; all vectors are there. */
export async function openWritten(
  root: string,
  { memories, graph = [], supersessions = [] }: Written,
  embeddings: EmbeddingProvider,
  options: BujoOptions = {},
): Promise<BuiltInMemoryStore> {
  await (await openBujo(root, scriptedModel(), { ...options, embeddings })).close()
  const days = new Map<string, Bullet[]>()
  for (const bullet of memories.map(bulletOf)) {
    const day = bullet.createdAt.slice(0, 10)
    days.set(day, [...(days.get(day) ?? []), bullet])
  }
  mkdirSync(join(root, 'daily'), { recursive: true, mode: 0o700 })
  for (const [day, bullets] of days) {
    const { document } = applyDayChanges(emptyDayDocument(day), [{ kind: 'add', bullets }])
    writeFileSync(join(root, 'daily', `${day}.md`), formatDayFile(document), { mode: 0o600 })
  }
  append(root, 'graph.jsonl', graph.map(formatGraphLine))
  append(
    root,
    '.replay-projection-v1.delta.jsonl',
    supersessions.map((supersession) =>
      formatReplayEntry({ kind: 'supersede', ...supersession, authority: { kind: 'capture', digest: DIGEST } }),
    ),
  )
  const store = await openBujo(root, scriptedModel(), { ...options, embeddings })
  await store.flush()
  return store
}

function append(root: string, file: string, lines: readonly string[]): void {
  if (lines.length > 0) appendFileSync(join(root, file), lines.map((line) => `${line}\n`).join(''), { mode: 0o600 })
}

export const person = (id: string, name: string, createdAt = CREATED_AT): GraphLine => ({
  kind: 'entity',
  id,
  name,
  type: 'person',
  createdAt,
})

export const about = (memoryId: string, entityId: string): GraphLine => ({
  kind: 'association',
  memoryId,
  entityId,
  provenance: 'user-stated',
  createdAt: CREATED_AT,
})
