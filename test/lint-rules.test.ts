import { spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { ESLint } from 'eslint'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'

const workspace = fileURLToPath(new URL('..', import.meta.url))

/** Files that exist, one a kind of folder: the type-aware parser lints the text as if it stood there. */
const PLACES = {
  format: 'packages/memory-store/src/format/bullet.ts',
  policy: 'packages/memory-intake/src/policy/backoff.ts',
  query: 'packages/memory-search/src/query/analyzer.ts',
  edge: 'packages/memory-intake/src/types.ts',
  disk: 'packages/memory-store/src/disk/file-system.ts',
} as const

// Where CI is set, the parser would take the file on disk for the text it is given.
process.env['TSESTREE_SINGLE_RUN'] = 'false'

describe('eslint', () => {
  const eslint = new ESLint({ cwd: workspace })
  const rulesBroken = async (place: keyof typeof PLACES, code: string) => {
    const [result] = await eslint.lintText(code, { filePath: join(workspace, PLACES[place]) })
    return result?.messages.map(({ ruleId }) => ruleId)
  }

  test.each([
    { name: 'the clock', code: 'export const at = Date.now()\n', rule: 'no-restricted-syntax' },
    { name: 'now as a date', code: 'export const at = new Date()\n', rule: 'no-restricted-syntax' },
    { name: 'now as a string', code: 'export const at = Date()\n', rule: 'no-restricted-syntax' },
    { name: 'a random number', code: 'export const n = Math.random()\n', rule: 'no-restricted-syntax' },
    { name: 'a random id', code: 'export const id = globalThis.crypto.randomUUID()\n', rule: 'no-restricted-syntax' },
    {
      name: 'random bytes',
      code: "import { randomBytes } from 'node:crypto'\nexport const id = randomBytes(8)\n",
      rule: '@typescript-eslint/no-restricted-imports',
    },
    { name: 'the network', code: "export const answer = fetch('http://localhost')\n", rule: 'no-restricted-globals' },
    { name: 'a timer', code: 'export const timer = setTimeout(() => undefined, 1)\n', rule: 'no-restricted-globals' },
    {
      name: 'the disk',
      code: "import { readFileSync } from 'node:fs'\nexport const read = readFileSync\n",
      rule: '@typescript-eslint/no-restricted-imports',
    },
    {
      name: 'the database',
      code: "import Database from 'better-sqlite3'\nexport const open = Database\n",
      rule: '@typescript-eslint/no-restricted-imports',
    },
    {
      name: 'an edge folder',
      code: "import { nodeFileSystem } from '../disk/file-system.js'\nexport const fs = nodeFileSystem\n",
      rule: '@typescript-eslint/no-restricted-imports',
    },
  ])('refuses $name in a pure folder', async ({ code, rule }) => {
    for (const place of ['format', 'policy', 'query'] as const) expect(await rulesBroken(place, code)).toContain(rule)
  })

  test.each([
    { name: 'an instant that was passed in', code: 'export const day = (ms: number) => new Date(ms).toISOString()\n' },
    {
      name: 'a hash',
      code: "import { createHash } from 'node:crypto'\nexport const hash = () => createHash('sha256')\n",
    },
    {
      name: 'the type of an edge',
      code: "import type { FileStat } from '../disk/file-system.js'\nexport type Seen = FileStat\n",
    },
  ])('accepts $name in a pure folder', async ({ code }) => {
    expect(await rulesBroken('format', code)).toEqual([])
  })

  test.each([
    {
      name: 'node:fs',
      place: 'edge',
      code: "import { readFileSync } from 'node:fs'\nexport const read = readFileSync\n",
      rule: '@typescript-eslint/no-restricted-imports',
    },
    {
      name: 'node:fs/promises',
      place: 'edge',
      code: "import { readFile } from 'node:fs/promises'\nexport const read = readFile\n",
      rule: '@typescript-eslint/no-restricted-imports',
    },
    {
      name: 'a floating promise',
      place: 'edge',
      code: 'export function go(work: () => Promise<void>) {\n  work()\n}\n',
      rule: '@typescript-eslint/no-floating-promises',
    },
    {
      name: 'a promise as a condition',
      place: 'edge',
      code: 'export const go = (work: Promise<boolean>) => (work ? 1 : 2)\n',
      rule: '@typescript-eslint/no-misused-promises',
    },
    {
      name: 'any',
      place: 'edge',
      code: 'export const x = (y: any): unknown => y\n',
      rule: '@typescript-eslint/no-explicit-any',
    },
    {
      name: 'an unused variable',
      place: 'edge',
      code: 'const x = 1\nexport {}\n',
      rule: '@typescript-eslint/no-unused-vars',
    },
    {
      name: 'an empty catch',
      place: 'edge',
      code: 'export function go(work: () => void) {\n  try {\n    work()\n  } catch {}\n}\n',
      rule: 'no-empty',
    },
    {
      name: 'a value import of a type',
      place: 'edge',
      code: "import { FileSystem } from '@mono-agent/memory-store'\nexport type Port = FileSystem\n",
      rule: '@typescript-eslint/consistent-type-imports',
    },
    {
      name: 'a forgotten case',
      place: 'edge',
      code: "export function go(x: 'a' | 'b') {\n  switch (x) {\n    case 'a':\n      return 1\n  }\n  return 2\n}\n",
      rule: '@typescript-eslint/switch-exhaustiveness-check',
    },
    { name: 'printing', place: 'edge', code: "console.log('x')\nexport {}\n", rule: 'no-console' },
  ] as const)('refuses $name', async ({ place, code, rule }) => {
    expect(await rulesBroken(place, code)).toContain(rule)
  })

  test('lets the disk folder import node:fs', async () => {
    const code = "import { readFileSync } from 'node:fs'\nexport const read = readFileSync\n"
    expect(await rulesBroken('disk', code)).toEqual([])
  })
})

describe('dependency-cruiser', () => {
  const packages = ['memory-store', 'memory-intake', 'memory-search', 'memory-bujo', 'memory-host', 'memory-cli']
  let folder: string

  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'lint-rules-'))
    const paths = Object.fromEntries(
      packages.map((name) => [`@mono-agent/${name}`, [`./packages/${name}/src/index.ts`]]),
    )
    write(
      'tsconfig.json',
      JSON.stringify({ compilerOptions: { module: 'NodeNext', moduleResolution: 'NodeNext', paths } }),
    )
    write('package.json', '{ "type": "module" }')
    for (const name of packages) write(`packages/${name}/src/index.ts`, 'export const one = 1\n')
  })
  afterEach(() => rmSync(folder, { recursive: true, force: true }))

  function write(file: string, text: string) {
    mkdirSync(dirname(join(folder, file)), { recursive: true })
    writeFileSync(join(folder, file), text)
  }

  function rulesBroken(): string[] {
    const binary = join(workspace, 'node_modules/dependency-cruiser/bin/dependency-cruise.mjs')
    const config = join(workspace, '.dependency-cruiser.cjs')
    const ran = spawnSync(process.execPath, [binary, '--config', config, '--output-type', 'json', 'packages'], {
      cwd: folder,
      encoding: 'utf8',
    })
    expect(ran.stderr).toBe('')
    const report = JSON.parse(ran.stdout) as { summary: { violations: { rule: { name: string } }[] } }
    return [...new Set(report.summary.violations.map(({ rule }) => rule.name))].sort()
  }

  const imports = (from: string, to: string) =>
    write(`packages/${from}`, `import { one } from '${to}'\nexport const two = one\n`)

  test('accepts every arrow of the architecture', () => {
    imports('memory-intake/src/a.ts', '@mono-agent/memory-store')
    imports('memory-search/src/a.ts', '@mono-agent/memory-store')
    for (const name of ['memory-store', 'memory-intake', 'memory-search'])
      imports(`memory-bujo/src/${name}.ts`, `@mono-agent/${name}`)
    imports('memory-cli/src/a.ts', '@mono-agent/memory-bujo')
    expect(rulesBroken()).toEqual([])
  })

  test.each([
    { from: 'memory-store', to: 'memory-intake' },
    { from: 'memory-store', to: 'memory-bujo' },
    { from: 'memory-intake', to: 'memory-search' },
    { from: 'memory-search', to: 'memory-intake' },
    { from: 'memory-intake', to: 'memory-bujo' },
    { from: 'memory-search', to: 'memory-bujo' },
    { from: 'memory-bujo', to: 'memory-cli' },
  ])('refuses $from → $to', ({ from, to }) => {
    imports(`${from}/src/a.ts`, `@mono-agent/${to}`)
    expect(rulesBroken()).toEqual([`direction-${from}`])
  })

  test('refuses a cycle', () => {
    imports('memory-store/src/a.ts', './b.js')
    write('packages/memory-store/src/b.ts', "import { two } from './a.js'\nexport const one = () => two\n")
    expect(rulesBroken()).toEqual(['no-cycle'])
  })

  test('refuses a path past a front door', () => {
    write('packages/memory-store/src/disk/secret.ts', 'export const one = 1\n')
    imports('memory-intake/src/a.ts', '../../memory-store/src/disk/secret.js')
    expect(rulesBroken()).toEqual(['front-door'])
  })

  test('refuses an edge in a pure folder', () => {
    write('packages/memory-store/src/disk/a.ts', 'export const one = 1\n')
    imports('memory-store/src/format/b.ts', '../disk/a.js')
    expect(rulesBroken()).toEqual(['pure-knows-no-edge'])
  })

  test('refuses an import that resolves to nothing', () => {
    imports('memory-store/src/a.ts', './missing.js')
    expect(rulesBroken()).toEqual(['resolvable'])
  })
})
