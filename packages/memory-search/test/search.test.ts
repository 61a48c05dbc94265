import { checkSentence } from '@mono-agent/memory-store'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { find, idsOf, indexOf } from './support/scenario.js'

const HOSTILE = [
  '@nasa',
  "it's",
  'a=b',
  '50%',
  'why?',
  '[x]',
  'C++',
  'rm -rf /',
  'TODO: fix',
  'col:val',
  '1.0.21',
  'GB/s',
  '"',
  '""',
  "'",
  'AND',
  'NOT',
  'OR',
  'NEAR(a b)',
  '*',
  '^',
  '-',
  '(',
  'body : x',
  '{body} : x',
  'a + b',
  '"unclosed',
  '👍🏽',
  '?!',
]

describe('any string is a query', () => {
  test('what is stored is found by itself, the first of all', async () => {
    const index = await indexOf([...HOSTILE, 'Something else entirely.', 'More filling, about nothing in particular.'])
    HOSTILE.forEach((query, at) => expect([query, find(index, query)[0]]).toEqual([query, `m-${at}`]))
  })

  test('what is no sentence is a query all the same', async () => {
    const index = await indexOf(['One plain sentence.'])
    for (const query of [
      '',
      ' ',
      '\0',
      'a\0b',
      '\ud800',
      '\udc00x',
      '\u{FDD0}',
      '\u200b',
      'x'.repeat(20_000),
      '"'.repeat(20_000),
      'กาแฟ'.repeat(5_000),
    ]) {
      expect(find(index, query)).toEqual([])
    }
    expect(find(index, 'plain\0')).toEqual(['m-0'])
    expect(find(index, `plain ${'word '.repeat(20_000)}`)).toEqual(['m-0'])
  })

  test('a query never holds the tokens that the index makes itself', async () => {
    const index = await indexOf([{ sentence: 'One.', speaker: 'Ana' }])
    expect(find(index, '\u{FDD0}aana \u{FDD0}ty2026')).toEqual(['m-0']) // by its author, Ana, whom it names
    expect(find(index, '\u{FDD0}td2026-05-01'.replace('2026-05-01', '1'))).toEqual([])
  })

  test('random sentences are found by themselves', async () => {
    const sentence = fc
      .oneof(
        fc.string({ unit: 'grapheme', minLength: 1, maxLength: 60 }),
        fc.string({ unit: fc.constantFrom(...'ab"\'*^-:(){}[]+.,%@#猫が서กา́ 👍é'), minLength: 1, maxLength: 30 }),
      )
      .map((text) => text.trim())
      .filter((text) => checkSentence(text) === undefined)
    await fc.assert(
      fc.asyncProperty(fc.uniqueArray(sentence, { minLength: 1, maxLength: 40 }), async (sentences) => {
        const index = await indexOf(sentences)
        for (const text of sentences) {
          const texts = index.search({ query: text, limit: 50 }).map((hit) => hit.text)
          expect(texts).toContain(text)
        }
      }),
      { numRuns: 25 },
    )
  }, 300_000)
})

