import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { keepOnly } from '../../../src/capture/policy/only.js'
import { entitiesOnTurn, withoutForgedOwner } from '../../../src/capture/policy/owner.js'
import { pruneGraph } from '../../../src/capture/policy/prune.js'
import type { AdmittedMemory, CaptureAction, CapturePolicy } from '../../../src/capture/types.js'
import {
  admitted,
  ANA,
  COARSE,
  entity,
  GUEST_TURN,
  LUND,
  OWNER_TURN,
  stored,
  TRIGGER_TURN,
  UNKNOWN_TURN,
  VOLVO,
} from './support.js'

describe('what remaining memories name stays (CAP-7, CAP-11)', () => {
  const graph = [ANA, LUND, VOLVO]
  const lives = { src: 'person:ana', relation: 'lives_in', dst: 'place:lund', memories: [0, 2] }
  const fact = { kind: 'fact', entityId: 'person:ana', key: 'other:x', attribution: 'document' } as const
  test.each<[string, Partial<AdmittedMemory>[], string[], number[][]]>([
    ['nothing remains', [], [], []],
    ['one that names nothing', [{ index: 1 }], [], []],
    ['one that names Ana', [{ index: 1, entities: ['person:ana'] }], ['person:ana'], []],
    [
      'one whose fact is of Ana',
      [{ index: 1, labels: [{ ...fact, value: { type: 'text', text: 'x' } }] }],
      ['person:ana'],
      [],
    ],
    [
      'one whose fact’s value is Lund',
      [{ index: 1, labels: [{ ...fact, value: { type: 'entity', entityId: 'place:lund' } }] }],
      ['person:ana', 'place:lund'],
      [],
    ],
    ['one that supports the relation', [{ index: 2 }], ['person:ana', 'place:lund'], [[2]]],
    ['both that support it', [{ index: 0 }, { index: 2 }], ['person:ana', 'place:lund'], [[0, 2]]],
  ])('%s', (_name, memories, entities, supports) => {
    const pruned = pruneGraph(memories.map(admitted), graph, [lives])
    expect(pruned.entities.map(({ id }) => id)).toEqual(entities)
    expect(pruned.relations.map(({ memories: support }) => support)).toEqual(supports)
  })

  test('what a model declares of the owner does not', () => {
    const forged = entity('person:owner', 'Mallory')
    expect(pruneGraph([admitted({ entities: ['person:owner'] })], [forged], []).entities).toEqual([])
  })

  test('for any graph, a relation stays exactly if one of its memories does', () =>
    fc.assert(
      fc.property(fc.array(fc.nat(7)), fc.array(fc.uniqueArray(fc.nat(7), { minLength: 1 })), (left, supports) => {
        const memories = [...new Set(left)].map((index) => admitted({ index }))
        const relations = supports.map((support, n) => ({ ...lives, relation: `r${n}`, memories: support }))
        const kept = pruneGraph(memories, graph, relations)
        expect(kept.relations.map(({ relation }) => relation)).toEqual(
          relations
            .filter(({ memories: support }) => support.some((index) => left.includes(index)))
            .map(({ relation }) => relation),
        )
        expect(kept.entities.length).toBe(kept.relations.length > 0 ? 2 : 0)
      }),
    ))
})

describe('who the owner is (CAP-9)', () => {
  test.each([
    ['an owner turn', OWNER_TURN, ['person:owner', 'person:ana']],
    ['another human', GUEST_TURN, ['person:ana']],
    ['no human', UNKNOWN_TURN, ['person:ana']],
    ['a trigger', TRIGGER_TURN, ['person:ana']],
  ])('%s may name: %#', (_name, turn, expected) => {
    expect(entitiesOnTurn(['person:owner', 'person:ana'], turn)).toEqual(expected)
  })

  const owns = { src: 'person:owner', relation: 'works_at', dst: 'org:volvo', memories: [0, 1] }
  const user = admitted({ index: 0 })
  const document = admitted({ index: 1, source: 'document', attribution: 'document' })
  test.each([
    ['the owner’s words alone support it', OWNER_TURN, [user, document], owns, [[0]], 0],
    ['a document alone does not', OWNER_TURN, [document], owns, [], 1],
    ['from either end', OWNER_TURN, [document], { ...owns, src: 'org:volvo', dst: 'person:owner' }, [], 1],
    ['another human does not', GUEST_TURN, [user], owns, [], 1],
    ['of others anybody may speak', OWNER_TURN, [document], { ...owns, src: 'person:ana' }, [[0, 1]], 0],
  ] as const)('a relation of the owner: %s', (_name, turn, memories, relation, supports, refused) => {
    const kept = withoutForgedOwner([relation], memories, turn)
    expect(kept.relations.map((one) => one.memories)).toEqual(supports)
    expect(kept.refused).toBe(refused)
  })
})

describe('capture.only (CAP-21)', () => {
  const fact = {
    kind: 'fact',
    entityId: 'person:ana',
    key: 'full_name',
    value: { type: 'text', text: 'Ana' },
    attribution: 'user-stated',
  } as const
  const actions: CaptureAction[] = [
    { kind: 'add', memory: admitted({ index: 0, labels: [fact] }), threadTo: [] },
    {
      kind: 'supersede',
      memory: admitted({
        index: 1,
        labels: [COARSE, { kind: 'preference', scope: 'agent', attribution: 'user-stated' }],
      }),
      target: stored(),
      text: 'x',
    },
    {
      kind: 'update',
      memory: admitted({ index: 2, labels: [{ kind: 'lesson', scope: 'agent', verified: true }] }),
      target: stored(),
      text: 'x',
    },
    { kind: 'add', memory: admitted({ index: 3, labels: [COARSE] }), threadTo: [] },
    { kind: 'add', memory: admitted({ index: 4 }), threadTo: [] },
    { kind: 'noop', memory: admitted({ index: 5 }), target: stored() },
  ]
  test.each<[CapturePolicy['only'], number[], number]>([
    [undefined, [0, 1, 2, 3, 4, 5], 0],
    [[], [], 5],
    [['fact'], [0], 4],
    [['preference'], [1], 4],
    [['lesson'], [2], 4],
    [['fact', 'preference', 'lesson'], [0, 1, 2], 2],
  ])('%j keeps %j', (only, left, filtered) => {
    const { kept, ...counts } = keepOnly(actions, only)
    expect(kept.map(({ memory }) => memory.index)).toEqual(left)
    expect(counts.filtered).toBe(filtered)
  })
})
