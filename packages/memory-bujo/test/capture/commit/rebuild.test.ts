import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { nodeFileSystem } from '@mono-agent/memory-store'
import { hashProvider } from '../../../../memory-search/test/support/vectors.js'
import { makeTemporaryRoot } from '../../../../../test/support/temporary-root.js'
import { planCommit } from '../../../src/capture/commit/plan-commit.js'
import { formatPlan } from '../../../src/capture/commit/plan-format.js'
import { refuseRetainedPlan } from '../../../src/capture/commit/refuse-retained-plan.js'
import { rebuildMemoryIndex } from '../../../src/index.js'
import { openStore, turn } from '../../support/open-store.js'
import { add, decided, ground, memory, TURN_ID } from './support/captures.js'

const plan = formatPlan(planCommit(decided([add(memory(0, 'One.'))]), ground()))

/** A store with one memory and a plan that waits. */
async function makeRoot(): Promise<string> {
  const root = makeTemporaryRoot()
  const store = await openStore(root)
  await store.persistCompletedTurn(turn('run-1', 'A sentence.'))
  await store.flush()
  await store.close()
  mkdirSync(join(root, '.capture-outbox'), { recursive: true, mode: 0o700 })
  writeFileSync(join(root, '.capture-outbox', `${TURN_ID}.json`), plan, { mode: 0o600 })
  return root
}

const bytes = (root: string): Record<string, string> =>
  Object.fromEntries(
    readdirSync(root, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => join(entry.parentPath, entry.name))
      .map((path): [string, string] => [path, readFileSync(path, 'base64')]),
  )

describe('a rebuild while a plan is retained (OPS-4)', () => {
  test.each(['lite', 'journal'] as const)('into %s is refused before any change, with the mend', async (mode) => {
    const root = await makeRoot()
    const before = bytes(root)
    const embeddings = { provider: 'ollama', endpoint: 'http://127.0.0.1:9' } as const
    const options = mode === 'lite' ? { path: root } : { path: root, mode, embeddings }
    await expect(rebuildMemoryIndex(options)).rejects.toMatchObject({
      code: 'plan_retained',
      message: expect.stringContaining('Start the store with its present bujo configuration') as string,
    })
    expect(bytes(root)).toEqual(before)
  })

  test('goes on once it is gone', async () => {
    const root = await makeRoot()
    await expect(rebuildMemoryIndex({ path: root })).rejects.toMatchObject({ code: 'plan_retained' })
    nodeFileSystem.remove(join(root, '.capture-outbox', `${TURN_ID}.json`))
    expect(await rebuildMemoryIndex({ path: root })).toMatchObject({ indexed: 1 })
  })

  test('within bujo goes through, and leaves the plan as it is', async () => {
    const root = await makeRoot()
    const embed = hashProvider()
    const embeddings = { provider: 'ollama', endpoint: 'http://127.0.0.1:9', dim: embed.identity.dimension } as const
    expect(await rebuildMemoryIndex({ path: root, mode: 'bujo', embeddings, embed })).toMatchObject({ indexed: 1 })
    expect(readFileSync(join(root, '.capture-outbox', `${TURN_ID}.json`))).toEqual(Buffer.from(plan))
  })

  test('what else lies there is looked at for the other tiers alone', async () => {
    const root = await makeRoot()
    writeFileSync(join(root, '.capture-outbox', 'foreign'), 'x', { mode: 0o600 })
    expect(() => refuseRetainedPlan(nodeFileSystem, root, 'bujo')).not.toThrow()
    expect(() => refuseRetainedPlan(nodeFileSystem, root, 'lite')).toThrow(
      expect.objectContaining({ code: 'outbox_invalid' }) as Error,
    )
  })

  test('a temporary of a plan is none', () => {
    const root = makeTemporaryRoot()
    mkdirSync(join(root, '.capture-outbox'), { mode: 0o700 })
    writeFileSync(join(root, '.capture-outbox', `.${TURN_ID}.json.tmp-1-0`), plan, { mode: 0o600 })
    expect(() => refuseRetainedPlan(nodeFileSystem, root, 'lite')).not.toThrow()
    expect(() => refuseRetainedPlan(nodeFileSystem, join(root, 'nowhere'), 'journal')).not.toThrow()
  })
})