describe('words', () => {
  test.each([
    { sentence: 'Zoë moved to Malmö.', queries: ['zoe', 'ZOE', 'Zoë', 'malmo'] },
    { sentence: 'zoe is here', queries: ['Zoë'] },
    { sentence: '今日はみんなでしりとりをしました。', queries: ['しりとり', 'みんな', '今日'] },
    { sentence: '他常常使用这个成语来说明问题。', queries: ['成语', '问题', '说'] },
    { sentence: '昨日、庭で白い猫を見た。', queries: ['猫', '庭', '白い'] },
    { sentence: '우리는 서울에서 만났다.', queries: ['서울', '서울에서', '만났다'] },
    { sentence: '서울 여행', queries: ['서울에서'] },
    { sentence: 'ฉันชอบดื่มกาแฟตอนเช้า', queries: ['กาแฟ', 'ดื่ม'] },
    { sentence: 'ខ្ញុំចូលចិត្តកាហ្វេ', queries: ['កាហ្វេ'] },
    { sentence: 'Она купила зелёный чай.', queries: ['зеленый', 'ЧАЙ'] },
    { sentence: 'Το καφενείο είναι κλειστό.', queries: ['καφενειο', 'ΚΛΕΙΣΤΌ'] },
    { sentence: 'Die Straße ist gesperrt.', queries: ['strasse', 'STRASSE'] },
    { sentence: 'Invoice INV-2024-00917 is due.', queries: ['INV-2024-00917', 'inv', '00917'] },
    { sentence: 'See foo_bar.ts, please.', queries: ['foo_bar.ts', 'bar'] },
    { sentence: 'It runs at 3 GB/s on C++.', queries: ['GB/s', 'C++'] },
    { sentence: 'She was painting all day.', queries: ['paint', 'painted'] },
    { sentence: 'الغرفة رقم ٤١٢ محجوزة.', queries: ['412', '٤١٢'] },
    { sentence: 'कमरा ४१२ खाली है।', queries: ['412'] },
    { sentence: 'Great 👍🏽 work', queries: ['👍', '👍🏽'] },
  ])('$sentence', async ({ sentence, queries }) => {
    const index = await indexOf(['Nothing of the kind 0.', sentence, 'Another one 1.'])
    for (const query of queries) expect([query, find(index, query)]).toEqual([query, ['m-1']])
  })

  test('C++ is not C', async () => {
    const index = await indexOf(['He writes C at work.', 'He writes C++ at work.', 'He writes at work.'])
    expect(find(index, 'C++')[0]).toBe('m-1')
  })
})

describe('actor and time', () => {
  const chat = (count: number) =>
    Array.from({ length: count }, (_, n) => ({
      sentence: `We talked about pottery and tea, part ${n}.`,
      speaker: n % 2 === 0 ? 'Caroline' : 'Mélanie Dubois',
    }))

  test('a name that stands in half of the records selects', async () => {
    const index = await indexOf(chat(400))
    for (const query of ['what did caroline say about pottery', 'pottery Caroline', 'CAROLINE’s tea']) {
      const hits = index.search({ query, limit: 50 })
      expect(hits).toHaveLength(50)
      expect(new Set(hits.map(({ source }) => source?.speaker))).toEqual(new Set(['Caroline']))
    }
    expect(index.search({ query: 'melanie pottery', limit: 1 })[0]?.source?.speaker).toBe('Mélanie Dubois')
  })

  test('the best of the named author are looked at, however many others hold the words more often', async () => {
    const others = Array.from({ length: 150 }, (_, n) => ({ sentence: `Tea tea tea ${n}.`, speaker: 'Bob' }))
    const index = await indexOf([
      ...others,
      { sentence: 'A very long sentence that among much else says tea once, too.', speaker: 'Ana' },
    ])
    expect(find(index, 'Ana tea')[0]).toBe('m-150')
  })

  test.each([
    { query: 'dinner on 3 May 2025', first: 'm-1' },
    { query: 'dinner 2025-05-03', first: 'm-1' },
    { query: 'dinner in June 2025', first: 'm-2' },
    { query: 'dinner in Juni', first: 'm-2' },
    { query: 'dinner in 2024', first: 'm-0' },
  ])('$query', async ({ query, first }) => {
    const index = await indexOf([
      { sentence: 'We had dinner there.', occurredAt: '2024-07-01T18:00:00.000Z' },
      { sentence: 'We had dinner there.', occurredAt: '2025-05-03T18:00:00.000Z' },
      { sentence: 'We had dinner there.', occurredAt: '2025-06-10T18:00:00.000Z' },
    ])
    expect(find(index, query)[0]).toBe(first)
  })

  test('what was told on a named day is found without any of the words', async () => {
    const index = await indexOf([{ sentence: 'Breakfast.', occurredAt: '2025-05-03T08:00:00.000Z' }, 'Lunch.'])
    expect(find(index, '2025-05-03')).toEqual(['m-0'])
    expect(index.search({ query: '2025-05-03', limit: 1, explain: true })[0]?.explanation).toEqual({
      lexical: 0,
      actor: 0,
      time: 0.15,
      question: 0,
    })
  })

  test('the parts add up to the score, and only on request', async () => {
    const index = await indexOf(chat(20))
    for (const hit of index.search({ query: 'Caroline pottery May 2026', limit: 20, explain: true })) {
      const { lexical = NaN, actor = NaN, time = NaN } = hit.explanation ?? {}
      expect(lexical + actor + time).toBeCloseTo(hit.score, 8)
      expect(hit.score).toBeGreaterThan(0)
      expect(hit.score).toBeLessThanOrEqual(1)
    }
    expect(index.search({ query: 'pottery', limit: 1 })[0]).not.toHaveProperty('explanation')
  })
})

