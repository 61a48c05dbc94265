import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { expect, test, vi } from 'vitest'
import { sidecarOfThread } from '../../src/aside/sidecar-of-thread.js'
import { connectReader, loadVectorFunctions } from '../../src/sqlite/connection.js'
import { Store } from '../sidecar/support/stores.js'
import { Story } from '../sidecar/support/stories.js'
import { TIERS } from '../sidecar/support/tiers.js'

const turns = vi.hoisted(() => ({ taken: 0 }))
vi.mock('../../src/aside/fair-turns.js', () => ({
  fairTurns: () => async () => {
    turns.taken++
    await nextTurn()
  },
}))

/** Builds the sidecar of a store as the thread does. @returns turns that others had meanwhile, and whether a copy was sealed */
async function built(store: Store, name: string, epoch?: number) {
  const db = connectReader(store.databasePath)
  loadVectorFunctions(db)
  const path = join(store.root.path, name)
  const faults: unknown[] = []
  const sidecar = sidecarOfThread(db, { from: 1, path, ...(epoch === undefined ? {} : { epoch }) }, (error) => faults.push(error)) // prettier-ignore
  turns.taken = 0
  await sidecar.warm(200)
  const isReady = sidecar.isReady(200)
  sidecar.stop()
  db.close()
  expect({ isReady, faults }).toEqual({ isReady: true, faults: [] })
  return { turns: turns.taken, isSealed: existsSync(path) }
}

test('building and sealing take turns with questions as fairTurns has it', async () => {
  const store = await Store.of(new Story(200), TIERS.journal)
  const alone = await built(store, 'unsealed.sidecar')
  const sealed = await built(store, 'sealed.sidecar', 1)
  expect([alone.isSealed, sealed.isSealed]).toEqual([false, true])
  expect(alone.turns).toBeGreaterThan(200 / 50)
  // Each section once for its checksum and once to be written.
  expect(sealed.turns).toBeGreaterThan(alone.turns + 10)
})
