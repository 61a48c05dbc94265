import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { anchorsOf, anchorShare, MAX_ANCHORS, queryAnchors } from '../../src/query/anchors.js'

test.each([
  { name: 'a number', text: 'Room 42 is free', anchors: ['42'] },
  { name: 'a number with sentence marks', text: '(42), "42"; ‘42’. 42! 42?', anchors: ['42'] },
  { name: 'a number with its separators', text: 'It cost 1,000.50.', anchors: ['1,000.50'] },
  { name: 'money and per cent keep their sign', text: '$40 and 50%', anchors: ['$40', '50%'] },
  { name: 'a time', text: 'at 10:30,', anchors: ['10:30'] },
  { name: 'an ISO date', text: 'born 1988-11-02.', anchors: ['1988-11-02'] },
  { name: 'an identifier', text: 'Pay INV-2024-00917!', anchors: ['inv-2024-00917'] },
  { name: 'an identifier with a possessive', text: "INV-2024-00917's total", anchors: ['inv-2024-00917'] },
  { name: 'a typographic possessive', text: 'INV-42’s total', anchors: ['inv-42'] },
  { name: 'a capital possessive', text: "INV-42'S TOTAL", anchors: ['inv-42'] },
  { name: 'file and path names', text: 'foo_bar.ts in src/index', anchors: ['foo_bar.ts', 'src/index'] },
  { name: 'an address', text: 'mail ana@example.org.', anchors: ['ana@example.org'] },
  { name: 'names of languages', text: 'C++ and C#', anchors: ['c++', 'c#'] },
  { name: 'a version', text: 'v1.0.21', anchors: ['v1.0.21'] },
  { name: 'accents and case folded', text: 'ÉTÉ-2024 CAFÉ_Ñ', anchors: ['ete-2024', 'cafe_n'] },
  { name: 'full width', text: 'ＩＮＶ－２０２４', anchors: ['inv-2024'] },
  { name: 'Arabic digits', text: 'غرفة ٤٢', anchors: ['42'] },
  { name: 'Devanagari digits', text: 'कमरा ४२।', anchors: ['42'] },
  { name: 'Thai digits inside a sentence', text: 'ราคา๔๒บาท', anchors: ['42'] },
  { name: 'glued to Japanese', text: '発注INV-2024-00917を送った。', anchors: ['inv-2024-00917'] },
  { name: 'in Japanese brackets', text: '請求書「INV-42」、済み', anchors: ['inv-42'] },
  { name: 'glued to a Korean particle', text: 'INV-42를 보냈다', anchors: ['inv-42'] },
  { name: 'a date with its marks', text: '1988年11月2日に', anchors: ['1988年11月2日'] },
  { name: 'beside a dash without space', text: 'INV-42—paid', anchors: ['inv-42'] },
  { name: 'a range of years', text: '1990–1995', anchors: ['1990', '1995'] },
  { name: 'before dots', text: 'INV-42...then', anchors: ['inv-42'] },
  { name: 'in a call', text: 'run(42)', anchors: ['42'] },
  { name: 'ordinary words', text: "It's a well-known fact; don't ask. 猫が好き", anchors: [] },
  { name: 'nothing', text: ' \u0000 ?! ', anchors: [] },
])('$name', ({ text, anchors }) => expect([...anchorsOf(text)]).toEqual(anchors))

test.each([
  ['1988-11-02', 'Born 1988-12-02.', 0],
  ['1988年11月2日', '1988年12月2日に生まれた', 0],
  ['42', 'Room 142 and 421', 0],
  ['42', 'INV-42', 0],
  ['INV-42', 'INV-421', 0],
  ['1.0.2', '1.0.21', 0],
  ['42', 'Room 42, second floor', 1],
  ['Zoë_1', 'ZOE_1', 1],
  ['Zoe\u0308_1', 'Zoë_1', 1],
  ['room 42 on 1988-11-02', 'room 42 on 1988-12-02', 0.5],
  ['42 42 7', '42', 0.5],
  ['no anchor', 'no anchor 42', 0],
])('%s in "%s" is a share of %d', (query, text, share) => {
  expect(anchorShare(queryAnchors(query), text)).toBe(share)
})

describe('bounds', () => {
  test.each([MAX_ANCHORS - 1, MAX_ANCHORS, MAX_ANCHORS + 1])('of %d anchors', (count) => {
    const query = Array.from({ length: count }, (_, at) => `n${at}`).join(' ')
    expect(queryAnchors(query)).toHaveLength(Math.min(count, MAX_ANCHORS))
  })

  test('a long run of marks is no anchor, and hides none', () => {
    expect(anchorsOf(`a${'!'.repeat(4_000)}a`)).toEqual(new Set())
    expect(anchorsOf(`${'!'.repeat(2_000)}INV-42${'!'.repeat(2_000)}`)).toEqual(new Set(['inv-42']))
  })
})

test("any two strings: a share in 0..1, and all of one's own anchors are held", () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), fc.string({ unit: 'binary' }), (query, text) => {
      const share = anchorShare(queryAnchors(query), text)
      expect(share).toBeGreaterThanOrEqual(0)
      expect(share).toBeLessThanOrEqual(1)
      const own = queryAnchors(query)
      expect(anchorShare(own, query)).toBe(own.length === 0 ? 0 : 1)
    }),
  )
})

test('a number is held exactly where it stands whole', () => {
  fc.assert(
    fc.property(fc.nat(999), fc.array(fc.nat(999), { maxLength: 8 }), (asked, held) => {
      const text = held.map((value) => `x ${value}, `).join('')
      expect(anchorShare(queryAnchors(`what of ${asked}?`), text)).toBe(held.includes(asked) ? 1 : 0)
    }),
  )
})

test('a share is that of the anchors that the text has by itself, in whatever letters', () => {
  const piece = fc.constantFrom('INV-42', 'inv-42', '42', '4', '2', 'a`b.c', "a'b.c", 'C++', 'c+', 'Foo_Bar', 'foo', '１', 'é.x', '-', ' ', '.', '(', '\0') // prettier-ignore
  const text = fc.array(piece, { maxLength: 6 }).map((pieces) => pieces.join(''))
  fc.assert(
    fc.property(text, text, (asked, held) => {
      const anchors = queryAnchors(asked)
      const own = anchorsOf(held)
      const naive = anchors.length === 0 ? 0 : anchors.filter((anchor) => own.has(anchor)).length / anchors.length
      expect(anchorShare(anchors, held)).toBe(naive)
    }),
  )
})