describe('what is eligible', () => {
  test('dropped and invalidated are never found, the others are', async () => {
    const statuses = ['open', 'done', 'migrated', 'scheduled', 'dropped', 'invalidated'] as const
    const index = await indexOf(
      statuses.map((status) => ({ sentence: 'Water the plants.', status, type: 'task' as const })),
    )
    expect(find(index, 'plants')).toEqual(['m-0', 'm-1', 'm-2', 'm-3'])
    expect(find(index, 'Water the plants.')).toEqual(['m-0', 'm-1', 'm-2', 'm-3'])
    expect(idsOf(index.top(10).map((memory) => ({ ...memory, score: 0 })))).toHaveLength(4)
    expect(index.get('m-4')?.status).toBe('dropped')
  })

  test('a conversation filter acts before the best are chosen', async () => {
    const others = Array.from({ length: 300 }, () => ({ sentence: 'Tea tea tea.', conversationId: 'a' }))
    const index = await indexOf([
      ...others,
      { sentence: 'Tea among many other words of a sentence.', conversationId: 'b"\0'.slice(0, 2) },
    ])
    expect(idsOf(index.search({ query: 'tea', limit: 10, conversationId: 'b"' }))).toEqual(['m-300'])
    expect(index.search({ query: 'tea', limit: 10, conversationId: 'none' })).toEqual([])
    expect(index.search({ query: 'Tea tea tea.', limit: 10, conversationId: 'b"' })).toHaveLength(1)
  })

  test('the words of a dropped record are not found through the ones after it', async () => {
    const index = await indexOf([
      { sentence: 'A secret plan.', conversationId: 'c', status: 'dropped' },
      { sentence: 'Fine.', conversationId: 'c' },
    ])
    expect(find(index, 'secret')).toEqual([])
  })

  test.each([0, 51, 1.5, Number.NaN])('a limit of %d is refused', async (limit) => {
    const index = await indexOf(['One.'])
    expect(() => index.search({ query: 'one', limit })).toThrow(RangeError)
  })
})

describe('order', () => {
  test('equal records come by id, also far more of them than are looked at', async () => {
    const index = await indexOf(
      Array.from({ length: 1_000 }, (_, n) => ({
        id: `x-${String((n * 7) % 1_000).padStart(4, '0')}`,
        sentence: 'Good night.',
      })),
    )
    const expected = Array.from({ length: 50 }, (_, n) => `x-${String(n).padStart(4, '0')}`)
    expect(find(index, 'night', 50)).toEqual(expected)
    expect(find(index, 'night', 3)).toEqual(expected.slice(0, 3))
    expect(find(index, 'Good night.', 3)).toEqual(expected.slice(0, 3))
  })

  test('a record is found by what was said right before it, but after what says it itself', async () => {
    const index = await indexOf([
      { sentence: 'Do you like the marathon?', conversationId: 'c' },
      { sentence: 'Yes, very much.', conversationId: 'c' },
      { sentence: 'Me too.', conversationId: 'c' },
      { sentence: 'Bye.', conversationId: 'c' },
      { sentence: 'Elsewhere.', conversationId: 'd' },
    ])
    expect(find(index, 'marathon')).toEqual(['m-0', 'm-1', 'm-2'])
  })
})
