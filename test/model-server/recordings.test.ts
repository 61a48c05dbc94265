import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import { asAgentHost, bookOf, normaliseUserSection, openBook, scriptedCapture } from './index.js'
import { ollamaOf, serverWith } from './test-server.js'

const ask = (book: ReturnType<typeof bookOf>, user: string, name = 'extract') =>
  asAgentHost(book.responder)({ model: 'm', system: 'Rules.', user, schema: { name, schema: {} } })

function temporaryFile(): string {
  const folder = mkdtempSync(join(tmpdir(), 'recordings-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  return join(folder, 'book.json')
}

const model = () =>
  scriptedCapture({
    extract: (call) => ({ said: call.user }),
    reconcile: { content: '{"decisions":', finish: 'length' },
  }).responder

test('a book is written from a model, and answers without it', async () => {
  const path = temporaryFile()
  const recording = bookOf([], { recordFrom: model() })
  await ask(recording, 'Ana keeps bees.')
  await ask(recording, 'Ana keeps bees.')
  await ask(recording, 'Ana keeps bees.', 'reconcile')
  recording.save(path)

  const book = openBook(path)
  expect(await ask(book, 'Ana keeps bees.')).toBe('{"said":"Ana keeps bees."}')
  expect(book.recordings()).toHaveLength(2)
  expect(book.unused()).toMatchObject([{ schema: 'reconcile', asked: 'Ana keeps bees.', finish: 'length' }])
  expect(book.missing).toEqual([])
})

test('over HTTP, finish included', async () => {
  const server = await serverWith()
  const book = bookOf([], { recordFrom: model() })
  await ask(book, 'Data.', 'reconcile')
  server.chat.respondWith(bookOf(book.recordings()).responder)
  const { message, done_reason } = await ollamaOf(server).chat({
    model: 'scripted-chat',
    messages: [
      { role: 'system', content: 'Rules that may change: nothing is looked up by them.' },
      { role: 'user', content: 'Data.' },
    ],
    format: { title: 'reconcile', type: 'object' },
  })
  expect([message.content, done_reason]).toEqual(['{"decisions":', 'length'])
})

test('the order in which a book was made does not show in it', async () => {
  const paths = [temporaryFile(), temporaryFile()] as const
  const asked = ['One.', 'Two.', 'Three.']
  for (const [path, order] of [[paths[0], asked] as const, [paths[1], asked.toReversed()] as const]) {
    const book = bookOf([], { recordFrom: model() })
    for (const user of order) await ask(book, user)
    book.save(path)
  }
  expect(readFileSync(paths[0], 'utf8')).toBe(readFileSync(paths[1], 'utf8'))
})

describe('what nobody recorded', () => {
  test('is an error that says what was asked, and is on record', async () => {
    const book = bookOf([])
    await expect(ask(book, 'Who\nis "Ana"?')).rejects.toThrow(
      /Nobody recorded an answer to extract [0-9a-f]{64}, which asks: "Who\\nis \\"Ana\\"\?"/,
    )
    expect(book.missing).toMatchObject([{ schema: 'extract', asked: 'Who\nis "Ana"?' }])
  })

  test('is a 500 of the server with the same words', async () => {
    const server = await serverWith()
    server.chat.respondWith(bookOf([]).responder)
    const asking = ollamaOf(server).chat({
      model: 'scripted-chat',
      messages: [{ role: 'user', content: 'Data.' }],
      format: { title: 'extract' },
    })
    await expect(asking).rejects.toThrow(/Nobody recorded an answer to extract/)
    expect(server.chat.unexpected).toHaveLength(1)
  })

  test('another stage of the same words is another request', async () => {
    const book = bookOf([], { recordFrom: model() })
    await ask(book, 'Data.')
    await expect(ask(bookOf(book.recordings()), 'Data.', 'reconcile')).rejects.toThrow(/Nobody recorded/)
  })

  test('an answer can be written down by hand', async () => {
    const book = bookOf([])
    book.record({ schemaName: 'extract', messages: [{ role: 'user', content: 'Data.' }] }, '{}')
    expect(await ask(book, 'Data.')).toBe('{}')
  })
})

test.each([
  { name: 'white space', one: 'a  b\n\tc ', other: 'a b c' },
  { name: 'forms of Unicode', one: 'Cafe\u0301', other: 'Café' },
  { name: 'derived ids', one: `x ${'0a'.repeat(16)}-1 y`, other: `x ${'bc'.repeat(16)}-1 y` },
])('$name makes no difference', ({ one, other }) => {
  expect(normaliseUserSection(one)).toBe(normaliseUserSection(other))
})

test.each([
  { one: 'a b', other: 'A b' },
  { one: 'due 2026-05-01', other: 'due 2026-05-02' },
  { one: 'r-0a0a0a0a', other: 'r-0b0b0b0b' },
])('$one is not $other', ({ one, other }) => {
  expect(normaliseUserSection(one)).not.toBe(normaliseUserSection(other))
})

test('what a run should not be known by can be left out', async () => {
  const normalise = (user: string) => user.replace(/\d/g, '#')
  const book = bookOf([], { recordFrom: model(), normalise })
  await ask(book, 'Turn 1')
  expect(await ask(bookOf(book.recordings(), { normalise }), 'Turn 2')).toBe('{"said":"Turn 1"}')
})

test.each([
  { name: 'no JSON', text: '{' },
  { name: 'another version', text: '{"version":2,"recordings":[]}' },
  { name: 'a field too many', text: '{"version":1,"recordings":[],"more":1}' },
  { name: 'no digest', text: '{"version":1,"recordings":[{"schema":"extract","asked":"","answer":""}]}' },
])('a file that is $name is no book', ({ text }) => {
  const path = temporaryFile()
  writeFileSync(path, text)
  expect(() => openBook(path)).toThrow()
})

test('one request recorded twice is no book', () => {
  const one = { schema: 'extract', digest: 'ab'.repeat(32), asked: '', answer: '' }
  expect(() => bookOf([one, { ...one, answer: 'other' }])).toThrow(/twice/)
})
