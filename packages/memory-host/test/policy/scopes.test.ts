import type { LabelScope } from '@mono-agent/memory-store'
import { expect, test } from 'vitest'
import type { TurnContext } from '../../src/index.js'
import { scopesOf } from '../../src/policy/scopes.js'
import { parseTurn } from '../../src/turn/parse-turn.js'

test.each<{ name: string; turn: Partial<TurnContext>; scopes: readonly LabelScope[] }>([
  { name: 'somebody unknown', turn: {}, scopes: ['conversation:c'] },
  {
    name: 'somebody unknown who names a token',
    turn: { speaker: { kind: 'unknown', token: 'sam' } },
    scopes: ['conversation:c'],
  },
  { name: 'another user', turn: { speaker: { kind: 'user', token: 'sam' } }, scopes: ['user:sam', 'conversation:c'] },
  { name: 'another user without a token', turn: { speaker: { kind: 'user' } }, scopes: ['conversation:c'] },
  { name: 'the owner', turn: { speaker: { kind: 'owner' } }, scopes: ['conversation:c', 'agent'] },
  {
    name: 'the owner with all there is',
    turn: { speaker: { kind: 'owner', token: 'mo' }, project: 'mono-agent' },
    scopes: ['user:mo', 'conversation:c', 'project:mono-agent', 'agent'],
  },
  {
    name: 'a token that no label can carry',
    turn: { speaker: { kind: 'user', token: 'a b' } },
    scopes: ['conversation:c'],
  },
  { name: 'an id that no label can carry', turn: { conversationId: 'a\nb' }, scopes: [] },
])('$name sees $scopes', ({ turn, scopes }) => {
  expect(scopesOf(parseTurn({ conversationId: 'c', message: '', ...turn }))).toEqual(scopes)
})
