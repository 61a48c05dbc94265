import { existsSync } from 'node:fs'
import { expect } from 'vitest'
import type { IndexReader, SearchIndex } from '../../../src/index.js'
import type { Connection } from '../../../src/sqlite/connection.js'
import { drain } from '../../support/vectors.js'
import { expectSame, requestOf, type Question } from './questions.js'
import { isFast, Store } from './stores.js'
import { Story, type Step } from './stories.js'
import { TIERS, type Tier } from './tiers.js'

const PLAIN = {
  sentence: undefined,
  limit: 50,
  conversationId: undefined,
  apartFrom: undefined,
  kind: undefined,
  aboutEntities: undefined,
  asOf: undefined,
  isByWords: false,
} satisfies Partial<Question>
export const QUESTIONS: readonly Question[] = [
  { ...PLAIN, query: 'green tea' },
  { ...PLAIN, query: 'What did Ana say about pottery in May 2026?', apartFrom: 'c-1', kind: 'preference' },
  { ...PLAIN, query: 'x3 Zoë', conversationId: 'c-2', isByWords: true },
]

export function expectTrue(store: Store, ...fast: readonly IndexReader[]): void {
  const reference = store.reference()
  try {
    for (const asked of QUESTIONS) {
      const request = requestOf(asked, reference, store.story.bullets, store.tier.vectorOf)
      for (const index of fast) expectSame(index.rank(request), reference.rank(request))
    }
  } finally {
    reference.close()
  }
}

const STEP: Step = {
  kind: 'add',
  file: 1,
  other: 0,
  at: 1,
  count: 1,
  words: ['green', 'tea'],
  speaker: 'Ana',
  conversation: undefined,
  day: 2,
  label: 'lesson',
  status: 'open',
  entity: 'org:tea',
}

export async function happen(store: Store, index: SearchIndex, step: Partial<Step>): Promise<void> {
  const appended = store.story.apply({ ...STEP, ...step }, store.isBujo)
  store.write()
  await store.follow(index, appended)
  if (store.tier.vectorOf !== undefined) drain(index, store.tier.vectorOf)
}

export async function ended(index: SearchIndex): Promise<void> {
  await index.stopAside()
  index.close()
}

/** A writer comes, does this, has the copy sealed if it is due, and goes. */
export async function written(
  store: Store,
  act: (index: SearchIndex) => Promise<void> = async () => {},
): Promise<void> {
  const index = await store.writer()
  await index.catchUp()
  await act(index)
  await index.warmRankings()
  await ended(index)
}

export async function sealedStore(tier: Tier = TIERS.journal, records = 120): Promise<Store> {
  const store = await Store.of(new Story(records), tier)
  await written(store)
  expect(existsSync(store.sidecarPath)).toBe(true)
  return store
}

/** Opened, asked, warmed and asked again; then once more, to see that all is mended. */
export async function expectTold(
  store: Store,
  told: readonly { code: string; detail?: string | undefined }[],
  wasFast: boolean,
): Promise<void> {
  const reader = store.reader()
  expect(isFast(reader)).toBe(wasFast)
  expectTrue(store, reader)
  reader.close()
  expect(store.faults.splice(0)).toEqual(told.map(({ code, detail }) => ({ code, detail })))

  const index = await store.writer()
  expectTrue(store, index)
  await index.warmRankings()
  expect(isFast(index)).toBe(true)
  expectTrue(store, index)
  await ended(index)
  expect(store.faults.splice(0)).toEqual(told.map(({ code, detail }) => ({ code, detail })))
}

export async function expectMended(store: Store): Promise<void> {
  const reader = store.reader()
  expect(isFast(reader)).toBe(true)
  expectTrue(store, reader)
  reader.close()
  expect(store.faults).toEqual([])
}

export const dbOf = (index: SearchIndex): Connection => (index as unknown as { db: Connection }).db
