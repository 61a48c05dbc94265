import { describe, expect, test } from 'vitest'
import type { FactLabel, MemoryLabel } from '../../src/index.js'
import { createMemoryStore, openMemoryReader } from '../../src/index.js'
import { makeTemporaryRoot } from '../../../../test/support/temporary-root.js'
import { angleEmbeddings } from '../support/angle-embeddings.js'
import type { BujoOptions } from '../support/bujo.js'
import { about, openWritten, person, type BulletFields, type Written } from '../support/written-store.js'

const LUND: FactLabel = {
  kind: 'fact',
  entityId: 'person:ana',
  key: 'home_location',
  value: { type: 'text', text: 'Lund' },
  attribution: 'user-stated',
}
const MALMO: FactLabel = { ...LUND, value: { type: 'text', text: 'Malmö' } }
const PREFERENCE: MemoryLabel = { kind: 'preference', scope: 'agent', attribution: 'user-stated' }

const note = (id: string, sentence: string, more: Partial<BulletFields> = {}): BulletFields => ({
  id,
  sentence,
  ...more,
})

/** A store whose memories stand at these cosines to whatever is asked; all others at 0.1. */
async function open(cosines: Record<string, number>, written: Written, options: BujoOptions = {}) {
  const root = makeTemporaryRoot()
  const embeddings = angleEmbeddings((text) => cosines[text] ?? 0.1)
  return { root, embeddings, store: await openWritten(root, written, embeddings, options) }
}

/** Nothing leads the median where there is nothing else. */
const OTHERS = Array.from({ length: 8 }, (_, n) => note(`m-9${n}`, `The ferry of week ${n} was late.`))

/** Tie-breakers of a score: places in the lists, salience. */
const ORDER = 0.006

describe('deliberate recall (REC-1, 3)', () => {
  test.each([
    { best: 0.9, other: 0.76, kept: true, why: 'within the tail' },
    { best: 0.9, other: 0.74, kept: false, why: 'beyond the tail' },
    { best: 0.7, other: 0.66, kept: true, why: 'above the floor' },
    { best: 0.7, other: 0.64, kept: false, why: 'below the floor that the best clears' },
    { best: 0.63, other: 0.55, kept: true, why: 'nothing clears the floor' },
  ])('a hit at $other below a best of $best: $why', async ({ best, other, kept }) => {
    const memories = [note('m-1', 'Morgan drinks tea.'), note('m-2', 'The kettle is new.')]
    const { store } = await open({ 'Morgan drinks tea.': best, 'The kettle is new.': other }, { memories })
    const { hits, mode } = await store.recallWithOutcome('what about breakfast')
    expect(mode).toBe('hybrid')
    expect(hits.map(({ id }) => id)).toEqual(kept ? ['m-1', 'm-2'] : ['m-1'])
    expect(Math.abs((hits[0]?.score ?? 0) - best)).toBeLessThan(ORDER)
  })

  test('a number that is asked for is never cut', async () => {
    const memories = [note('m-1', 'Invoices are paid monthly.'), note('m-2', 'INV-2024-00917 was paid.')]
    const { store } = await open({ 'Invoices are paid monthly.': 0.9, 'INV-2024-00917 was paid.': 0.3 }, { memories })
    const { hits } = await store.recallWithOutcome('INV-2024-00917')
    expect(hits.map(({ id }) => id)).toContain('m-2')
  })

  test.each([0, 51, 1.5])('a limit of %d is refused', async (limit) => {
    const { store } = await open({}, { memories: [note('m-1', 'Tea.')] })
    await expect(store.recallWithOutcome('tea', { limit })).rejects.toThrow(RangeError)
  })
})

