import { describe, expect, test } from 'vitest'
import { holdsCredential, redactCredentials, REDACTION } from '../src/credentials.js'

// Made up for these tests; put together at run time so that no scanner takes this file for a leak.
const GITHUB = ['ghp', 'wWPw5k4aXcaT4fNP0UcnZwJUVFk6LO0pINUx'].join('_')
const POSTGRES = ['postgres', '//ana:p4ssw0rdXyz@db.internal/app'].join(':')
const SLACK = ['xoxb', '23984754863', '2348975623103', 'lifdyhU8HkXbhG2dMqOiTn3B'].join('-')

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
