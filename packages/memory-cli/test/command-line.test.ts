import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, describe, expect, test } from 'vitest'
import { buildChildProgram, startChild } from '../../../test/support/child-program.js'
import { commandIn, jsonOf, temporaryFolder, turnLine, writeTurns, type CommandLine } from './support/command.js'

const TURN_ID = 'a'.repeat(64)

/** Every command with words that are right. */
const COMMANDS: readonly { readonly name: string; readonly words: readonly string[] }[] = [
  { name: 'ingest', words: ['ingest', 'turns.jsonl'] },
  { name: 'search', words: ['search', 'gauge'] },
  { name: 'today', words: ['today'] },
  { name: 'show', words: ['show', '2026-03-02'] },
  { name: 'top', words: ['top'] },
  { name: 'log', words: ['log', 'r-none-0'] },
  { name: 'profile', words: ['profile'] },
  { name: 'curate', words: ['curate'] },
  { name: 'stats', words: ['stats'] },
  { name: 'inspect', words: ['inspect'] },
  { name: 'retry', words: ['retry'] },
  { name: 'resolve', words: ['resolve', TURN_ID, '--reason', 'gone'] },
  { name: 'rebuild', words: ['rebuild'] },
  { name: 'rollback', words: ['rollback'] },
  { name: 'validate', words: ['validate'] },
]
const READING = ['search', 'today', 'show', 'top', 'profile', 'curate', 'stats', 'inspect']
/** Work beside an agent and leave nothing; `validate` needs no store. */
const LOOKING = [...READING, 'validate']
const WRITING = ['ingest', 'retry', 'resolve', 'rebuild', 'rollback']
const wordsOf = (name: string): readonly string[] => COMMANDS.find((command) => command.name === name)?.words ?? []

describe('without a memory block', () => {
  test.each(COMMANDS)('$name says not_configured and exits with 0', async ({ words }) => {
    const folder = temporaryFolder()
    const command = await commandIn(folder)
    expect(await command.run(words)).toMatchObject({
      exitCode: 0,
      stdout: expect.stringMatching(/^not_configured: /) as string,
    })
    writeFileSync(join(folder, 'mono-agent.config.json'), '{"memory": null}')
    const asJson = await command.run([...words, '--json'])
    expect(asJson.exitCode).toBe(0)
    expect(jsonOf(asJson)).toMatchObject({ status: 'not_configured' })
    expect(readdirSync(folder)).toEqual(['mono-agent.config.json'])
  })

  test.each([
    { name: 'no file', file: undefined },
    { name: 'a file without the block', file: '{}' },
  ])('$name: the answer names the way out', async ({ file }) => {
    const folder = temporaryFolder()
    if (file !== undefined) writeFileSync(join(folder, 'mono-agent.config.json'), file)
    const command = await commandIn(folder)
    expect((await command.run(['stats'])).stdout).toContain('--path')
    expect((await command.run(['stats', '--path', 'nowhere'])).stderr).toContain('Check the path')
  })
})

describe('help', () => {
  test.each([
    { words: ['--help'], usage: 'mono-agent-memory [options] [command]' },
    { words: ['help'], usage: 'mono-agent-memory [options] [command]' },
    { words: ['show', '--help'], usage: 'mono-agent-memory show [options] <date>' },
    { words: ['help', 'show'], usage: 'mono-agent-memory show [options] <date>' },
  ])('$words', async ({ words, usage }) => {
    const command = await commandIn(temporaryFolder())
    const shown = await command.run(words)
    expect(shown).toMatchObject({ exitCode: 0, stderr: '' })
    expect(shown.stdout).toContain(`Usage: ${usage}`)
    expect(jsonOf(await command.run([...words, '--json']))).toEqual({ text: shown.stdout.trim() })
  })
})