describe('what is asked for is checked, whatever is found (REC-1)', () => {
  test.each([
    { asked: { kind: 'fact' }, error: RangeError, message: /^kind must be/ },
    { asked: { about: 5 }, error: TypeError, message: /^about must be a string/ },
    { asked: { scopes: 'agent' }, error: TypeError, message: /^scopes must be a list of strings/ },
    { asked: { scopes: [5] }, error: TypeError, message: /^scopes must be a list of strings/ },
  ])('$asked', async ({ asked, error, message }) => {
    const { store } = await open({}, { memories: [note('m-1', 'Tea.')] })
    const look = await store.lookUp('tea')
    const answers = [
      () => store.recallWithOutcome('tea', asked as never),
      () => Promise.resolve().then(() => look.recall(asked as never)),
    ]
    for (const answer of answers) {
      await expect(answer()).rejects.toThrow(error)
      await expect(answer()).rejects.toThrow(message)
    }
  })

  test('a conversation id that is none', async () => {
    const { store } = await open({}, { memories: [note('m-1', 'Tea.')] })
    const asked = { text: 'tea', conversationId: 5 } as never
    await expect(store.recallWithOutcome('tea', asked)).rejects.toThrow(/^conversationId must be a string/)
    await expect(store.load(asked)).rejects.toThrow(/^a conversation id must be a string/)
  })

  test.each([{ kind: 'lesson' as const }, { about: 'Ana' }])('%o belongs to bujo, also of a look', async (asked) => {
    const store = await createMemoryStore({ mode: 'lite', path: makeTemporaryRoot() })
    const refused = expect.objectContaining({ code: 'unsupported_in_tier' }) as Error
    await expect(store.recallWithOutcome('tea', asked)).rejects.toThrow(refused)
    const look = await store.lookUp('tea')
    expect(() => look.recall(asked)).toThrow(refused)
    await store.close()
  })
})

