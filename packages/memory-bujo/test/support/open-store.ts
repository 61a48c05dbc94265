import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'
import { createMemoryStore, type BuiltInMemoryStore, type CompletedTurn, type HostParts } from '../../src/index.js'

export const DAY = '2026-05-01'
export const NOON = Date.parse(`${DAY}T12:00:00.000Z`)

/** A lite store at noon of `DAY`, closed when the test is done at the latest. */
export async function openStore(path: string, host: HostParts = {}, config = {}): Promise<BuiltInMemoryStore> {
  const store = await createMemoryStore({ mode: 'lite', path, ...config }, { now: () => NOON, ...host })
  onTestFinished(async () => {
    await store.close().catch(() => undefined) // a test that breaks its store on purpose has asserted that itself
  })
  return store
}

export const turn = (runId: string, summary: string, more: Partial<CompletedTurn> = {}): CompletedTurn => ({
  runId,
  conversationId: 'web:1',
  summary,
  ...more,
})

export const dayFile = (root: string, day = DAY): string => readFileSync(join(root, 'daily', `${day}.md`), 'utf8')

export const texts = async (store: BuiltInMemoryStore, query: string): Promise<string[]> =>
  (await store.recallWithOutcome(query)).hits.map((hit) => hit.text)
