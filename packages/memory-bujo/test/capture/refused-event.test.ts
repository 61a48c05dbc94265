import { expect, test } from 'vitest'
import { makeTemporaryRoot } from '../../../../test/support/temporary-root.js'
import type { MemoryEvent } from '../../src/index.js'
import { extraction, memory, openBujo, ownerTurn } from '../support/bujo.js'

const SAID = 'I live in Lund.'
const wrongAt = (quote: string): object => extraction(memory(SAID, { quote: SAID }), memory('x', { quote }))

test.each<{ name: string; text: string; reason: string; place: string }>([
  { name: 'prose', text: 'Nothing to remember.', reason: 'not_json', place: 'extract' },
  {
    name: 'a quote that nobody said',
    text: JSON.stringify(wrongAt('I live in Rome.')),
    reason: 'quote_not_in_turn',
    place: 'extract: memories[1].quote',
  },
])('the event of a refused answer says why and where: $name (CAP-6)', async ({ text, reason, place }) => {
  const events: MemoryEvent[] = []
  const llm = { id: 'host:large', complete: () => Promise.resolve({ text }) }
  const onEvent = (event: MemoryEvent): void => void events.push(event)
  const store = await openBujo(makeTemporaryRoot(), llm, { onEvent })
  await store.persistCompletedTurn(ownerTurn('run-1', SAID))
  await store.flush()
  expect(events.filter(({ kind }) => kind === 'projection_failed')).toEqual([
    { kind: 'projection_failed', code: 'model_output_invalid', reason, place, attemptCounted: true, turns: 1 },
  ])
})