describe('what recall says besides hits (REC-4..6, 10)', () => {
  const memories = [
    note('m-1', 'Ana lives in Lund.', { labels: [LUND] }),
    note('m-2', 'Ana lives in Malmö.', { labels: [MALMO], createdAt: '2026-04-30T09:00:00.000Z' }),
    note('m-3', 'Answers should be short.', { labels: [PREFERENCE] }),
    ...OTHERS,
  ]
  const graph = [person('person:ana', 'Ana Ruiz'), about('m-1', 'person:ana'), about('m-2', 'person:ana')]
  const cosines = { 'Ana lives in Lund.': 0.8, 'Ana lives in Malmö.': 0.75, 'Answers should be short.': 0.7 }

  test('conflicting current values, the sheet of who is named, guidance', async () => {
    const { store } = await open(cosines, { memories, graph })
    const outcome = await store.recallWithOutcome('Where does Ana Ruiz live?')
    expect(outcome.evidence).toBe('conflicting')
    expect(outcome.note).toMatch(/^Conflicting values: .*Lund.*Malmö/)
    expect(outcome.sections.map(({ kind }) => kind)).toEqual(['fact_sheet', 'guidance'])
    expect(outcome.sections[0]?.text).toContain('home town: Lund')
    expect(outcome.sections[1]?.text).toContain('Answers should be short.')
  })

  test('what took the place of another: history, no conflict, and the chain of it', async () => {
    const supersessions = [{ id: 'm-2', by: 'm-1', at: '2026-05-01T10:00:00.000Z' }]
    const { store } = await open(cosines, { memories, graph, supersessions })
    const { evidence, hits, sections } = await store.recallWithOutcome('Where does Ana Ruiz live?', { explain: true })
    expect(evidence).toBeUndefined()
    expect(Object.fromEntries(hits.map(({ id, currentness }) => [id, currentness]))).toMatchObject({
      'm-1': 'current',
      'm-2': 'superseded',
    })
    expect(sections[0]?.text).toMatch(/Malmö.*superseded/)
    const chain = [{ id: 'm-2', supersededAt: '2026-05-01T10:00:00.000Z' }, { id: 'm-1' }]
    expect(hits.find(({ id }) => id === 'm-2')?.provenance).toEqual({
      conversationId: 'web:earlier',
      file: 'daily/2026-04-30.md',
      chain,
    })
  })

  test('as of an instant: what was recorded and stood by then (REC-9)', async () => {
    const supersessions = [{ id: 'm-2', by: 'm-1', at: '2026-05-01T10:00:00.000Z' }]
    const { store } = await open(cosines, { memories, graph, supersessions })
    const asked = async (asOf: string) => {
      const { hits } = await store.recallWithOutcome('Where does Ana Ruiz live?', { asOf })
      return Object.fromEntries(hits.map(({ id, currentness }) => [id, currentness]))
    }
    expect(await asked('2026-04-30T08:00:00Z')).toEqual({})
    expect(await asked('2026-04-30T12:00:00Z')).toEqual({ 'm-2': 'current' })
    expect(await asked('2026-05-01T09:30:00Z')).toMatchObject({ 'm-1': 'current', 'm-2': 'current' })
    expect(await asked('2026-05-01T10:00:00Z')).toMatchObject({ 'm-1': 'current', 'm-2': 'superseded' })
    await expect(store.recallWithOutcome('Ana', { asOf: 'yesterday' })).rejects.toThrow(RangeError)
    await expect(store.recallWithOutcome('Ana', { asOf: '2026-05-01' })).rejects.toThrow(RangeError)
  })

  test.each(['person:ana', 'Ana Ruiz'])('as of an instant before anybody had heard of %s', async (named) => {
    const { store } = await open(cosines, { memories, graph })
    const noteAt = async (asOf: string) => (await store.recallWithOutcome('anything', { about: named, asOf })).note
    expect(await noteAt('2026-05-01T08:59:59.999Z')).toMatch(/^Nothing of this id/)
    expect(await noteAt('2026-05-01T09:00:00Z')).toMatch(/^Conflicting values/)
  })

  test('a service that hangs over what ended since delays no answer, and no closing (REC-8, REC-9)', async () => {
    const task: BulletFields = { id: 'm-1', sentence: 'Call Ana.', type: 'task', status: 'invalidated' }
    const written = { memories: [task], supersessions: [{ id: 'm-1', by: 'm-2', at: '2026-05-01T10:00:00.000Z' }] }
    const angles = angleEmbeddings(() => 0.7)
    let hangs = false
    const embed: typeof angles.embed = (texts, options) =>
      hangs && options.kind === 'document' ? new Promise(() => undefined) : angles.embed(texts, options)
    /** Patience ends once all that is under way has had its turn. */
    const sleep: BujoOptions['sleep'] = (_ms, { signal, keepsProcessAlive }) =>
      new Promise((resolve) => {
        if (keepsProcessAlive) setImmediate(resolve)
        else signal?.addEventListener('abort', () => resolve(), { once: true })
      })
    const store = await openWritten(makeTemporaryRoot(), written, { ...angles, embed }, { sleep })
    hangs = true
    const { hits, degraded } = await store.recallWithOutcome('Call Ana', { asOf: '2026-05-01T09:30:00Z' })
    expect(hits.map(({ id }) => id)).toEqual(['m-1'])
    expect(degraded).toEqual({ reason: 'embedding_slow' })
    await store.close()
  })

  test('insufficient where even the best is below the floor', async () => {
    const { store } = await open({ 'Tea is ready.': 0.6 }, { memories: [note('m-1', 'Tea is ready.')] })
    const { evidence, note: said } = await store.recallWithOutcome('the ferry')
    expect(evidence).toBe('insufficient')
    expect(said).toMatch(/^Insufficient evidence: /)
  })

  test('kind and about act before the best are chosen', async () => {
    const { store } = await open(cosines, { memories, graph })
    const ids = async (options: { kind?: 'preference' | 'lesson'; about?: string }) =>
      (await store.recallWithOutcome('anything', options)).hits.map(({ id }) => id)
    expect(await ids({ kind: 'preference' })).toEqual(['m-3'])
    expect(await ids({ kind: 'lesson' })).toEqual([])
    expect(await ids({ about: 'person:ana' })).toEqual(['m-1', 'm-2'])
    expect(await ids({ about: 'ana ruiz' })).toEqual(['m-1', 'm-2'])
  })

  test.each([
    ['somebody else', 'Bo'],
    ['a longer name that holds a known one', 'Ana Ruiz Lopez'],
    ['a question that names somebody', 'Where does Ana Ruiz live?'],
    ['a part of a name', 'Ana'],
    ['two ids', 'person:ana and person:bo'],
    ['no letter', '?'],
    ['nothing', ''],
  ])('about %s is about nobody, and that is said', async (_name, named) => {
    const { store } = await open(cosines, { memories, graph })
    const { hits, note: said, sections } = await store.recallWithOutcome('anything', { about: named })
    expect({ hits, sections }).toEqual({ hits: [], sections: [] })
    expect(said).toMatch(/^Nothing of this id/)
  })
})