describe('misuse', () => {
  test.each([
    { name: 'no command', words: [], usage: 'mono-agent-memory [options] [command]' },
    { name: 'a command like another', words: ['stat'], usage: 'mono-agent-memory [options] [command]' },
    { name: 'an unknown command', words: ['forgive'], usage: 'mono-agent-memory [options] [command]' },
    { name: 'an unknown option', words: ['stats', '--loud'], usage: 'mono-agent-memory stats' },
    { name: 'a word too many', words: ['stats', 'now'], usage: 'mono-agent-memory stats' },
    { name: 'no query', words: ['search'], usage: 'mono-agent-memory search [options] <query...>' },
    { name: 'a query like an option', words: ['search', '-rf'], usage: 'mono-agent-memory search' },
    { name: 'a day as an instant', words: ['search', 'x', '--as-of', '2026-05-01'], usage: 'mono-agent-memory search' },
    {
      name: 'an instant without an offset',
      words: ['search', 'x', '--as-of', '2026-05-01T09:00:00'],
      usage: 'mono-agent-memory search',
    },
    { name: 'an unknown kind', words: ['search', 'x', '--kind', 'fact'], usage: 'mono-agent-memory search' },
    { name: 'about nobody', words: ['search', 'x', '--about', ' '], usage: 'mono-agent-memory search' },
    { name: 'no file', words: ['ingest'], usage: 'mono-agent-memory ingest [options] <file>' },
    { name: 'an unknown format', words: ['ingest', 'x', '--format', 'csv'], usage: 'mono-agent-memory ingest' },
    { name: 'no date', words: ['show'], usage: 'mono-agent-memory show [options] <date>' },
    { name: 'a day that is none', words: ['show', '2026-02-29'], usage: 'mono-agent-memory show' },
    { name: 'a short date', words: ['show', '2026-3-2'], usage: 'mono-agent-memory show' },
    { name: 'a path as date', words: ['show', '../../../etc'], usage: 'mono-agent-memory show' },
    { name: 'limit 0', words: ['top', '--limit', '0'], usage: 'mono-agent-memory top' },
    { name: 'limit 51', words: ['search', 'x', '--limit', '51'], usage: 'mono-agent-memory search' },
    { name: 'limit 1.5', words: ['search', 'x', '--limit', '1.5'], usage: 'mono-agent-memory search' },
    { name: 'no reason', words: ['resolve', TURN_ID], usage: 'mono-agent-memory resolve [options] <id>' },
    {
      name: 'a reason with a space',
      words: ['resolve', TURN_ID, '--reason', 'no idea'],
      usage: 'mono-agent-memory resolve',
    },
    {
      name: 'a reason of 65 characters',
      words: ['resolve', TURN_ID, '--reason', 'x'.repeat(65)],
      usage: 'mono-agent-memory resolve',
    },
    { name: 'an id of 63 digits', words: ['retry', 'a'.repeat(63)], usage: 'mono-agent-memory retry' },
    { name: 'an id in capitals', words: ['inspect', 'A'.repeat(64)], usage: 'mono-agent-memory inspect' },
    { name: 'an unknown mode', words: ['stats', '--path', 'x', '--mode', 'heavy'], usage: 'mono-agent-memory stats' },
    { name: 'a mode without --path', words: ['top', '--mode', 'lite'], usage: 'mono-agent-memory top' },
    { name: 'another command as a word', words: ['show', 'stats'], usage: 'mono-agent-memory show' },
    {
      name: 'both --path and --config',
      words: ['stats', '--path', 'x', '--config', 'y'],
      usage: 'mono-agent-memory stats',
    },
  ])('$name exits with 2 and the usage', async ({ words, usage }) => {
    const command = await commandIn(temporaryFolder())
    const plain = await command.run(words)
    expect(plain).toMatchObject({ exitCode: 2, stdout: '' })
    expect(plain.stderr).toContain(`Usage: ${usage}`)
    // The usage may fill a screen: what was wrong must not scroll away above it.
    if (words.length > 0) expect(plain.stderr).toMatch(/\n\nerror: [^\n]+\n$/)
    const asJson = await command.run(['--json', ...words])
    expect(asJson.exitCode).toBe(2)
    expect(jsonOf(asJson)).toEqual({ error: { code: 'usage', message: expect.any(String) as string } })
    expect(asJson.stderr).toContain('Usage: ')
  })

  test('--help and --version are none', async () => {
    const command = await commandIn(temporaryFolder())
    expect(await command.run(['--help'])).toMatchObject({
      exitCode: 0,
      stderr: '',
      stdout: expect.stringContaining('rebuild') as string,
    })
    expect(await command.run(['search', '--help'])).toMatchObject({
      exitCode: 0,
      stdout: expect.stringContaining('--explain') as string,
    })
    expect((await command.run(['--version'])).stdout).toMatch(/^\d+\.\d+\.\d+\n$/)
    expect(jsonOf(await command.run(['--version', '--json']))).toEqual({ text: expect.stringMatching(/^\d/) as string })
  })
})

describe('a root that is not there', () => {
  test.each([...READING, 'log', 'retry', 'resolve', 'rebuild', 'rollback'])(
    '%s says root_missing and creates nothing',
    async (name) => {
      const folder = temporaryFolder()
      const command = await commandIn(folder)
      const plain = await command.run([...wordsOf(name), '--path', 'nowhere'])
      expect(plain).toMatchObject({
        exitCode: 1,
        stdout: '',
        stderr: expect.stringMatching(/^error root_missing: /) as string,
      })
      const asJson = await command.run([...wordsOf(name), '--path', 'nowhere', '--json'])
      expect(asJson.exitCode).toBe(1)
      expect(jsonOf(asJson)).toMatchObject({ error: { code: 'root_missing' } })
      expect(readdirSync(folder)).toEqual([])
    },
  )
})

