import { expect, test } from 'vitest'
import { createTurnMemory } from '../../src/index.js'
import { parseTurn } from '../../src/turn/parse-turn.js'
import { scriptedStore } from './support.js'

const LEAST = { conversationId: 'c', message: '' }

test('what a host leaves out is unverified', () => {
  expect(parseTurn(LEAST)).toEqual({ ...LEAST, wake: 'message', speaker: { kind: 'unknown' }, isIsolated: false })
})

test('undefined is as good as absent', () => {
  const turn = parseTurn({ ...LEAST, ownerText: undefined, source: undefined, speaker: undefined, signal: undefined })
  expect(turn).toEqual(parseTurn(LEAST))
  expect(Object.keys(turn)).not.toContain('ownerText')
})

test.each([
  {
    name: 'all of it',
    turn: { speaker: { kind: 'owner', token: 't', name: 'Mo' }, session: { id: 's', state: 'cold' } },
  },
  { name: 'an instant with an offset', turn: { occurredAt: '2026-05-01T10:00:00+02:00' } },
  { name: 'a zone', turn: { timeZone: 'Asia/Kathmandu' } },
  { name: 'a slug', turn: { project: 'mono-agent.v2' } },
  { name: 'a signal', turn: { signal: new AbortController().signal } },
  { name: 'lists of tools', turn: { tools: { allow: [], deny: ['Remember'] } } },
])('takes $name', ({ turn }) => {
  expect(parseTurn({ ...LEAST, ...turn })).toMatchObject(turn)
})

test.each([
  { name: 'no turn at all', turn: undefined, names: 'turn' },
  { name: 'no conversation', turn: { message: '' }, names: 'conversationId' },
  { name: 'an empty conversation', turn: { ...LEAST, conversationId: '' }, names: 'conversationId' },
  { name: 'an ill-formed conversation', turn: { ...LEAST, conversationId: 'a\ud800' }, names: 'conversationId' },
  { name: 'no message', turn: { conversationId: 'c' }, names: 'message' },
  { name: 'an unknown field', turn: { ...LEAST, onwerText: 'x' }, names: 'onwerText' },
  { name: 'an unknown field within', turn: { ...LEAST, speaker: { kind: 'owner', id: 'x' } }, names: 'speaker' },
  { name: 'another kind of speaker', turn: { ...LEAST, speaker: { kind: 'admin' } }, names: 'speaker: kind' },
  { name: 'another source', turn: { ...LEAST, source: { kind: 'mail' } }, names: 'source: kind' },
  { name: 'another wake', turn: { ...LEAST, wake: 'timer' }, names: 'wake' },
  { name: 'a session without an id', turn: { ...LEAST, session: { id: '', state: 'cold' } }, names: 'session: id' },
  { name: 'no slug', turn: { ...LEAST, project: 'Mono Agent' }, names: 'project' },
  { name: 'no zone', turn: { ...LEAST, timeZone: 'Mars/Base' }, names: 'timeZone' },
  { name: 'an offset for a zone', turn: { ...LEAST, timeZone: '+02:00' }, names: 'timeZone' },
  { name: 'an instant without an offset', turn: { ...LEAST, occurredAt: '2026-05-01T10:00:00' }, names: 'occurredAt' },
  { name: 'no signal', turn: { ...LEAST, signal: {} }, names: 'signal' },
])('refuses $name, naming it', async ({ turn, names }) => {
  expect(() => parseTurn(turn)).toThrow(TypeError)
  expect(() => parseTurn(turn)).toThrow(names)
  await expect(createTurnMemory(scriptedStore()).begin(turn as never)).rejects.toThrow(TypeError)
})

test('values stay out of the message', () => {
  const secret = 'hunter2'
  for (const turn of [
    { ...LEAST, wake: secret },
    { ...LEAST, project: `${secret}!` },
    { ...LEAST, timeZone: secret },
  ]) {
    expect(() => parseTurn(turn)).not.toThrow(secret)
    expect(() => parseTurn(turn)).toThrow(TypeError)
  }
})