describe('one hop (REC-7)', () => {
  const memories = [note('m-1', 'Ana plans the fair.'), note('m-2', 'Bo has the keys of the hall.')]
  const relation = { kind: 'relation', src: 'person:ana', dst: 'person:bo', relation: 'sister of' } as const
  const graph = [
    ...[person('person:ana', 'Ana'), person('person:bo', 'Bo')],
    ...[about('m-1', 'person:ana'), about('m-2', 'person:bo')],
    { ...relation, createdAt: '2026-05-01T09:00:00.000Z', support: ['m-1'] },
  ]

  test.each([
    { cosine: 0.9, ids: ['m-1', 'm-2'] },
    { cosine: 0.66, ids: ['m-1'] },
  ])('a hit of $cosine brings $ids', async ({ cosine, ids }) => {
    const { store } = await open({ 'Ana plans the fair.': cosine }, { memories, graph })
    const { hits } = await store.recallWithOutcome('who helps with the fair')
    expect(hits.map(({ id }) => id)).toEqual(ids)
    const { hits: one } = await store.recallWithOutcome('who helps with the fair', { limit: 1 })
    expect(one.map(({ id }) => id)).toEqual(['m-1'])
  })
})

test('one conversation: neither hits nor facts nor relations of others', async () => {
  const memories = [
    note('m-1', 'Ana lives in Lund.', { labels: [LUND], conversationId: 'web:1' }),
    note('m-2', 'Ana lives in Malmö.', { labels: [MALMO], conversationId: 'web:2' }),
    note('m-3', 'Bo has a boat.', { conversationId: 'web:2' }),
  ]
  const relation = {
    kind: 'relation',
    src: 'person:ana',
    dst: 'person:bo',
    relation: 'sister of',
    support: ['m-1'],
  } as const
  const graph = [
    ...[person('person:ana', 'Ana'), person('person:bo', 'Bo')],
    ...[about('m-1', 'person:ana'), about('m-2', 'person:ana'), about('m-3', 'person:bo')],
    { ...relation, createdAt: '2026-05-01T09:00:00.000Z' },
  ]
  const { store } = await open({ 'Ana lives in Lund.': 0.9, 'Ana lives in Malmö.': 0.9 }, { memories, graph })
  const { hits, sections, evidence } = await store.recallWithOutcome('Where is Ana?', { conversationId: 'web:1' })
  expect({ ids: hits.map(({ id }) => id), evidence }).toEqual({ ids: ['m-1'], evidence: undefined })
  expect(sections[0]?.text).not.toContain('Malmö')
})

