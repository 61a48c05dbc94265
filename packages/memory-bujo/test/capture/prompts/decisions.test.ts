import { expect, test } from 'vitest'
import { reconcilePrompt } from '../../../src/capture/prompts/reconcile.js'
import { reviewPrompt } from '../../../src/capture/prompts/review.js'
import { admitted, ENTRIES, stored, triggered, TURN } from './turns.js'

test('review of lifelike lines', () => {
  const lines = [
    { index: 0, source: 'user', text: 'Marta wants no calls before 9.', quote: 'please no calls before 9' },
    { index: 3, source: 'assistant', text: 'Graz is a city in Austria.', quote: 'Graz' },
  ] as const
  const { system, user } = reviewPrompt(lines, TURN)
  expect(system).toMatchSnapshot('system')
  expect(user).toMatchSnapshot('user')
})

test('reconcile of lifelike memories', () => {
  const { system, user } = reconcilePrompt(ENTRIES, TURN)
  expect(system).toMatchSnapshot('system')
  expect(user).toMatchSnapshot('user')
})

test('reconcile shows no ids, conversations, speakers or tokens', () => {
  const { user } = reconcilePrompt(ENTRIES, TURN)
  expect(user).not.toMatch(/secret|r-b|daily\//)
})

test('reconcile tells when an offered memory was observed, in the zone of the turn', () => {
  expect(reconcilePrompt(ENTRIES, TURN).user).toContain('"observed":"2025-03-02"')
  const dated = [{ memory: admitted(), candidates: [{ alias: 'm1', memory: stored({ occurredAt: '2019-05-01T10:00:00.000Z' }) }] }] // prettier-ignore
  expect(reconcilePrompt(dated, TURN).user).toContain('"observed":"2019-05-01"')
})

test('reconcile speaks of intentions only where there is one', () => {
  expect(reconcilePrompt(ENTRIES, TURN)).not.toMatchObject({ system: expect.stringMatching(/intent/i) })
  expect(reconcilePrompt(ENTRIES, TURN).user).not.toMatch(/"intention"/)
  const intended = [{ memory: admitted({ intentState: 'planned', dueAt: '2026-10-01' }), candidates: [] }]
  const { system, user } = reconcilePrompt(intended, TURN)
  expect(system).toContain('# Intentions')
  expect(user).toContain('"due":"2026-10-01","intention":"planned"')
})

test.each(['cron', 'webhook', 'peer'] as const)('neither calls a %s turn a user', (sourceKind) => {
  const turn = triggered(sourceKind)
  const line = { index: 0, source: 'assistant', text: 'The backup finished.', quote: 'The backup finished.' } as const
  expect(reviewPrompt([line], turn).user).not.toMatch(/user|human/i)
  expect(reconcilePrompt([], turn).user).not.toMatch(/user|human/i)
})
