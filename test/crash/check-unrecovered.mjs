import assert from 'node:assert/strict'
import { existsSync } from 'node:fs'
import { join } from 'node:path'

/**
 * A reader, which may repair nothing, can recall from what a crash left as soon as a manifest is there.
 * @param open  opens the reader
 * @param options.mayBeGone  the database may have been deleted on purpose
 */
export async function checkUnrecovered(root, open, { mayBeGone = false } = {}) {
  if (!existsSync(join(root, '.index/manifest.json'))) return
  const reader = await open()
  try {
    await reader.recallWithOutcome('kettle')
  } catch (error) {
    assert.ok(mayBeGone && error.code === 'database_missing', `a reader cannot recall after the crash: ${error.code}`)
  } finally {
    await reader.close()
  }
}
