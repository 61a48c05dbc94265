import fc from 'fast-check'
import { expect, test } from 'vitest'
import { standsIn } from '../../../src/capture/contract/stands-in.js'

/** Long enough that the engine's own search is not asked. */
const FILLER = 20_000

test('finds what the engine finds', () => {
  const text = fc.string({ unit: fc.constantFrom('a', 'b', 'é', '👍'), maxLength: 12 })
  fc.assert(
    fc.property(text, text, text, fc.nat(3), (before, words, after, times) => {
      const long = `${words.repeat(times)}b${'ab'.repeat(FILLER / 2)}`
      for (const [sought, whole] of [
        [words, before + words.repeat(times) + after],
        [long, before + long + after],
        [long, before + long.slice(0, -1) + after],
        [long, before + long.slice(1) + after],
      ] as const) {
        expect(standsIn(sought, whole)).toBe(whole.includes(sought))
      }
    }),
    { numRuns: 50 },
  )
})

const zeroes = '0'.repeat(150_000)

test.each([
  { name: 'not there', words: `${zeroes}1${zeroes}`, text: zeroes.repeat(4), is: false },
  { name: 'at the end', words: `${zeroes}1`, text: `${zeroes.repeat(3)}1`, is: true },
  { name: 'with another beginning', words: `1${zeroes}`, text: zeroes.repeat(4), is: false },
  { name: 'of an alphabet of two', words: `${'ab'.repeat(75_000)}b`, text: 'ab'.repeat(300_000), is: false },
])('a dump of hundreds of kilobytes, $name, costs no minutes of the event loop', ({ words, text, is }) => {
  expect(standsIn(words, text)).toBe(is)
})
