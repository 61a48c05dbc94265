import { spawn, type ChildProcessWithoutNullStreams } from 'node:child_process'
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect } from 'vitest'
import { buildChildProgram } from '../../../../test/support/child-program.js'

export interface Finished {
  readonly exitCode: number | null
  readonly stdout: string
  readonly stderr: string
}

export interface Running {
  readonly process: ChildProcessWithoutNullStreams
  readonly finished: Promise<Finished>
}

export interface CommandLine {
  /** Runs the command in the folder to its end. */
  run(words: readonly string[], input?: string | Uint8Array): Promise<Finished>
  /** Starts it with an open standard input. */
  start(words: readonly string[]): Running
}

const folders: string[] = []
afterAll(() => folders.splice(0).forEach((folder) => rmSync(folder, { recursive: true, force: true })))

export function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'cli-'))
  folders.push(folder)
  return folder
}

let bundled: Promise<string> | undefined

/** The real command as a child process, in a folder of its own and with a clean environment. */
export async function commandIn(folder: string, env: Readonly<Record<string, string>> = {}): Promise<CommandLine> {
  bundled ??= buildChildProgram(new URL('../../src/main.ts', import.meta.url))
  const program = await bundled
  const start = (words: readonly string[]): Running => {
    const child = spawn(process.execPath, [program, ...words], {
      cwd: folder,
      env: { PATH: process.env['PATH'], ...env },
      stdio: 'pipe',
    })
    let stdout = ''
    let stderr = ''
    child.stdout.setEncoding('utf8').on('data', (text: string) => (stdout += text))
    child.stderr.setEncoding('utf8').on('data', (text: string) => (stderr += text))
    // A command that does not read its input closes the pipe under us.
    child.stdin.on('error', () => undefined)
    const finished = new Promise<Finished>((resolve) =>
      child.on('close', (exitCode) => resolve({ exitCode, stdout, stderr })),
    )
    return { process: child, finished }
  }
  return {
    start,
    run(words, input = '') {
      const { process: child, finished } = start(words)
      child.stdin.end(input)
      return finished
    },
  }
}

/** The one JSON value on stdout: one line, and nothing else. */
export function jsonOf({ stdout }: Finished): unknown {
  expect(stdout.endsWith('\n')).toBe(true)
  expect(stdout.trim().split('\n')).toHaveLength(1)
  return JSON.parse(stdout)
}

export const turnLine = (number: number, summary = `Reading number${number} of the gauge.`): string =>
  JSON.stringify({ runId: `run-${number}`, conversationId: 'c1', summary, occurredAt: '2026-03-02T08:00:00Z' })

export function writeTurns(file: string, count: number): void {
  const lines = Array.from({ length: count }, (_, index) => turnLine(index + 1))
  writeFileSync(file, `${lines.join('\n')}\n`)
}

/** How often each numbered reading stands in the Markdown. */
export function readingsInMarkdown(root: string): Map<number, number> {
  const times = new Map<number, number>()
  const daily = join(root, 'daily')
  if (!existsSync(daily)) return times
  for (const file of readdirSync(daily)) {
    for (const [, digits] of readFileSync(join(daily, file), 'utf8').matchAll(/Reading number(\d+) of/g)) {
      times.set(Number(digits), (times.get(Number(digits)) ?? 0) + 1)
    }
  }
  return times
}

/** Waits for what another process does; gives up only when the test does. */
export async function until(isSo: () => boolean): Promise<void> {
  while (!isSo()) await new Promise((resolve) => setTimeout(resolve, 5))
}
