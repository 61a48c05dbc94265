import { spawn } from 'node:child_process'
import { existsSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, describe, expect, test } from 'vitest'
import { buildChildProgram } from '../../../test/support/child-program.js'
import { commandIn, temporaryFolder, writeTurns, type Finished } from './support/command.js'

let program: string
let folder: string

beforeAll(async () => {
  program = await buildChildProgram(new URL('../src/main.ts', import.meta.url))
  folder = temporaryFolder()
  writeTurns(join(folder, 'turns.jsonl'), 300)
  await (await commandIn(folder)).run(['ingest', 'turns.jsonl', '--path', 'store'])
})

/** Runs a shell line in which `$COMMAND` is the command. */
function shell(line: string): Promise<Finished> {
  const env = { PATH: process.env['PATH'], COMMAND: `${process.execPath} ${program}` }
  const child = spawn('/bin/sh', ['-c', line], { cwd: folder, env, stdio: ['ignore', 'pipe', 'pipe'] })
  let stdout = ''
  let stderr = ''
  child.stdout.on('data', (text: Buffer) => (stdout += text.toString()))
  child.stderr.on('data', (text: Buffer) => (stderr += text.toString()))
  return new Promise((resolve) => child.on('close', (exitCode) => resolve({ exitCode, stdout, stderr })))
}

describe('output that cannot be written whole is a failure', () => {
  test.runIf(existsSync('/dev/full'))('a full device', async () => {
    const { exitCode, stderr } = await shell('$COMMAND show 2026-03-02 --path store > /dev/full')
    expect({ exitCode, stderr }).toEqual({
      exitCode: 1,
      stderr: 'error output_failed: The output could not be written whole (ENOSPC).\n',
    })
  })

  test('a file that takes a part of it', async () => {
    // The size of files is bounded for the shell and what it runs, in blocks of 512 bytes; the store is only read.
    const { exitCode, stderr } = await shell(`ulimit -f 16; $COMMAND show 2026-03-02 --path store > part.txt`)
    expect({ exitCode, stderr }).toEqual({
      exitCode: 1,
      stderr: 'error output_failed: The output could not be written whole (EFBIG).\n',
    })
    expect(readFileSync(join(folder, 'part.txt')).length).toBeGreaterThan(0)
  })

  test('a file that takes all of it', async () => {
    const piped = await shell('$COMMAND show 2026-03-02 --path store')
    expect((await shell('$COMMAND show 2026-03-02 --path store > whole.txt')).exitCode).toBe(0)
    expect(readFileSync(join(folder, 'whole.txt'), 'utf8')).toBe(piped.stdout)
  })
})

describe('diagnostics that nobody reads stop nothing', () => {
  test.each(['2>/dev/full', '2>&-', '2>&1 >/dev/null | true'])('%s', async (redirection) => {
    const root = `store-${redirection.length}`
    await shell(
      `(echo junk; cat turns.jsonl) | ($COMMAND ingest - -f turns --path ${root} --json; echo $? > code) ${redirection}`,
    )
    expect(readFileSync(join(folder, 'code'), 'utf8')).toBe('0\n')
  })
})

test.each(['--path', '--config'])('%s without a name does not mean the current folder', async (option) => {
  const empty = temporaryFolder()
  const command = await commandIn(empty)
  const { exitCode, stderr } = await command.run(['retry', option, ''])
  expect(exitCode).toBe(2)
  expect(stderr).toContain('It must not be empty.')
  expect(readdirSync(empty)).toEqual([])
})

test('after output to a pipe, modules behind links find what they need', async () => {
  // As package managers lay packages out: a link to a folder beside which the dependencies stand.
  const packages = temporaryFolder()
  const real = join(packages, 'store/module')
  const dependency = join(packages, 'store/node_modules/needed')
  for (const made of [real, dependency]) mkdirSync(made, { recursive: true })
  writeFileSync(join(packages, 'plain.mjs'), '')
  writeFileSync(join(real, 'module.mjs'), "import 'needed'")
  writeFileSync(join(dependency, 'package.json'), '{"name":"needed","exports":"./needed.mjs"}')
  writeFileSync(join(dependency, 'needed.mjs'), '')
  symlinkSync(real, join(packages, 'link'))

  const importing = await buildChildProgram(new URL('./support/import-after-output.ts', import.meta.url))
  const child = spawn(process.execPath, [importing, packages], { stdio: ['ignore', 'pipe', 'pipe'] })
  let said = ''
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (text: Buffer) => (said += text.toString()))
  await new Promise((resolve) => child.on('close', resolve))
  expect(said.split('\n').sort()).toEqual(['', 'found', 'said'])
})
