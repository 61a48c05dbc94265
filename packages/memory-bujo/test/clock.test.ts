import { expect, test } from 'vitest'
import { makeTemporaryRoot } from '../../../test/support/temporary-root.js'
import { extraction, keepAll, memory, openBujo, ownerTurn, scriptedModel } from './support/bujo.js'
import { NOON, openStore, turn } from './support/open-store.js'

/** As `performance.timeOrigin + performance.now()` is. */
const now = (): number => NOON + 0.375

test('a clock finer than milliseconds: turns and Remember go in', async () => {
  const store = await openStore(makeTemporaryRoot(), { now })
  await store.persistCompletedTurn(turn('run-1', 'The kettle is blue.'))
  expect(await store.flush()).toMatchObject({ pending: 0, dead: 0 })
  await store.remember({ text: 'The cup is green.' })
  expect((await store.recallWithOutcome('kettle cup')).hits).toHaveLength(2)
})

test('a clock finer than milliseconds: a turn is curated', async () => {
  const llm = scriptedModel()
  llm.script({ extract: extraction(memory('I keep my skis in the cellar.')), review: keepAll(1) })
  const store = await openBujo(makeTemporaryRoot(), llm, { now })
  await store.persistCompletedTurn(ownerTurn('run-1', 'I keep my skis in the cellar.'))
  expect(await store.flush()).toMatchObject({ pending: 0, dead: 0 })
  expect(await store.turnStatus('run-1')).toMatchObject({ state: 'curated' })
})
