import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { detectCredentials } from '../src/credential-detector.js'
import { holdsCredential, redactCredentials, REDACTION } from '../src/credentials.js'
import { turnsOfLoop } from './support/turns-of-loop.js'

// Made up for these tests; put together at run time so that no scanner takes this file for a leak.
const GITHUB = ['ghp', 'wWPw5k4aXcaT4fNP0UcnZwJUVFk6LO0pINUx'].join('_')
const POSTGRES = ['postgres', '//ana:p4ssw0rdXyz@db.internal/app'].join(':')
const SLACK = ['xoxb', '23984754863', '2348975623103', 'lifdyhU8HkXbhG2dMqOiTn3B'].join('-')
const AWS = ['wJalrXUtnFEMIxK7', 'MDENGxbPxRfiCYzEXAMPLEKx'].join('')
const PRIVATE_KEY = (length: number) =>
  [`-----BEGIN RSA PRIVATE`, ` KEY-----\nMI${'A'.repeat(length - 2)}\n-----END RSA PRIVATE`, ` KEY-----`].join('')

describe('found and redacted, the rest kept (CAP-25)', () => {
  test.each([
    ['a GitHub token', GITHUB],
    ['a connection string', POSTGRES],
    ['a Slack token', SLACK],
  ])('%s', async (_name, secret) => {
    expect(await holdsCredential(`Use ${secret} for that.`)).toBe(true)
    expect(await redactCredentials(`Use ${secret} for that.`)).toEqual({ text: `Use ${REDACTION} for that.`, count: 1 })
  })

  test('several in one text', async () => {
    const { text, count } = await redactCredentials(`a ${GITHUB} b ${SLACK} c`)
    expect(count).toBe(2)
    expect(text).toBe(`a ${REDACTION} b ${REDACTION} c`)
  })

  test.each([
    { name: 'behind its name', text: `set aws_secret_access_key = ${AWS} now`, left: `set ${REDACTION} now` },
    { name: 'behind a byte order mark', text: `\ufeff${GITHUB} x`, left: `\ufeff${REDACTION} x` },
    {
      name: 'where the text says not to look',
      text: `secretlint-disable\n${GITHUB}`,
      left: `secretlint-disable\n${REDACTION}`,
    },
  ])('$name, whole', async ({ text, left }) => {
    expect(await redactCredentials(text)).toEqual({ text: left, count: 1 })
  })

  const wide = GITHUB.replaceAll(/[!-~]/g, (one) => String.fromCharCode(one.charCodeAt(0) + 0xfee0))
  const mathematical = GITHUB.replaceAll(/[a-z]/g, (one) => String.fromCodePoint(one.charCodeAt(0) - 97 + 0x1d5ba))
  test.each([
    ['behind a word joiner', `${GITHUB.slice(0, 9)}\u2060${GITHUB.slice(9)}`],
    ['behind soft hyphens between all letters', [...GITHUB].join('\u00ad')],
    ['in wide letters', wide],
    ['in mathematical letters', mathematical],
  ])('%s, the words around it kept as they were', async (_name, secret) => {
    const around = (middle: string): string => `👨‍👩‍👧 ｗｉｄｅ 𝗮 \u2060x ${middle} y\u2060 𝗯 ｗｉｄｅ ❤️`
    expect(await holdsCredential(secret)).toBe(true)
    expect(await redactCredentials(around(secret))).toEqual({ text: around(REDACTION), count: 1 })
  })

  test.each([
    ['Stripe', ['sk', 'live', '4eC39HqLyjWDarjtT1zdp7dc'].join('_')],
    ['GitLab', ['glpat', 'ABCDEFghijkl12345678'].join('-')],
    ['Hugging Face', ['hf', 'wWPw5k4aXcaT4fNP0UcnZwJUVFk6LO0pIN'].join('_')],
    ['Google', ['AIza', 'SyD4aXcaT4fNP0UcnZwJUVFk6LO0pIN0123'].join('')],
    ['a JSON Web Token', ['eyJhbGciOiJIUzI1NiJ9', 'eyJzdWIiOiIxMjM0NSJ9', 'c2lnbmF0dXJlLW9mLWEtdG9rZW4'].join('.')],
  ])('published by %s, within a word no more', async (_name, secret) => {
    expect(await redactCredentials(`Use (${secret}).`)).toEqual({ text: `Use (${REDACTION}).`, count: 1 })
    expect(await holdsCredential(`x${secret}`)).toBe(false)
  })

  test('redacting twice is redacting once', async () => {
    const once = await redactCredentials(`key ${GITHUB}`)
    expect(await redactCredentials(once.text)).toEqual({ text: once.text, count: 0 })
  })
})