describe('facts behind a long history (REC-6, 17)', () => {
  const BORN: FactLabel = { ...LUND, key: 'birth_date', value: { type: 'date', date: '1990-02-03' } }
  const town = (n: number): FactLabel => ({ ...LUND, value: { type: 'text', text: `town ${n}` } })
  const seen = (n: number): BulletFields => note(`m-${100 + n}`, `Ana is in town ${n}.`, { labels: [town(n)] })
  const minute = (n: number): string => new Date(Date.parse('2026-05-01T09:00:00.000Z') + n * 60_000).toISOString()
  /** More than a sheet or a card looks at, each in the place of the one before. */
  const towns = Array.from({ length: 60 }, (_, n) => ({ ...seen(n), createdAt: minute(n + 1) }))
  const supersessions = towns.slice(1).map(({ id, createdAt }, n) => ({ id: `m-${100 + n}`, by: id, at: createdAt }))
  const memories = [note('m-1', 'Ana was born on 1990-02-03.', { labels: [BORN], conversationId: 'web:2' }), ...towns]
  const graph = [person('person:ana', 'Ana'), ...memories.map(({ id }) => about(id, 'person:ana'))]

  test('what nothing replaced is on card and sheet', async () => {
    const { store } = await open({}, { memories, graph, supersessions })
    const look = await store.lookUp('When was Ana born?')
    expect(look.automatic({ blocks: ['person'] })[0]?.lines.map(({ text }) => text)).toEqual([
      expect.stringContaining('birth date: 1990-02-03'),
      expect.stringContaining('home town: town 59'),
    ])
    expect(look.recall().sections[0]?.text).toMatch(
      /person:ana\):\n- home town: town 59 .*\n- birth date: 1990-02-03 .*\n- home town: town 58 \(.*superseded\)/,
    )
  })

  test('so is the fact of one conversation behind those of others', async () => {
    const { store } = await open({}, { memories, graph, supersessions })
    const { sections } = await store.recallWithOutcome('When was Ana born?', { conversationId: 'web:2' })
    expect(sections[0]?.text).toMatch(/birth date: 1990-02-03/)
    expect(sections[0]?.text).not.toContain('town 59')
  })
})

describe('load (REC-14, 16)', () => {
  test.each([
    { cosine: 0.63, shown: true },
    { cosine: 0.6, shown: false },
  ])('a best hit of $cosine', async ({ cosine, shown }) => {
    const { store } = await open({ 'Ana drinks tea.': cosine }, { memories: [note('m-1', 'Ana drinks tea.')] })
    const { text, memoryIds, silence } = await store.load({ text: 'what shall we drink' })
    expect(silence).toBeUndefined()
    expect(memoryIds).toEqual(shown ? ['m-1'] : [])
    expect(text.includes('- – Ana drinks tea. (recorded 2026-05-01; current)')).toBe(shown)
  })

  test('not what comes from the same conversation, on whatever day', async () => {
    const memories = [
      note('m-1', 'Ana drinks tea.', { conversationId: 'web:1#2026-04-30' }),
      note('m-2', 'Bo drinks tea.', { conversationId: 'web:2' }),
    ]
    const { store } = await open({ 'Ana drinks tea.': 0.9, 'Bo drinks tea.': 0.88 }, { memories })
    const ids = async (conversationId: string) => (await store.load({ text: 'drinks', conversationId })).memoryIds
    expect(await ids('web:1')).toEqual(['m-2'])
    expect(await ids('web:1#2026-05-02')).toEqual(['m-2'])
    expect(await ids('web:3')).toEqual(['m-1', 'm-2'])
    expect((await store.recallWithOutcome('drinks')).hits.map(({ id }) => id)).toEqual(['m-1', 'm-2'])
  })

  test('a reader loads the same', async () => {
    const { store, root, embeddings } = await open({ 'Tea.': 0.9 }, { memories: [note('m-1', 'Tea.')] })
    const reader = await openMemoryReader({ path: root, mode: 'bujo', embeddings: { dim: 768 }, embed: embeddings })
    expect(await reader.load({ text: 'what to drink' })).toEqual(await store.load({ text: 'what to drink' }))
    expect(reader.capabilities.remember).toBe('none')
    await reader.close()
  })
})

