import { mkdirSync, readdirSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { nodeFileSystem, type FileSystem } from '@mono-agent/memory-store'
import { faultyFileSystem } from '../../../../../test/support/faulty-file-system.js'
import { countingFileSystem } from '../../../../../test/support/counting-file-system.js'
import { holdRoot } from '../../../../../test/support/held-root.js'
import { Outbox } from '../../../src/capture/commit/outbox.js'
import { planCommit } from '../../../src/capture/commit/plan-commit.js'
import { formatPlan } from '../../../src/capture/commit/plan-format.js'
import type { RetainedPlan } from '../../../src/capture/commit/plan-types.js'
import { add, decided, ground, memory, TURN_ID } from './support/captures.js'

const commitOf = (id = TURN_ID) => planCommit(decided([add(memory(0, 'One.'))], {}, { id }), ground())
const retained: RetainedPlan = {
  v: 1,
  stage: 'retained',
  id: TURN_ID,
  retainedAt: '2026-05-02T09:00:00.000Z',
  extraction: { memories: [], entities: [], relations: [] },
}
const OTHER = 'cd'.repeat(32)

async function openOutbox(fs: FileSystem = nodeFileSystem) {
  const held = await holdRoot()
  const directory = join(held.root, '.capture-outbox')
  const put = (name: string, bytes: Uint8Array | string): void => {
    mkdirSync(directory, { recursive: true, mode: 0o700 })
    writeFileSync(join(directory, name), bytes, { mode: 0o600 })
  }
  return { ...held, directory, put, outbox: new Outbox({ ...held, fs }) }
}

describe('a plan', () => {
  test('that was published is found, once, and gone when it is removed', async () => {
    const { outbox, directory } = await openOutbox()
    expect(outbox.loadAll()).toEqual([])
    await outbox.publish(retained)
    await outbox.publish(commitOf()) // of the same turn: it takes the place
    expect(outbox.list()).toEqual([TURN_ID])
    expect(outbox.loadAll()).toEqual([commitOf()])
    expect(statSync(join(directory, `${TURN_ID}.json`)).mode & 0o777).toBe(0o600)
    outbox.remove(TURN_ID)
    outbox.remove(TURN_ID) // gone already: nothing to do
    expect(readdirSync(directory)).toEqual([])
    expect(outbox.load(TURN_ID)).toBeUndefined()
  })

  test('is two flushes, its removal none (durability §15)', async () => {
    const counted = countingFileSystem()
    const { outbox } = await openOutbox(counted.fs)
    await outbox.publish(retained) // makes the folder
    counted.reset()
    await outbox.publish(commitOf())
    expect(counted.flushes()).toBe(2)
    counted.reset()
    outbox.remove(TURN_ID)
    expect(counted.flushes()).toBe(0)
  })

  test.each(['file.write', 'file.sync', 'rename'] as const)(
    'that could not be published (%s) is not there',
    async (operation) => {
      const faulty = faultyFileSystem()
      const { outbox, directory } = await openOutbox(faulty.fs)
      await outbox.publish(retained)
      faulty.inject({ operation, path: /outbox/, errno: 'ENOSPC' })
      await expect(outbox.publish(commitOf())).rejects.toMatchObject({ code: 'storage_failed' })
      expect(outbox.loadAll()).toEqual([retained])
      expect(readdirSync(directory)).toEqual([`${TURN_ID}.json`])
    },
  )

  test.each([
    {
      name: 'a graph line that the log refuses',
      plan: {
        graph: {
          base: ground().graph.base,
          lines: [
            { kind: 'entity', id: 'person:ana', name: ' Ana', type: 'person', createdAt: '2026-05-02T09:00:00.000Z' },
          ],
        },
      },
    },
    {
      name: 'an edge that the authority refuses',
      plan: {
        replay: {
          base: ground().replay.base,
          edges: [{ kind: 'thread', from: 'a', to: 'b', weight: 2, at: '2026-05-02T09:00:00.000Z' }],
        },
      },
    },
    { name: 'an instant in another spelling', plan: { createdAt: '2026-05-02T09:00:00Z' } },
  ] as const)('that could not be carried out is not published: $name', async ({ plan }) => {
    const { outbox } = await openOutbox()
    await expect(outbox.publish({ ...commitOf(), ...plan })).rejects.toThrow(RangeError)
    expect(outbox.list()).toEqual([])
  })

  test('is neither published nor removed without the lease', async () => {
    const { outbox, lease } = await openOutbox()
    await outbox.publish(retained)
    lease.release()
    await expect(outbox.publish(commitOf())).rejects.toMatchObject({ code: 'store_closed' })
    expect(() => outbox.remove(TURN_ID)).toThrow(expect.objectContaining({ code: 'store_closed' }))
    expect(outbox.loadAll()).toEqual([retained])
  })
})

describe('outbox_invalid, everything left as it is', () => {
  const truncated = formatPlan(commitOf()).subarray(0, 200)
  test.each([
    { name: 'a file of another name', file: 'notes.txt', bytes: 'x' },
    { name: 'an id in capitals', file: `${TURN_ID.toUpperCase()}.json`, bytes: formatPlan(retained) },
    { name: 'a torn plan', file: `${TURN_ID}.json`, bytes: truncated },
    { name: 'an empty one', file: `${TURN_ID}.json`, bytes: '' },
    { name: 'the plan of another turn', file: `${OTHER}.json`, bytes: formatPlan(retained) },
  ])('$name', async ({ file, bytes }) => {
    const { outbox, put, directory } = await openOutbox()
    put(file, bytes)
    expect(() => outbox.loadAll()).toThrow(expect.objectContaining({ code: 'outbox_invalid' }))
    expect(readdirSync(directory)).toEqual([file])
  })

  test("what a file manager hides there is no plan, and in nobody's way", async () => {
    const { outbox, put } = await openOutbox()
    put('.DS_Store', 'x')
    expect(outbox.loadAll()).toEqual([])
  })

  test('two plans that are carried out at once; retained ones may be several', async () => {
    const { outbox, put } = await openOutbox()
    put(`${TURN_ID}.json`, formatPlan(retained))
    put(`${OTHER}.json`, formatPlan({ ...retained, id: OTHER }))
    expect(outbox.loadAll()).toHaveLength(2)
    put(`${TURN_ID}.json`, formatPlan(commitOf()))
    expect(outbox.loadAll()).toHaveLength(2)
    put(`${OTHER}.json`, formatPlan(commitOf(OTHER)))
    expect(() => outbox.loadAll()).toThrow(expect.objectContaining({ code: 'outbox_invalid' }))
  })

  test('a message names neither the run nor a path', async () => {
    const { outbox, put, root } = await openOutbox()
    put(`${TURN_ID}.json`, 'x')
    expect(() => outbox.loadAll()).toThrow(
      expect.not.objectContaining({ message: expect.stringContaining(TURN_ID.slice(0, 8)) as string }) as Error,
    )
    expect(() => outbox.loadAll()).toThrow(
      expect.not.objectContaining({ message: expect.stringContaining(root) as string }) as Error,
    )
  })
})

test('a temporary is no plan: work in progress, or what recovery removes', async () => {
  const { outbox, put } = await openOutbox()
  put(`.${TURN_ID}.json.tmp-1-0`, 'half')
  expect(outbox.loadAll()).toEqual([])
})

test('a link in its place is refused (FMT-1)', async () => {
  const { outbox, put, directory } = await openOutbox()
  put('elsewhere', formatPlan(retained))
  symlinkSync(join(directory, 'elsewhere'), join(directory, `${TURN_ID}.json`))
  expect(() => outbox.load(TURN_ID)).toThrow(expect.objectContaining({ code: 'path_unsafe' }))
})
