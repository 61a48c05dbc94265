import { describe, expect, test } from 'vitest'
import { holdsCredential } from '../../../src/credentials.js'
import {
  memoriesWithSecrets,
  withoutSecretDecisions,
  withoutSecretMemories,
} from '../../../src/capture/policy/secrets.js'
import type { PlannedMemory } from '../../../src/capture/policy/attribution.js'
import type { ExtractedMemory, ReconcileDecision } from '../../../src/capture/types.js'
import { admitted, ANA, entity, findsSecret, planned, planOf, SECRET } from './support.js'

// Put together at run time, so that no scanner takes this file for a leak.
const GITHUB = ['ghp', 'wWPw5k4aXcaT4fNP0UcnZwJUVFk6LO0pINUx'].join('_')

describe('memories that would write a credential (CAP-25)', () => {
  const fact = {
    kind: 'fact',
    entity: 'person:ana',
    key: 'other:tea',
    value: { type: 'text', text: 'x' },
    quote: 'x',
  } as const
  test.each<[string, Partial<PlannedMemory>]>([
    ['its text', { text: `The key is ${SECRET}.` }],
    ['a fact’s text', { labels: [{ ...fact, value: { type: 'text', text: SECRET } }] }],
    [
      'a role',
      { labels: [{ ...fact, key: 'relationship', value: { type: 'relationship', role: SECRET, target: 'Eva' } }] },
    ],
    [
      'a target',
      { labels: [{ ...fact, key: 'relationship', value: { type: 'relationship', role: 'sister', target: SECRET } }] },
    ],
    ['a fact’s key', { labels: [{ ...fact, key: `other:${SECRET}` }] }],
    ['a project', { labels: [{ kind: 'preference', scope: `project:${SECRET}`, quote: 'x' }] }],
    ['a tool', { labels: [{ kind: 'lesson', scope: 'agent', tool: SECRET, quote: 'x' }] }],
    ['the id of an entity it names', { entities: [`person:${SECRET}`] }],
    ['the name of an entity it names', { entities: ['person:eva'] }],
    ['the summary of an entity it names', { entities: ['person:bo'] }],
    ['an entity that its fact names', { labels: [{ ...fact, entity: 'person:eva' }] }],
    ['an entity that is a fact’s value', { labels: [{ ...fact, value: { type: 'entity', entityId: 'person:bo' } }] }],
  ])('in %s', async (_name, given) => {
    const entities = [ANA, entity('person:eva', `Eva ${SECRET}`), entity('person:bo', 'Bo', SECRET)]
    const plan = planOf([planned(), planned(given)], { entities })
    expect([...(await memoriesWithSecrets(plan, findsSecret))]).toEqual([1])
  })

  test('in an entity of a relation that it supports', async () => {
    const entities = [ANA, entity('person:eva', SECRET)]
    const relations = [{ src: 'person:ana', relation: 'knows', dst: 'person:eva', memories: [1] }]
    expect([
      ...(await memoriesWithSecrets(planOf([planned(), planned()], { entities, relations }), findsSecret)),
    ]).toEqual([1])
  })

  test('in the name of a relation that it supports', async () => {
    const relations = [{ src: 'person:ana', relation: SECRET, dst: 'person:ana', memories: [0] }]
    const plan = planOf([planned(), planned()], { entities: [ANA], relations })
    expect([...(await memoriesWithSecrets(plan, findsSecret))]).toEqual([0])
  })

  test.each([
    ['its quote', { quote: SECRET }],
    ['the quote of a label', { labels: [{ ...fact, quote: SECRET }] }],
  ])('in %s, which a retained plan keeps', async (_name, given) => {
    expect((await memoriesWithSecrets(planOf([planned(given)]), findsSecret)).size).toBe(1)
  })

  test('taken out of an extraction with what they alone name; places move up', async () => {
    const [eva, bo] = [entity('person:eva', 'Eva'), entity('person:bo', SECRET)]
    const relations = [
      { src: 'person:ana', relation: 'knows', dst: 'person:eva', memories: [0, 1] },
      { src: 'person:eva', relation: 'knows', dst: 'person:ana', memories: [0] },
    ]
    const [secret, kept] = [planned({ text: SECRET }), planned()] as ExtractedMemory[]
    const given = {
      memories: [secret as ExtractedMemory, kept as ExtractedMemory],
      entities: [ANA, eva, bo],
      relations,
    }
    expect(await withoutSecretMemories(given, findsSecret)).toEqual({
      extraction: { memories: [kept], entities: [ANA, eva], relations: [{ ...relations[0], memories: [0] }] },
      dropped: 1,
    })
  })

  test('nor in an entity that only others name', async () => {
    const plan = planOf([planned()], { entities: [entity('person:eva', SECRET)] })
    expect((await memoriesWithSecrets(plan, findsSecret)).size).toBe(0)
  })

  test('with the detector of the store', async () => {
    const plan = planOf([
      planned(),
      planned({ text: `The token is ${GITHUB}.` }),
      planned({ entities: [`key:${GITHUB}`] }),
    ])
    expect([...(await memoriesWithSecrets(plan, holdsCredential))]).toEqual([1, 2])
  })

  test('each text is looked at once', async () => {
    const seen: string[] = []
    const detector = (text: string) => (seen.push(text), Promise.resolve(false))
    await memoriesWithSecrets(
      planOf([planned({ entities: ['person:ana'] }), planned({ entities: ['person:ana'] })], { entities: [ANA] }),
      detector,
    )
    expect(seen).toHaveLength(new Set(seen).size)
  })
})

describe('replacement texts', () => {
  const entries = [0, 3, 5].map((index) => ({ memory: admitted({ index }), candidates: [] }))
  const decide = (...texts: string[]): ReconcileDecision[] =>
    texts.map((text, index) => ({ index, action: 'UPDATE', target: `m${index}`, text }))

  test.each([
    ['none', decide('a', 'b', 'c'), [0, 3, 5], [0, 1, 2]],
    ['the first', decide(SECRET, 'b', 'c'), [3, 5], [0, 1]],
    ['the middle one', decide('a', SECRET, 'c'), [0, 5], [0, 1]],
    ['all', decide(SECRET, SECRET, SECRET), [], []],
  ])('with a credential go, with their memories: %s', async (_name, decisions, left, places) => {
    const kept = await withoutSecretDecisions(entries, decisions, findsSecret)
    expect(kept.entries.map(({ memory }) => memory.index)).toEqual(left)
    expect(kept.decisions.map(({ index }) => index)).toEqual(places)
    expect(kept.dropped).toBe(entries.length - left.length)
  })

  test('decisions without a text stay', async () => {
    const decisions: ReconcileDecision[] = [
      { index: 0, action: 'ADD' },
      { index: 1, action: 'NOOP', target: 'm1' },
    ]
    expect(await withoutSecretDecisions(entries, decisions, findsSecret)).toEqual({ entries, decisions, dropped: 0 })
  })
})
