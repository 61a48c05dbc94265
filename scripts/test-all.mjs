// `npm test`: installs, builds and checks everything, on a fresh clone too. Runs every step even if one fails, and ends
// with the line `N passed, M failed`: each test counts, and each step that is no test run counts as one.
import { spawn } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { PNPM } from './pnpm.mjs'

const workspace = fileURLToPath(new URL('..', import.meta.url))
const results = mkdtempSync(join(tmpdir(), 'memory-test-'))
const STEP_TIMEOUT_MS = 25 * 60_000
/** What a step exits with when it could not run here and says so. */
const SKIPPED = 3

const vitest = (report, ...projects) => ({
  report: join(results, report),
  command: [
    ...['npx', '--no-install', 'vitest', 'run', '--reporter=dot', '--reporter=json'],
    ...[`--outputFile.json=${join(results, report)}`, ...projects.map((name) => `--project=${name}`)],
  ],
})

const STEPS = [
  { name: 'install', command: [...PNPM, 'install', '--frozen-lockfile', '--reporter=append-only'] },
  { name: 'build', command: ['npm', 'run', '--silent', 'build'] },
  { name: 'format', command: ['npm', 'run', '--silent', 'format'] },
  { name: 'lint', command: ['npm', 'run', '--silent', 'lint'] },
  { name: 'types', command: ['npm', 'run', '--silent', 'typecheck'] },
  { name: 'tests', ...vitest('tests.json', '!packed') },
  { name: 'packed packages', ...vitest('packed.json', 'packed') },
  { name: 'docs', command: ['npm', 'run', '--silent', 'docs:check'] },
  { name: 'demo', command: ['node', 'examples/demo.mjs'] },
  { name: 'demo bujo', command: ['node', 'examples/demo-bujo.mjs'] },
  { name: 'example loop', command: ['node', 'examples/agent-loop.mjs'] },
  { name: 'example MCP', command: ['node', 'examples/mcp-client.mjs'] },
  { name: 'example AI SDK', command: ['node', 'examples/ai-sdk.mjs'] },
  { name: 'crash states', command: ['node', 'test/crash/run.mjs'] },
  { name: 'crash rules', command: ['node', 'test/crash/rules.mjs'] },
]

/** Runs a command with its output passed on; resolves with its exit status, or 124 if it took too long. */
function run(command) {
  return new Promise((resolve) => {
    const child = spawn(command[0], command.slice(1), {
      cwd: workspace,
      stdio: ['ignore', 'inherit', 'inherit'],
      env: { ...process.env, CI: 'true', NO_COLOR: '1', FORCE_COLOR: '0' },
      shell: process.platform === 'win32',
    })
    const timer = setTimeout(() => {
      console.error(`\n${command.join(' ')} took longer than ${STEP_TIMEOUT_MS / 60_000} minutes and was ended.`)
      child.kill('SIGKILL')
      resolve(124)
    }, STEP_TIMEOUT_MS)
    child.on('error', (error) => {
      clearTimeout(timer)
      console.error(String(error))
      resolve(127)
    })
    child.on('close', (status) => {
      clearTimeout(timer)
      resolve(status ?? 1)
    })
  })
}

/** Passed and failed tests of a vitest run. A run that failed without a failed test (a file that cannot load) is one failure. */
function count(step, status) {
  if (status === SKIPPED && !step.report) return { passed: 0, failed: 0, skipped: 1 }
  if (!step.report) return { passed: status === 0 ? 1 : 0, failed: status === 0 ? 0 : 1, skipped: 0 }
  let report
  try {
    report = JSON.parse(readFileSync(step.report, 'utf8'))
  } catch (error) {
    console.error(`The test run left no report that can be read: ${error.message}`)
    return { passed: 0, failed: 1, skipped: 0 }
  }
  const { numPassedTests: passed, numFailedTests, numPendingTests, numTodoTests } = report
  const failed = Math.max(numFailedTests, status === 0 && passed > 0 ? 0 : 1)
  return { passed, failed, skipped: numPendingTests + numTodoTests }
}

const rows = []
for (const step of STEPS) {
  console.log(`\n=== ${step.name}: ${step.command.slice(0, 6).join(' ')}`)
  const started = performance.now()
  const status = await run(step.command)
  rows.push({ name: step.name, seconds: (performance.now() - started) / 1000, status, ...count(step, status) })
}
rmSync(results, { recursive: true, force: true })

const total = (key) => rows.reduce((sum, row) => sum + row[key], 0)
const verdict = ({ failed, skipped, passed }) =>
  failed > 0 ? 'FAILED' : passed === 0 && skipped > 0 ? 'SKIPPED' : 'ok'
console.log('\nstep              result    passed  failed  skipped  seconds')
for (const row of rows) {
  const numbers = [row.passed, row.failed, row.skipped].map((value, i) => String(value).padStart([8, 8, 9][i]))
  console.log(`${row.name.padEnd(18)}${verdict(row).padEnd(8)}${numbers.join('')}${row.seconds.toFixed(1).padStart(9)}`)
}
const skipped = total('skipped')
console.log(`\n${total('passed')} passed, ${total('failed')} failed${skipped > 0 ? `, ${skipped} skipped` : ''}`)
process.exitCode = total('failed') > 0 ? 1 : 0
