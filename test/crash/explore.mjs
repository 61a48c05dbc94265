import { spawnSync } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'

const here = fileURLToPath(new URL('.', import.meta.url))
const workspace = resolve(here, '../..')

/** Where the crash explorer is, or undefined: CRASH_EXPLORER, else beside the checkout. */
export function locateExplorer() {
  const path = process.env.CRASH_EXPLORER ?? join(workspace, '../shared/crash/explore.mjs')
  return existsSync(path) ? path : undefined
}

/**
 * Records one scenario and verifies its crash states under one model.
 * @returns `passed` and `failed` states, `complete` if every candidate was looked at, and the explorer's own `output`
 */
export function explore(explorer, scenario, { model, budgetSeconds, seed }) {
  const folder = mkdtempSync(join(tmpdir(), 'crash-root-'))
  const out = join(workspace, 'crash-out', `${scenario.name.replaceAll(/\W+/g, '-')}-${model}`)
  const env = { ...process.env, CRASH_ROOT: folder, CRASH_PREPARED: String(scenario.prepared ?? 0) }
  try {
    if (scenario.prepare) {
      const ran = spawnSync(process.execPath, [join(here, scenario.prepare)], { env, encoding: 'utf8' })
      if (ran.status !== 0)
        return { passed: 0, failed: 1, complete: false, output: `could not be prepared:\n${ran.stderr}` }
    }
    rmSync(out, { recursive: true, force: true })
    const command = (file) => `'${process.execPath}' '${join(here, file)}'`
    const args = [
      ...[explorer, '--root', folder, '--model', model, '--out', out, '--seed', String(seed)],
      ...['--workload', command(scenario.workload), '--recover', `CRASH_PREPARED=0 ${command(scenario.recover)}`],
      ...['--recover-states', '8', '--max-states', '200000', '--budget-seconds', String(budgetSeconds)],
      ...['--verify-module', join(here, scenario.verify)],
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
    const { passed, failed, unverified } = JSON.parse(readFileSync(summary, 'utf8'))
    return { passed, failed: passed === 0 ? Math.max(failed, 1) : failed, complete: unverified === 0, output }
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}
