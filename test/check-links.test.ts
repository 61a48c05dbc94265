import { execFileSync, spawnSync } from 'node:child_process'
import { copyFileSync, mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterEach, expect, test } from 'vitest'

const script = fileURLToPath(new URL('../scripts/check-links.mjs', import.meta.url))
const made: string[] = []

afterEach(() => {
  for (const folder of made.splice(0)) rmSync(folder, { recursive: true, force: true })
})

/** Checks a repository of one page, cloned to `below` a new temporary folder. */
function check(below: string, page: (workspace: string) => string) {
  const folder = mkdtempSync(join(realpathSync(tmpdir()), 'links-'))
  made.push(folder)
  const workspace = join(folder, below)
  mkdirSync(join(workspace, 'scripts'), { recursive: true })
  copyFileSync(script, join(workspace, 'scripts/check-links.mjs'))
  writeFileSync(join(workspace, 'page.md'), page(workspace))
  execFileSync('git', ['init', '-q'], { cwd: workspace })
  const ran = spawnSync(process.execPath, ['scripts/check-links.mjs'], {
    cwd: workspace,
    encoding: 'utf8',
    env: { ...process.env, HOME: '/root' },
  })
  return { status: ran.status, faults: ran.stderr }
}

test.each([
  { name: 'a slash, in a clone right below a common folder', below: '', page: () => 'either/or, /path/to/it' },
  { name: 'a slash, in a clone somewhere else', below: 'src/clone', page: () => 'either/or, /path/to/it' },
  { name: 'a link to a page', below: 'src/clone', page: () => '[itself](page.md)' },
])('nothing is wrong with $name', ({ below, page }) => {
  expect(check(below, page)).toEqual({ status: 0, faults: '' })
})

test.each([
  { name: 'a link to nothing', page: () => '[gone](gone.md)', fault: 'page.md:1 leads to nothing: gone.md' },
  {
    name: 'a path of this machine',
    page: (at: string) => `see ${at}/x`,
    fault: 'page.md:1 holds a path of this machine',
  },
])('$name is a fault', ({ page, fault }) => {
  expect(check('src/clone', page)).toEqual({ status: 1, faults: `${fault}\n` })
})