describe('look-alikes are left alone', () => {
  test.each([
    ['a git id', 'Commit 2fd4e1c67a2d28fced849ee1bb76e7391b93eb12 fixed it.'],
    ['a UUID', 'Order 9b2f7c1e-5a8d-4e07-bb0e-3f6d0a2c4e11 arrived.'],
    ['a SHA-256', 'sha256 9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08'],
    ['prose', 'The password for the guest wifi is on the fridge.'],
    ['nothing', ''],
  ])('%s', async (_name, text) => {
    expect(await redactCredentials(text)).toEqual({ text, count: 0 })
  })
})

test('a thousand looks leave nothing behind in the process', async () => {
  const marks = performance.getEntriesByType('mark').length
  for (let n = 0; n < 1_000; n += 1) await holdsCredential(`Sentence ${n}.`)
  expect(performance.getEntriesByType('mark')).toHaveLength(marks)
})

describe('long texts, looked at in parts', () => {
  /** The whole text at once. */
  async function redactedAtOnce(text: string): Promise<string> {
    const isRedacted = new Uint8Array(text.length)
    for (const [start, end] of await detectCredentials(text)) isRedacted.fill(1, start, end)
    return text
      .replace(/[^]/g, (unit, at: number) => (isRedacted[at] === 1 ? '\0' : unit))
      .replaceAll(/\0+/g, REDACTION)
  }

  const filler = fc
    .tuple(
      fc.constantFrom('word ', 'x', '0', '_', '猫', '😀', 'กาแฟ', '\n', '-', 'é'),
      fc.integer({ min: 0, max: 30_000 }),
    )
    .map(([piece, units]) => piece.repeat(Math.ceil(units / piece.length)))
  const secret = fc.oneof(
    fc.constantFrom(
      GITHUB,
      POSTGRES,
      SLACK,
      `SECRET_ACCESS_KEY=${AWS}`,
      `secretaccesskey${' '.repeat(15_000)}= ${AWS}`,
    ),
    fc.integer({ min: 200, max: 10_000 }).map(PRIVATE_KEY),
    fc
      .integer({ min: 10, max: 3_000 })
      .map((part) => ['eyJ'.padEnd(part, 'a'), 'eyJ'.padEnd(part, 'b'), 'c'.repeat(part)].join('.')),
    fc.integer({ min: 1, max: 9_000 }).map((groups) => `xoxb-${'a1b2-'.repeat(groups)}z`),
  )

  const describePieces = (pieces: readonly string[]): string =>
    pieces.map((piece) => `${JSON.stringify(piece.slice(0, 24))} of ${piece.length} units`).join(', ')

  test('find what one look at all of it finds', () =>
    fc.assert(
      fc.asyncProperty(fc.array(fc.oneof(filler, secret), { minLength: 1, maxLength: 6 }), async (pieces) => {
        const text = pieces.join('')
        expect((await redactCredentials(text)).text === (await redactedAtOnce(text)), describePieces(pieces)).toBe(true)
      }),
      { numRuns: 60 },
    ))

  // Over the text a window ends at every place within a token and around it.
  test.each([' ', '\n', '，', '.'])('a token at every place, "%s" between', async (between) => {
    const { text, count } = await redactCredentials(`${GITHUB}${between}`.repeat(2_500))
    expect(count).toBe(2_500)
    expect(text === `${REDACTION}${between}`.repeat(2_500)).toBe(true)
  })

  // What a rule asks for before a token or behind it must not be forgotten where a window begins.
  test.each(['', '猫', '0', 'z'])('no token, since "%s" follows or comes before', async (between) => {
    const text = `${between}${`z${GITHUB}${between}`.repeat(2_500)}`
    expect(await redactCredentials(text)).toEqual({ text, count: 0 })
  })

  test.each([
    { name: 'Han', text: '猫'.repeat(200_000) },
    { name: 'tokens', text: `${GITHUB} `.repeat(6_000) },
    { name: 'wide letters', text: 'ｗｉｄｅ '.repeat(60_000) },
    { name: 'what looks like keys', text: '-----BEGIN PRIVATE KEY-----'.repeat(20_000) },
  ])('of $name leave the event loop its turns', async ({ text }) => {
    const { turns } = await turnsOfLoop(() => redactCredentials(text))
    expect(turns).toBeGreaterThan(text.length / 32_768)
  })
})
