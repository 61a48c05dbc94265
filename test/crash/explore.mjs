import { spawnSync } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, rmSync, statfsSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'

const here = fileURLToPath(new URL('.', import.meta.url))
const workspace = resolve(here, '../..')

/** A disk in memory takes half the time, where there is one that is large enough. */
const MEMORY_DISK = '/dev/shm'
const ENOUGH_BYTES = 512 * 1024 * 1024

/** Where roots are recorded, and where the explorer builds its states. */
function scratchFolder() {
  if (!existsSync(MEMORY_DISK)) return tmpdir()
  const { bavail, bsize } = statfsSync(MEMORY_DISK)
  return bavail * bsize >= ENOUGH_BYTES ? MEMORY_DISK : tmpdir()
}

/** Exit code of a run that explored nothing, since there is no explorer. */
const SKIPPED = 3

/** Where the crash explorer is: CRASH_EXPLORER, else beside the checkout. Without one the process says so and ends with 3. */
export function requireExplorer() {
  const path = process.env.CRASH_EXPLORER ?? join(workspace, '../shared/crash/explore.mjs')
  if (existsSync(path)) return path
  console.error(
    'CRASH STATES WERE NOT EXPLORED: there is no crash explorer beside the checkout; CRASH_EXPLORER can name one.',
  )
  process.exit(SKIPPED)
}

/** Verified before anything is known of how fast that goes. */
const FIRST_LOOK = 40
/** Of the time that is left, so that a slow stretch does not cut the last kinds of states off. */
const FILL = 0.8

/**
 * Records one scenario and verifies its crash states under one model. The explorer looks at kills first, so a run that its
 * time cuts short would see no power losses: a first look tells how many states the time is enough for.
 * @returns `passed` and `failed` states, `complete` if every candidate was looked at, and the explorer's own `output`
 */
export function exploreWithin(budgetSeconds, explorer, scenario, { model, seed }) {
  const started = performance.now()
  const first = explore(explorer, scenario, { model, seed: seed + 1_000, budgetSeconds, maxStates: FIRST_LOOK })
  const left = budgetSeconds - (performance.now() - started) / 1000
  if (first.failed > 0 || first.complete || left < 1) return first
  const rate = first.passed / first.verifySeconds
  const maxStates = Math.max(FIRST_LOOK, Math.floor(FILL * rate * left))
  const rest = explore(explorer, scenario, { model, seed, budgetSeconds: left, maxStates })
  return { ...rest, passed: first.passed + rest.passed }
}

/**
 * One run of the explorer. Under the model `kill` all its states go to the workload: no recovery is crashed.
 * @param options.brokenRule  a name of `BROKEN_RULES`: what the workload and the recovery break
 */
export function explore(explorer, scenario, { model, budgetSeconds, maxStates, seed, brokenRule }) {
  const scratch = mkdtempSync(join(scratchFolder(), 'crash-scratch-'))
  const folder = mkdtempSync(join(scratch, 'crash-root-'))
  const out = join(workspace, 'crash-out', `${(brokenRule ?? scenario.name).replaceAll(/\W+/g, '-')}-${model}`)
  const loaded = (scenario.loaded ?? []).flatMap((file) => ['--import', pathToFileURL(join(here, file)).href])
  const env = {
    ...process.env,
    TMPDIR: scratch,
    CRASH_ROOT: folder,
    CRASH_PREPARED: String(scenario.prepared ?? 0),
    CRASH_VARIANT: scenario.variant,
  }
  try {
    if (scenario.prepare) {
      const ran = spawnSync(process.execPath, [...loaded, join(here, scenario.prepare)], { env, encoding: 'utf8' })
      if (ran.status !== 0)
        return { passed: 0, failed: 1, complete: false, output: `could not be prepared:\n${ran.stderr}` }
    }
    rmSync(out, { recursive: true, force: true })
    const broken = brokenRule === undefined ? '' : `CRASH_BROKEN_RULE='${brokenRule}' `
    const loading = [
      ...loaded,
      ...(brokenRule === undefined ? [] : ['--import', pathToFileURL(join(here, 'break-code.mjs'))]),
    ]
    const command = (file) =>
      [`${broken}'${process.execPath}'`, ...[...loading, join(here, file)].map((word) => `'${word}'`)].join(' ')
    const args = [
      ...[explorer, '--root', folder, '--model', model, '--out', out, '--seed', String(seed)],
      ...['--workload', command(scenario.workload), '--verify-module', join(here, scenario.verify)],
      ...['--max-states', String(maxStates), '--budget-seconds', String(budgetSeconds)],
      ...(model === 'kill'
        ? []
        : [
            '--recover',
            `CRASH_PREPARED=0 ${command(scenario.recover)}`,
            '--recover-states',
            String(scenario.recoverStates ?? 8),
          ]),
    ]
    const ran = spawnSync(process.execPath, args, {
      cwd: workspace,
      env,
      encoding: 'utf8',
      maxBuffer: 64 * 1024 * 1024,
    })
    const output = ran.stdout + ran.stderr
    const summary = join(out, 'summary.json')
    if (!existsSync(summary)) return { passed: 0, failed: 1, complete: false, output }
    const { passed, failed, unverified, seconds: verifySeconds } = JSON.parse(readFileSync(summary, 'utf8'))
    return {
      passed,
      failed: passed === 0 ? Math.max(failed, 1) : failed,
      complete: unverified === 0,
      verifySeconds,
      output,
    }
  } finally {
    rmSync(scratch, { recursive: true, force: true })
  }
}
