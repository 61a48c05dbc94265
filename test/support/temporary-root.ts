import { existsSync, mkdtempSync, realpathSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll } from 'vitest'

/** In memory where that is possible: flushes are counted and failed at the port, so a real disk only makes tests slow. */
const BASE = existsSync('/dev/shm') ? '/dev/shm' : realpathSync(tmpdir())

const made: string[] = []

// Registered when a test file imports this one: its roots go when its tests are done.
afterAll(() => {
  for (const root of made.splice(0)) rmSync(root, { recursive: true, force: true })
})

/** A new empty directory (0700), by its resolved path; removed after the tests of the importing file. */
export function makeTemporaryRoot(): string {
  const root = mkdtempSync(join(BASE, 'memory-root-'))
  made.push(root)
  return root
}
