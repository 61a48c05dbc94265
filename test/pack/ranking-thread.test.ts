import { spawnSync } from 'node:child_process'
import { copyFileSync, mkdirSync, readFileSync } from 'node:fs'
import { isBuiltin } from 'node:module'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { beforeAll, expect, inject, test } from 'vitest'

const programs = fileURLToPath(new URL('./ranking-thread/', import.meta.url))
const { folder } = inject('packed')
const cwd = join(folder, 'ranking-thread')

beforeAll(() => {
  mkdirSync(cwd)
  for (const file of ['program.mjs', 'small-store.mjs']) copyFileSync(join(programs, file), join(cwd, file))
})

/** A program that does not end by itself is killed, and has no status. */
function run(args: readonly string[], input?: string): { status: number | null; stderr: string; told: unknown } {
  const { status, stderr, stdout } = spawnSync(process.execPath, args, {
    cwd,
    encoding: 'utf8',
    timeout: 120_000,
    input,
  })
  return { status, stderr, told: stdout === '' ? undefined : (JSON.parse(stdout) as unknown) }
}

const ONE = { started: 1, ended: 1 }

// Threads only exist beside the built front door: from sources rankings are made on the event loop.
test.each([
  {
    name: 'answers and errors are those of the event loop',
    scenario: 'answers',
    told: { hits: true, closed: 'index_closed', threads: ONE, failures: [] },
  },
  {
    name: 'a recall finds what was remembered just before',
    scenario: 'writes',
    told: { found: [true, true, true], threads: ONE, codes: [] },
  },
  {
    name: 'a store that closes answers what it was asked',
    scenario: 'close of a store',
    told: { settled: ['answered'], threads: ONE },
  },
  {
    name: 'a reader that closes refuses what still waits',
    scenario: 'close of a reader',
    told: { settled: ['index_closed'], threads: ONE },
  },
  {
    name: 'an index that is closed without waiting for its thread leaves none behind',
    scenario: 'close of a writer that waits for no thread',
    told: { settled: ['index_closed'], threads: ONE },
  },
  {
    name: 'what is cancelled is refused, the rest is answered',
    scenario: 'cancel',
    told: { odd: ['answered'], even: ['enough'], threads: ONE },
  },
  {
    name: 'a reader ranks on while the index is rebuilt, and follows it',
    scenario: 'rebuild',
    told: { followed: true, asked: true, running: 0, failures: [] },
  },
  {
    name: 'a thread that is started while a store opens keeps no process alive',
    scenario: 'opening',
    told: { threads: { started: 1, ended: 0 } },
  },
  {
    name: 'an idle thread keeps no process alive',
    scenario: 'idle',
    told: { threads: { started: 1, ended: 0 } },
  },
  {
    name: 'an answer that is waited for keeps the process alive',
    scenario: 'waiting',
    told: { hits: 10, threads: { started: 1, ended: 0 } },
  },
  {
    name: 'a ranking that was given up keeps no process alive',
    scenario: 'given up',
    told: { settled: ['enough'] },
  },
  {
    name: 'a thread that dies is told once, and the event loop answers',
    scenario: 'a thread that dies',
    told: { failures: ['ranking_thread_failed'], threads: ONE },
  },
])('$name', ({ scenario, told }) => {
  expect(run(['program.mjs', scenario])).toEqual({ status: 0, stderr: '', told })
})

test('flags of the process that no file may have keep no thread from starting', () => {
  const program = readFileSync(join(cwd, 'program.mjs'), 'utf8')
  const told = { threads: { started: 1, ended: 0 } }
  expect(run(['--input-type=module'], program)).toEqual({ status: 0, stderr: '', told })
})

test('the thread is one file that loads native modules and Node, so that it starts at once', () => {
  const file = join(folder, 'node_modules/@mono-agent/memory-search/dist/aside/ranking-worker.cjs')
  const loaded = Array.from(readFileSync(file, 'utf8').matchAll(/\brequire\('([^']+)'\)/g), ([, name]) => name ?? '')
  expect(loaded.filter((name) => !isBuiltin(name)).sort()).toEqual(['better-sqlite3', 'sqlite-vec'])
})