describe('automatic blocks of one look (REC-17..19)', () => {
  const memories = [
    note('m-1', 'Ana lives in Lund.', { labels: [LUND] }),
    note('m-2', 'Answers should be short.', { labels: [PREFERENCE] }),
    ...OTHERS,
  ]
  const graph = [person('person:ana', 'Ana'), about('m-1', 'person:ana')]

  const all = ['profile', 'person', 'background', 'relevant'] as const

  test('card, background and lines; the profile only where it is on', async () => {
    const cosines = { 'Ana lives in Lund.': 0.7, 'Answers should be short.': 0.68 }
    for (const enabled of [false, true]) {
      const { store } = await open(cosines, { memories, graph }, { profile: { enabled } })
      const look = await store.lookUp('What does Ana need?')
      const blocks = look.automatic({ blocks: all })
      expect(blocks.map(({ kind }) => kind)).toEqual([
        ...(enabled ? ['profile'] : []), // the preference is part of it then, and stands there alone
        'person',
        ...(enabled ? [] : ['background']),
        'relevant',
      ])
      expect(look.automatic({ blocks: ['person'] })[0]?.lines[0]?.text).toBe(
        '- home town: Lund (you said, recorded 2026-05-01)',
      )
      expect(look.automatic({ blocks: [] })).toEqual([])
    }
  })

  test.each([
    { name: 'persons of whom nothing is known', others: 15, type: 'person', cards: 1 },
    { name: 'one such person too many', others: 16, type: 'person', cards: 0 },
    { name: 'things', others: 127, type: 'concept', cards: 1 },
    { name: 'one thing too many', others: 128, type: 'concept', cards: 0 },
  ])('a card behind $others $name', async ({ others, type, cards }) => {
    const names = Array.from({ length: others }, (_, n) => `thing${n}`)
    const named = names.map((name) => ({ ...person(`${type}:${name}`, name), type }))
    const { store } = await open({}, { memories, graph: [...graph, ...named] })
    const look = await store.lookUp(`${names.join(' ')} Ana`)
    expect(look.automatic({ blocks: ['person'] })).toHaveLength(cards)
  })

  test('of persons with facts the first three get cards', async () => {
    const ids = ['person:d', 'person:c', 'person:b', 'person:a']
    const facts = ids.map((entityId) => note(`m-${entityId}`, `Of ${entityId}.`, { labels: [{ ...LUND, entityId }] }))
    const { store } = await open({}, { memories: facts, graph: ids.map((id) => person(id, `Name${id.at(-1)}`)) })
    const look = await store.lookUp('Named and Namec and Nameb and Namea')
    const headings = look.automatic({ blocks: ['person'] }).map(({ heading }) => heading.split(' ')[2])
    expect(headings).toEqual(['Named', 'Namec', 'Nameb'])
  })

  test('neither lines nor background of the very conversation; the card is of all', async () => {
    const cosines = { 'Ana lives in Lund.': 0.7, 'Answers should be short.': 0.68 }
    const { store } = await open(cosines, { memories, graph })
    for (const apartFrom of [undefined, 'web:earlier#2026-05-02']) {
      const look = await store.lookUp('What does Ana need?', apartFrom === undefined ? {} : { apartFrom })
      const blocks = look.automatic({ blocks: all, conversationId: 'web:earlier' })
      expect(blocks.map(({ kind }) => kind)).toEqual(['person'])
    }
  })

  test('of a look by words alone only the profile, which needs no service', async () => {
    const { root, embeddings, store } = await open({}, { memories, graph }, { profile: { enabled: true } })
    await store.close()
    const failing = { ...embeddings, embed: () => Promise.reject(new Error('the service is away')) }
    const again = await openWritten(root, { memories: [] }, failing, { profile: { enabled: true } })
    const look = await again.lookUp('What does Ana need?')
    expect(look.mode).toBe('lexical')
    expect(look.automatic({ blocks: ['profile', 'person', 'background', 'relevant'] }).map(({ kind }) => kind)).toEqual(
      ['profile'],
    )
  })
})
