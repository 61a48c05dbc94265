import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import type { ChatModel } from '../../src/chat/chat-model.js'
import { makeTemporaryRoot } from '../../../../test/support/temporary-root.js'
import {
  canonicalBytes,
  decide,
  extraction,
  keepAll,
  memory,
  openBujo,
  ownerTurn,
  scriptedModel,
  sentences,
} from '../support/bujo.js'
import { DAY } from '../support/open-store.js'

describe('an admitted turn becomes memories', () => {
  test('one that is new: extract and review, no reconcile', async () => {
    const root = makeTemporaryRoot()
    const llm = scriptedModel()
    llm.script({ extract: extraction(memory('I keep my skis in the cellar.')), review: keepAll(1) })
    const store = await openBujo(root, llm)
    await store.persistCompletedTurn(ownerTurn('run-1', 'I keep my skis in the cellar.'))
    expect(await store.whenSettled('run-1')).toMatchObject({ state: 'curated', memoryIds: [expect.any(String)] })
    expect(llm.stages()).toEqual(['extract', 'review'])
    expect(sentences(root)).toEqual(['– I keep my skis in the cellar.'])
    const { hits } = await store.recallWithOutcome('skis cellar')
    expect(hits[0]).toMatchObject({
      text: 'I keep my skis in the cellar.',
      currentness: 'current',
      attribution: 'user-stated',
    })
    expect(store.snapshot()).toMatchObject({
      calls: { chat: 2 },
      vectors: { waiting: 0, written: 1 },
      capture: { captured: 1, actions: { add: 1 }, calls: { extract: 1, review: 1, reconcile: 0 } },
    })
  })

  test('one that contradicts another: superseded, the old line stays as history', async () => {
    const root = makeTemporaryRoot()
    const llm = scriptedModel()
    const store = await openBujo(root, llm)
    llm.script({ extract: extraction(memory('I live in Lund near the station.')), review: keepAll(1) })
    await store.persistCompletedTurn(ownerTurn('run-1', 'I live in Lund near the station.'))
    await store.whenSettled('run-1')
    llm.script({
      extract: extraction(memory('I live in Malmö near the station.')),
      review: keepAll(1),
      reconcile: decide({ index: 0, action: 'SUPERSEDE', target: 'm1', text: 'I live in Malmö near the station.' }),
    })
    await store.persistCompletedTurn(ownerTurn('run-2', 'I live in Malmö near the station.'))
    expect(await store.whenSettled('run-2')).toMatchObject({ state: 'curated' })
    expect(llm.stages().slice(2)).toEqual(['extract', 'review', 'reconcile'])
    expect(sentences(root)).toEqual(['– I live in Lund near the station.', '– I live in Malmö near the station.'])
    const { hits } = await store.recallWithOutcome('live near the station')
    expect(Object.fromEntries(hits.map(({ text, currentness }) => [text, currentness]))).toEqual({
      'I live in Lund near the station.': 'superseded',
      'I live in Malmö near the station.': 'current',
    })
    const before = canonicalBytes(root)
    expect(Object.keys(before)).toContain('.replay-projection-v1.delta.jsonl')
    await store.close()
    const again = await openBujo(root, llm)
    await again.flush()
    expect(canonicalBytes(root)).toEqual(before)
  })
})

test('what Remember writes while the model is asked is not written again', async () => {
  const root = makeTemporaryRoot()
  const said = 'The spare key hangs behind the boiler.'
  const scripted = scriptedModel()
  scripted.script({
    extract: extraction(memory(said)),
    review: keepAll(1),
    reconcile: decide({ index: 0, action: 'ADD' }),
  })
  const llm: ChatModel = {
    id: scripted.id,
    async complete(request) {
      if (request.stage === 'reconcile') await store.remember({ text: said })
      return scripted.complete(request)
    },
  }
  const store = await openBujo(root, llm)
  await store.remember({ text: 'The spare key hangs behind the door.' })
  await store.flush()
  await store.persistCompletedTurn(ownerTurn('run-1', said))
  expect(await store.whenSettled('run-1')).toMatchObject({ state: 'curated', memoryIds: [] })
  await store.flush()
  expect(sentences(root)).toEqual(['– The spare key hangs behind the door.', `– ${said}`])
  expect(store.snapshot().capture).toMatchObject({ actions: { add: 0, noop: 1 }, calls: { reconcile: 1 } })
})

test.each([
  { name: 'word for word', again: 'I keep my skis in the cellar.', calls: 0 },
  { name: 'in other words', again: 'In the cellar are my skis.', calls: 1 },
])('a line that a person just removed, said again $name, is written again', async ({ again, calls }) => {
  const root = makeTemporaryRoot()
  const llm = scriptedModel()
  const store = await openBujo(root, llm)
  const first = 'I keep my skis in the cellar.'
  const skis = { id: 'concept:skis', name: 'Skis', type: 'concept' }
  const about = (text: string) => ({ ...extraction(memory(text, { entities: [skis.id] })), entities: [skis] })
  llm.script({ extract: [about(first), about(again)], review: [keepAll(1), keepAll(1)] })
  await store.persistCompletedTurn(ownerTurn('run-1', first))
  await store.whenSettled('run-1')
  const day = join(root, 'daily', `${DAY}.md`)
  writeFileSync(day, readFileSync(day, 'utf8').replace(/^- [^]*$/m, '')) // the index has not looked yet
  if (calls > 0) llm.script({ reconcile: decide({ index: 0, action: 'NOOP', target: 'm1' }) })
  await store.persistCompletedTurn(ownerTurn('run-2', again))
  const { memoryIds = [] } = (await store.whenSettled('run-2')) as { memoryIds?: readonly string[] }
  await store.flush() // counted after the receipt
  expect(sentences(root)).toEqual([`– ${again}`])
  expect(readFileSync(join(root, 'graph.jsonl'), 'utf8')).toContain(`"entityId":"concept:skis","kind":"association","memoryId":"${memoryIds[0]}"`) // prettier-ignore
  expect(store.snapshot().capture).toMatchObject({ calls: { reconcile: calls }, dropped: { edge_target_gone: 1 } })
})
