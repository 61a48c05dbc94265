import { appendFileSync, existsSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { fileURLToPath } from 'node:url'
import { beforeEach, describe, expect, test } from 'vitest'
import {
  commandIn,
  jsonOf,
  readingsInMarkdown,
  temporaryFolder,
  turnLine,
  until,
  writeTurns,
  type CommandLine,
  type Finished,
} from './support/command.js'

interface Report {
  readonly complete: boolean
  readonly admitted: number
  readonly duplicate: number
  readonly bad: { readonly total: number; readonly lines: readonly object[] }
}

let folder: string
let root: string
let command: CommandLine
beforeEach(async () => {
  folder = temporaryFolder()
  root = join(folder, 'store')
  command = await commandIn(folder)
})

const ingest = (words: readonly string[], input?: string | Uint8Array): Promise<Finished> =>
  command.run(['ingest', '--path', 'store', '--json', ...words], input)
const reportOf = (finished: Finished): Report => jsonOf(finished) as Report

describe('what goes in', () => {
  test('turns, and again: nothing is doubled', async () => {
    writeTurns(join(folder, 'turns.jsonl'), 50)
    const first = await ingest(['turns.jsonl'])
    expect(first).toMatchObject({ exitCode: 0, stderr: '' })
    expect(reportOf(first)).toEqual({
      format: 'turns',
      complete: true,
      admitted: 50,
      duplicate: 0,
      skipped: { total: 0, byReason: {} },
      bad: { total: 0, lines: [], unlisted: 0 },
      pending: 0,
      dead: 0,
    })
    appendFileSync(join(folder, 'turns.jsonl'), turnLine(51))
    expect(reportOf(await ingest(['turns.jsonl']))).toMatchObject({ admitted: 1, duplicate: 50 })
    expect([...readingsInMarkdown(root).values()]).toEqual(Array(51).fill(1))
  })

  test('the example that ships', async () => {
    const example = fileURLToPath(new URL('../../../examples/six-weeks.jsonl', import.meta.url))
    const lines = readFileSync(example, 'utf8').trim().split('\n')
    const report = reportOf(await ingest([example]))
    expect(report).toMatchObject({ admitted: lines.length, duplicate: 0, bad: { total: 0 }, pending: 0, dead: 0 })
    expect(readdirSync(join(root, 'daily')).filter((name) => name.endsWith('.md'))).toHaveLength(42)
  })

  test('messages keep their own time; unanswered and low-signal ones are told', async () => {
    const exchange = (asked: string, answered: string) => [
      { role: 'user', content: asked, created_at: '2026-03-05T10:00:00+01:00' },
      { role: 'assistant', content: answered },
    ]
    const lines = [
      {
        conversation_id: 'trip',
        messages: [...exchange('Which train?', 'The 9:40.'), ...exchange('Anything new?', 'NOTHING_TO_REPORT')],
      },
      { messages: [{ role: 'user', content: 'Hello?' }] },
    ]
    const input = lines.map((line) => JSON.stringify(line)).join('\n')
    expect(reportOf(await ingest(['-', '--format', 'auto'], input))).toMatchObject({
      format: 'messages',
      admitted: 1,
      skipped: { total: 2, byReason: { low_signal: 1, unanswered: 1 } },
    })
    expect(readFileSync(join(root, 'daily', '2026-03-05.md'), 'utf8')).toContain(
      'User: Which train? Assistant: The 9:40.',
    )
    expect(reportOf(await ingest(['-'], input))).toMatchObject({ admitted: 0, duplicate: 1 })
  })

  test('a ChatGPT export', async () => {
    const said = (role: string, text: string) => ({
      author: { role },
      create_time: 1_772_438_400,
      content: { content_type: 'text', parts: [text] },
    })
    const good = {
      conversation_id: 'c',
      current_node: 'b',
      mapping: {
        a: { message: said('user', 'Which train?'), parent: null },
        b: { message: said('assistant', 'The 9:40.'), parent: 'a' },
      },
    }
    writeFileSync(join(folder, 'conversations.json'), JSON.stringify([good, { ...good, current_node: 'gone' }]))
    const finished = await ingest(['conversations.json'])
    expect(reportOf(finished)).toMatchObject({
      format: 'chatgpt',
      admitted: 1,
      bad: { total: 1, lines: [{ conversation: 2, code: 'tree_broken' }] },
    })
    expect(finished).toMatchObject({ exitCode: 0, stderr: 'conversation 2: tree_broken\n' })
    expect(readFileSync(join(root, 'daily', '2026-03-02.md'), 'utf8')).toContain('Which train?')
  })

  test.each([
    { name: 'cut off', text: '[{"mapping":{},"current_node":"x","id":"c"},{"map' },
    { name: 'no array', text: '{"mapping":{}}' },
    { name: 'no UTF-8', text: Buffer.from([0x5b, 0x22, 0xff, 0x22, 0x5d]) },
  ])('an export that is $name fails with input_broken, and never quotes it', async ({ text }) => {
    writeFileSync(join(folder, 'conversations.json'), text)
    const finished = await ingest(['conversations.json', '--format', 'chatgpt'])
    expect(finished.exitCode).toBe(1)
    expect(jsonOf(finished)).toMatchObject({ error: { code: 'input_broken' } })
    expect(finished.stderr).not.toContain('map')
  })

  test('a credential is left out, and that is said', async () => {
    const token = `ghp_${'a1B2c3D4e5'.repeat(4)}`.slice(0, 40)
    const finished = await ingest(['-'], turnLine(1, `Reading number1 of the gauge, with ${token} beside it.`))
    expect(finished.stderr).toBe('warning: 1 credential left out of what was stored\n')
    const day = readFileSync(join(root, 'daily', '2026-03-02.md'), 'utf8')
    expect(day).toContain('Reading number1 of the gauge')
    expect(day).not.toContain(token)
  })

  test('a link to the file is followed; it is the user’s own', async () => {
    writeTurns(join(folder, 'turns.jsonl'), 2)
    symlinkSync(join(folder, 'turns.jsonl'), join(folder, 'link.jsonl'))
    expect(reportOf(await ingest(['link.jsonl']))).toMatchObject({ admitted: 2 })
  })
})

describe('lines that cannot go in', () => {
  test('are named by number and code, never by text, and the rest goes in', async () => {
    const lines = [
      Buffer.from(`\uFEFF${turnLine(1)}\r\n`),
      Buffer.from('this is secret-word\n\n'),
      Buffer.concat([Buffer.from('{"runId":"'), Buffer.from([0xff]), Buffer.from('"}\n')]),
      Buffer.from('["secret-word"]\n'),
      Buffer.from('{"runId":"x","conversationId":"c","summary":7}\n'),
      Buffer.from(`${turnLine(1, 'Another text for the secret-word run.')}\n`),
      Buffer.from(`${turnLine(2, 'x'.repeat(700 * 1024))}\n`),
      Buffer.from(`${turnLine(3, 'x'.repeat(10 * 1024 * 1024))}\n`),
      Buffer.from(turnLine(4)),
    ]
    writeFileSync(join(folder, 'turns.jsonl'), Buffer.concat(lines))
    const finished = await ingest(['turns.jsonl'])
    expect(finished.exitCode).toBe(0)
    const report = reportOf(finished)
    expect(report).toMatchObject({ admitted: 2, duplicate: 0, bad: { total: 7, unlisted: 0 } })
    expect(report.bad.lines.map((line) => ({ ...line, detail: undefined }))).toEqual(
      expect.arrayContaining(
        [
          { line: 2, code: 'not_json' },
          { line: 4, code: 'not_utf8' },
          { line: 5, code: 'not_an_object' },
          { line: 6, code: 'turn_invalid' },
          { line: 7, code: 'run_conflict' },
          { line: 8, code: 'turn_too_large' },
          { line: 9, code: 'turn_too_large' },
        ].map((line) => ({ ...line, detail: undefined })),
      ),
    )
    expect(finished.stdout + finished.stderr).not.toContain('secret-word')
    expect(finished.stderr.split('\n')).toHaveLength(8)
    expect([...readingsInMarkdown(root).keys()]).toEqual([1, 4])
  })

  test.each([
    { name: 'some, with --strict', text: `${turnLine(1)}\noops\n`, words: ['--strict'], exitCode: 1 },
    { name: 'some', text: `${turnLine(1)}\noops\n`, words: [], exitCode: 0 },
    { name: 'none, with --strict', text: `${turnLine(1)}\n`, words: ['--strict'], exitCode: 0 },
    { name: 'all', text: 'oops\noops\n', words: [], exitCode: 1 },
    { name: 'of an empty file', text: '', words: [], exitCode: 0 },
  ])('$name: exit $exitCode', async ({ text, words, exitCode }) => {
    expect((await ingest(['-', '--format', 'turns', ...words], text)).exitCode).toBe(exitCode)
  })

  test('more refused lines than a person reads are counted', async () => {
    const finished = await command.run(['ingest', '-', '--format', 'turns', '--path', 'store'], 'x\n'.repeat(1_500))
    expect(finished.stderr).toContain('… and 1,480 more refused lines')
    expect(reportOf(await ingest(['-', '--format', 'turns'], 'x\n'.repeat(1_500)))).toMatchObject({
      bad: { total: 1500, unlisted: 500 },
    })
  })

  test.each([
    { name: 'a file that is not there', words: ['gone.jsonl'], code: 'input_unreadable' },
    { name: 'a folder', words: ['.'], code: 'input_unreadable' },
    { name: 'an unknown format', words: ['-'], code: 'format_unknown' },
  ])('$name: $code, and no store is made', async ({ words, code }) => {
    const finished = await ingest(words, 'hello\n')
    expect(finished.exitCode).toBe(1)
    expect(jsonOf(finished)).toMatchObject({ error: { code } })
    expect(existsSync(root)).toBe(false)
  })

  test.each([
    { name: 'an empty one', input: '', advice: 'Check that it is the right one.' },
    { name: 'prose', input: 'hello\n', advice: 'Name it with --format' },
  ])('a file of no format, $name: the message says what to do about it', async ({ input, advice }) => {
    expect((await ingest(['-'], input)).stderr).toContain(advice)
  })

  test('a store that must not be written skips every turn and says why', async () => {
    writeTurns(join(folder, 'turns.jsonl'), 3)
    writeFileSync(
      join(folder, 'mono-agent.config.json'),
      '{"memory":{"mode":"lite","path":"store","writeMode":"disabled"}}',
    )
    expect(jsonOf(await command.run(['ingest', 'turns.jsonl', '--json']))).toMatchObject({
      admitted: 0,
      skipped: { total: 3, byReason: { write_disabled: 3 } },
    })
  })
})

test('a file larger than the memory is read: nothing of it is held', async () => {
  // 80 MB of turns through a heap of 64 MB; a store that is not written leaves reading alone to be measured.
  const small = await commandIn(folder, { NODE_OPTIONS: '--max-old-space-size=64' })
  writeFileSync(
    join(folder, 'mono-agent.config.json'),
    '{"memory":{"mode":"lite","path":"store","writeMode":"disabled"}}',
  )
  const { process: child, finished } = small.start(['ingest', '-', '--format', 'turns', '--json'])
  const lines = function* () {
    for (let number = 1; number <= 40_000; number += 1) yield `${turnLine(number, 'word '.repeat(400))}\n`
  }
  await pipeline(Readable.from(lines()), child.stdin)
  expect(await finished).toMatchObject({ exitCode: 0, stderr: '' })
  expect(jsonOf(await finished)).toMatchObject({ skipped: { total: 40_000 } })
})

describe('stopped half way', () => {
  const COUNT = 600
  const lines = Array.from({ length: COUNT }, (_, index) => `${turnLine(index + 1)}\n`)

  /** Feeds half of the turns to a command that waits for more, until the first of them are in the Markdown. */
  async function startedHalfWay() {
    const running = command.start(['ingest', '-', '--path', 'store', '--json'])
    running.process.stdin.write(lines.slice(0, COUNT / 2).join(''))
    await until(() => readingsInMarkdown(root).size > 0)
    return running
  }

  async function expectAllOnce(): Promise<Report> {
    const report = reportOf(await ingest(['-'], lines.join('')))
    expect(report).toMatchObject({ complete: true, bad: { total: 0 }, pending: 0, dead: 0 })
    expect(report.admitted + report.duplicate).toBe(COUNT)
    const readings = readingsInMarkdown(root)
    expect(readings.size).toBe(COUNT)
    expect([...readings.values()].every((times) => times === 1)).toBe(true)
    return report
  }

  test('by SIGKILL: running again goes on, every turn is there once', async () => {
    const running = await startedHalfWay()
    running.process.kill('SIGKILL')
    expect((await running.finished).exitCode).toBeNull()
    await expectAllOnce()
  })

  test.each([
    { signal: 'SIGINT', exitCode: 130 },
    { signal: 'SIGTERM', exitCode: 143 },
  ] as const)(
    'by $signal: it finishes what is in flight, tells how to go on, and exits with $exitCode',
    async ({ signal, exitCode }) => {
      const running = await startedHalfWay()
      running.process.kill(signal)
      const finished = await running.finished
      expect(finished.exitCode).toBe(exitCode)
      expect(finished.stderr).toContain('Run the same command again')
      const report = reportOf(finished)
      expect(report).toMatchObject({ complete: false, duplicate: 0, pending: 0, dead: 0 })
      expect(readingsInMarkdown(root).size).toBe(report.admitted)
      expect((await expectAllOnce()).duplicate).toBe(report.admitted)
    },
  )
})
