import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { TestProject } from 'vitest/node'
import { packAll } from '../../scripts/pack.mjs'
import { pnpm } from '../../scripts/pnpm.mjs'

declare module 'vitest' {
  interface ProvidedContext {
    /** A project beside nothing of this workspace, with every package installed from its tarball. */
    packed: { folder: string; packages: { name: string; tarball: string }[] }
  }
}

/** Packs every package and installs the tarballs into a new project, once for all tests of this vitest project. */
export default function setup(project: TestProject): () => void {
  const folder = mkdtempSync(join(tmpdir(), 'packed-'))
  const packages = packAll(join(folder, 'tarballs'))
  const links = Object.fromEntries(packages.map(({ name, tarball }) => [name, `file:${tarball}`]))
  writeFileSync(join(folder, 'package.json'), JSON.stringify({ private: true, type: 'module', dependencies: links }))
  writeFileSync(
    join(folder, 'pnpm-workspace.yaml'),
    `packages: []\nonlyBuiltDependencies: [better-sqlite3]\noverrides: ${JSON.stringify(links)}\n`,
  )
  pnpm(['install', '--prefer-offline', '--no-frozen-lockfile'], { cwd: folder })
  project.provide('packed', { folder, packages })
  return () => rmSync(folder, { recursive: true, force: true })
}