describe('a configuration that cannot be used', () => {
  test.each([
    { name: 'no JSON', file: '{', code: 'config_not_json' },
    { name: 'an unknown key', file: '{"memory":{"mode":"lite","colour":"red"}}', code: 'config_invalid' },
    {
      name: 'a tier without what it needs',
      file: '{"memory":{"mode":"bujo","embeddings":{}}}',
      code: 'config_invalid',
    },
  ])('$name: $code, exit 1', async ({ file, code }) => {
    const folder = temporaryFolder()
    writeFileSync(join(folder, 'mono-agent.config.json'), file)
    const command = await commandIn(folder)
    const finished = await command.run(['stats', '--json'])
    expect(finished.exitCode).toBe(1)
    expect(jsonOf(finished)).toMatchObject({ error: { code } })
  })
})

describe('a store', () => {
  let folder: string
  let command: CommandLine
  beforeAll(async () => {
    folder = temporaryFolder()
    command = await commandIn(folder)
    writeFileSync(join(folder, 'mono-agent.config.json'), '{"memory": {"mode": "lite", "path": "./store"}}')
    writeTurns(join(folder, 'turns.jsonl'), 20)
    expect((await command.run(['ingest', 'turns.jsonl'])).exitCode).toBe(0)
  })

  test.each(COMMANDS.filter(({ name }) => name !== 'log' && name !== 'resolve'))(
    '$name prints one JSON value and nothing else, or text for people',
    async ({ words }) => {
      const asJson = await command.run([...words, '--json'])
      expect(asJson).toMatchObject({ exitCode: 0, stderr: '' })
      expect(jsonOf(asJson)).toBeTypeOf('object')
      const plain = await command.run(words)
      expect(plain).toMatchObject({ exitCode: 0, stderr: '' })
      for (const odd of ['\u001b', 'undefined', '[object']) expect(plain.stdout).not.toContain(odd)
    },
  )

  test('search finds a turn; log tells its life, with file and line', async () => {
    const found = jsonOf(await command.run(['search', 'number7', '--json', '--explain', '--limit', '1'])) as {
      hits: { id: string; text: string; explanation: object }[]
    }
    expect(found).toMatchObject({ mode: 'lexical', stale: false, hits: [{ text: 'Reading number7 of the gauge.' }] })
    const life = jsonOf(await command.run(['log', found.hits[0]?.id ?? '', '--json'])) as {
      line: number
      memory: { file: string }
    }
    expect(life).toMatchObject({
      memory: { file: 'daily/2026-03-02.md', conversationId: 'c1' },
      history: [{ at: '2026-03-02T08:00:00.000Z', event: 'occurred' }, { event: 'recorded' }],
    })
    const lines = readFileSync(join(folder, 'store', life.memory.file), 'utf8').split('\n')
    expect(lines[life.line - 1]).toContain('Reading number7 of the gauge.')
    expect((await command.run(['log', found.hits[0]?.id ?? ''])).stdout).toContain(`daily/2026-03-02.md:${life.line}`)
  })

  test('search takes any words, and a dash after --', async () => {
    for (const words of [['a=b'], ['"'], ['NEAR(a', 'b)'], ['--', '-rf', '/'], ['']]) {
      expect((await command.run(['search', '--json', ...words])).exitCode).toBe(0)
    }
  })

  test('search looks back to an instant; what no tier but bujo keeps is refused', async () => {
    const at = async (instant: string) =>
      jsonOf(await command.run(['search', 'number7', '--json', '--limit', '1', '--as-of', instant]))
    expect(await at('2020-01-01T00:00:00Z')).toMatchObject({ hits: [] })
    expect(await at('2999-01-01T00:00:00+02:00')).toMatchObject({ hits: [{ text: 'Reading number7 of the gauge.' }] })
    for (const words of [
      ['--kind', 'preference'],
      ['--about', 'person:ana'],
    ]) {
      const refused = await command.run(['search', 'number7', '--json', ...words])
      expect(refused.exitCode).toBe(1)
      expect(jsonOf(refused)).toMatchObject({ error: { code: 'unsupported_in_tier' } })
    }
  })

  test('there is no profile and nothing to curate, and why is said', async () => {
    expect((await command.run(['profile'])).stdout).toMatch(/^There is no owner profile: only bujo /)
    expect(jsonOf(await command.run(['profile', '--json']))).toMatchObject({ text: '', absent: 'not_bujo' })
    expect((await command.run(['curate'])).stdout).toMatch(/^There is nothing to review: .* belongs to bujo\.\n$/)
    expect(jsonOf(await command.run(['curate', '--json']))).toMatchObject({ notes: [], absent: 'not_bujo' })
  })

  test('show lists the day in file order, an empty day is none', async () => {
    expect(jsonOf(await command.run(['show', '2026-03-02', '--json']))).toMatchObject({
      day: '2026-03-02',
      memories: Array.from({ length: 20 }, (_, index) => ({ text: `Reading number${index + 1} of the gauge.` })),
    })
    expect((await command.run(['show', '2026-03-03'])).stdout).toBe('2026-03-03: 0 memories\n')
  })

  test('stats and inspect count; a receipt is shown by its id', async () => {
    expect(jsonOf(await command.run(['stats', '--json']))).toMatchObject({
      memories: 20,
      dayFiles: 1,
      intake: { pending: 0, resolved: 20 },
    })
    const inspection = jsonOf(await command.run(['inspect', '--json'])) as { items: { id: string }[] }
    expect(inspection.items).toHaveLength(20)
    const id = inspection.items[0]?.id ?? ''
    expect((await command.run(['inspect', id])).stdout).toContain('resolved')
  })

  test('an id that nobody has is an error', async () => {
    expect(jsonOf(await command.run(['log', 'r-none-0', '--json']))).toMatchObject({
      error: { code: 'memory_unknown' },
    })
    expect(jsonOf(await command.run(['inspect', TURN_ID, '--json']))).toMatchObject({ error: { code: 'item_unknown' } })
  })

  test('nothing to retry is said', async () => {
    expect(jsonOf(await command.run(['retry', '--json']))).toEqual({ changed: false, ids: [] })
  })

  test('rebuild reports a new generation and what it indexed', async () => {
    expect(jsonOf(await command.run(['rebuild', '--json']))).toMatchObject({
      indexed: 20,
      skipped: { unstructured: 0 },
    })
    expect(jsonOf(await command.run(['search', 'number7', '--json', '--limit', '1']))).toMatchObject({
      hits: [{ text: 'Reading number7 of the gauge.' }],
    })
  })

  test('search says when a day file is newer than the index', async () => {
    const edited = temporaryFolder()
    const there = await commandIn(edited)
    writeTurns(join(edited, 'turns.jsonl'), 1)
    await there.run(['ingest', 'turns.jsonl', '--path', 'store'])
    const file = join(edited, 'store', 'daily', '2026-03-02.md')
    writeFileSync(file, readFileSync(file, 'utf8').replace('gauge', 'clock'))
    const finished = await there.run(['search', 'gauge', '--path', 'store', '--json'])
    expect(jsonOf(finished)).toMatchObject({ stale: true })
    expect(finished.stderr).toContain('newer than the index')
  })

  test('a reader that goes away is no failure', async () => {
    const { process: child, finished } = command.start(['show', '2026-03-02'])
    child.stdout.destroy()
    expect((await finished).exitCode).toBe(0)
  })
})

