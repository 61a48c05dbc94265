import { spawnSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { describe, expect, inject, test } from 'vitest'

const workspace = fileURLToPath(new URL('../..', import.meta.url))
const { packages } = inject('packed')

function run(command: string, args: string[]) {
  const { status, stdout, stderr } = spawnSync(command, args, {
    cwd: workspace,
    encoding: 'utf8',
    env: { ...process.env, NO_COLOR: '1' },
  })
  return { status, output: stdout + stderr, stdout }
}

/** What is started in a thread of its own, and so is a file of its own. */
const THREADS = ['package/dist/aside/ranking-worker.cjs', 'package/dist/aside/ranking-worker.cjs.map']

describe.each(packages)('the tarball of $name', ({ name, tarball }) => {
  const files = run('tar', ['-tzf', tarball]).stdout.trim().split('\n')
  const text = (file: string) => run('tar', ['-xzOf', tarball, file]).stdout

  test('holds licence, README, code and types, and nothing else', () => {
    for (const file of ['LICENSE', 'README.md', 'package.json', 'dist/index.js', 'dist/index.d.ts']) {
      expect(files).toContain(`package/${file}`)
    }
    expect(
      files.filter(
        (file) => !/^package\/(LICENSE|README[.]md|package[.]json|dist\/[\w.-]+[.](js|d[.]ts|js[.]map))$/.test(file),
      ),
    ).toEqual(name.endsWith('/memory-search') ? THREADS : [])
  })

  test('names versions, not places of this workspace', () => {
    const manifest = JSON.parse(text('package/package.json')) as { dependencies?: Record<string, string> }
    expect(Object.values(manifest.dependencies ?? {}).filter((range) => !/^[\^~]?\d/.test(range))).toEqual([])
  })

  test('has a README that says what the package is', () => {
    expect(text('package/README.md').length).toBeGreaterThan(200)
  })

  test('passes publint', () => {
    const { status, output } = run('npx', ['--no-install', 'publint', 'run', tarball, '--strict'])
    expect({ status, output }).toMatchObject({ status: 0 })
  })

  test('passes are-the-types-wrong', () => {
    const { status, output } = run('npx', [
      '--no-install',
      'attw',
      tarball,
      '--profile',
      'esm-only',
      '--no-emoji',
      '--format',
      'ascii',
    ])
    expect({ status, output }).toMatchObject({ status: 0 })
  })
})
