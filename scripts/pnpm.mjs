import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'

const manifest = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8'))

/** The package manager as `package.json` pins it; npx fetches it once, so that nothing has to be installed by hand. */
export const PNPM = ['npx', '--yes', manifest.packageManager]

/**
 * Runs pnpm in `cwd` and returns its standard output.
 * @throws {Error} with everything it printed, if it fails
 */
export function pnpm(args, { cwd }) {
  const ran = spawnSync(PNPM[0], [...PNPM.slice(1), ...args], {
    cwd,
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...process.env, CI: 'true', NO_COLOR: '1' },
    shell: process.platform === 'win32',
    maxBuffer: 64 * 1024 * 1024,
  })
  if (ran.error) throw ran.error
  if (ran.status !== 0) throw new Error(`pnpm ${args[0]} failed with status ${ran.status}:\n${ran.stdout}${ran.stderr}`)
  return ran.stdout
}