describe('beside a running agent', () => {
  let folder: string
  let command: CommandLine
  beforeAll(async () => {
    folder = temporaryFolder()
    command = await commandIn(folder)
    writeFileSync(join(folder, 'turns.jsonl'), turnLine(1))
    const writer = startChild(await buildChildProgram(new URL('./support/live-writer.ts', import.meta.url)), [
      join(folder, 'store'),
    ])
    expect(await writer.line()).toBe('open')
  })

  test.each(LOOKING)('%s works', async (name) => {
    const finished = await command.run([...wordsOf(name), '--path', 'store', '--json'])
    expect(finished.exitCode).toBe(0)
    expect(jsonOf(finished)).not.toHaveProperty('error')
  })

  test.each(WRITING)('%s fails with writer_active', async (name) => {
    const finished = await command.run([...wordsOf(name), '--path', 'store', '--json'])
    expect(finished.exitCode).toBe(1)
    expect(jsonOf(finished)).toMatchObject({ error: { code: 'writer_active' } })
  })

  test('what the agent wrote is found', async () => {
    expect(jsonOf(await command.run(['search', 'harbour', '--path', 'store', '--json']))).toMatchObject({
      hits: [{ text: 'The agent is at work on the harbour.' }],
    })
  })
})

test('reading a root whose files are for reading only changes nothing in it', async () => {
  const folder = temporaryFolder()
  const command = await commandIn(folder)
  writeTurns(join(folder, 'turns.jsonl'), 3)
  mkdirSync(join(folder, 'other'))
  await command.run(['ingest', 'turns.jsonl', '--path', 'store'])
  const listing = () =>
    readdirSync(join(folder, 'store'), { recursive: true })
      .map(String)
      .filter((name) => !/-(shm|wal)$/.test(name))
      .sort()
  const before = listing()
  for (const name of LOOKING) expect((await command.run([...wordsOf(name), '--path', 'store'])).exitCode).toBe(0)
  expect(listing()).toEqual(before)
})
