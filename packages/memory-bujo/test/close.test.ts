import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { MemoryError, nodeFileSystem } from '@mono-agent/memory-store'
import { openMemoryReader, rebuildMemoryIndex, type BuiltInMemoryStore } from '../src/index.js'
import { faultyFileSystem } from '../../../test/support/faulty-file-system.js'
import { interceptFileSystem } from '../../../test/support/intercepted-file-system.js'
import { makeTemporaryRoot } from '../../../test/support/temporary-root.js'
import { DAY, dayFile, openStore, texts, turn } from './support/open-store.js'

/** How a call ended: its result, or the code of its error. A bug is thrown on. */
async function endOf(call: Promise<unknown>): Promise<unknown> {
  try {
    return await call
  } catch (error) {
    if (error instanceof MemoryError) return (error as MemoryError).code
    throw error
  }
}

type Calls = Readonly<Record<string, (store: BuiltInMemoryStore, root: string) => Promise<unknown>>>

const CALLS: Calls = {
  admit: (store) => store.persistCompletedTurn(turn('run-1', 'A turn of the last moment.')),
  remember: (store) => store.remember({ text: 'A memory of the last moment.' }),
  flush: (store) => store.flush(),
  recall: (store) => store.recallWithOutcome('before'),
  status: (store) => store.turnStatus('run-0'),
  wait: (store) => store.whenSettled('run-1'),
  load: (store) => store.load({ text: 'before' }),
  rebuild: (_store, root) => rebuildMemoryIndex({ path: root }),
}

/** Everything at once, `close` at the given place among it and once more at the end. */
async function closeAmid(place: number, fs = nodeFileSystem) {
  const root = makeTemporaryRoot()
  const store = await openStore(root, { fs })
  await store.persistCompletedTurn(turn('run-0', 'Said before.'))
  await store.flush()
  const names = Object.keys(CALLS)
  const ends: [string, Promise<unknown>][] = []
  let closing: Promise<void> | undefined
  for (const [at, name] of names.entries()) {
    if (at === place) closing = store.close()
    ends.push([name, endOf(CALLS[name]?.(store, root) ?? Promise.resolve())])
  }
  closing ??= store.close()
  expect(store.close()).toBe(closing)
  await closing
  const ended = Object.fromEntries(await Promise.all(ends.map(async ([name, end]) => [name, await end] as const)))
  return { root, ended }
}

/** What was told is what the next opening finds, once. */
async function expectTrue(root: string, ended: Record<string, unknown>): Promise<void> {
  const isAdmitted = typeof ended['admit'] === 'object'
  const isRemembered = typeof ended['remember'] === 'object'
  const again = await openStore(root)
  expect(await again.persistCompletedTurn(turn('run-1', 'A turn of the last moment.'))).toMatchObject({
    status: isAdmitted ? 'duplicate' : 'admitted',
  })
  expect(await again.remember({ text: 'A memory of the last moment.' })).toMatchObject({
    status: isRemembered ? 'duplicate' : 'stored',
  })
  expect(await again.flush()).toEqual({ pending: 0, dead: 0 })
  expect((await texts(again, 'last moment')).sort()).toEqual([
    'A memory of the last moment.',
    'A turn of the last moment.',
  ])
  expect(dayFile(root).match(/of the last moment\./g)).toHaveLength(2)
  await again.close()
  expect(await rebuildMemoryIndex({ path: root })).toMatchObject({})
}

describe('close in the tick of everything else', () => {
  const names = Object.keys(CALLS)
  test.each([...names, 'nothing'].map((name, place) => ({ name, place })))(
    'before $name: what began before it ends, what begins after it is refused',
    async ({ place }) => {
      const { root, ended } = await closeAmid(place)
      for (const [at, name] of names.entries()) {
        if (name === 'rebuild') expect(ended[name]).toBe('writer_active')
        else if (at >= place) expect(ended[name], name).toBe('store_closed')
        else if (name === 'wait') expect(ended[name]).toMatchObject({ state: 'indexed' })
        else expect(typeof ended[name], name).toBe('object')
      }
      await expectTrue(root, ended)
    },
  )

  test('a reader that is open goes on, and the root is free when close resolves', async () => {
    const { root } = await closeAmid(3)
    const reader = await openMemoryReader({ path: root })
    const store = await openStore(root)
    const closing = store.close()
    expect((await reader.recallWithOutcome('said')).hits[0]).toMatchObject({ text: 'Said before.' })
    await closing
    await (await openStore(root)).close()
    expect((await reader.recallWithOutcome('said')).hits[0]).toMatchObject({ text: 'Said before.' })
    await reader.close()
  })
})

test('close beside a disk that refuses everything ends, and so does everything that waits', async () => {
  const root = makeTemporaryRoot()
  const faulty = faultyFileSystem()
  const store = await openStore(root, { fs: faulty.fs })
  await store.persistCompletedTurn(turn('run-0', 'Said before.'))
  await store.flush()
  faulty.inject({ operation: 'open', errno: 'EIO', times: Infinity })
  faulty.inject({ operation: 'file.write', errno: 'EIO', times: Infinity })
  const calls = ['admit', 'remember', 'flush', 'wait', 'recall'].map((name) =>
    endOf(CALLS[name]?.(store, root) ?? Promise.resolve()),
  )
  await endOf(store.close())
  const [admitted, remembered] = await Promise.all(calls)
  expect([admitted, remembered]).toEqual(['storage_failed', 'storage_failed'])
  faulty.clear()
  await expectTrue(root, { admit: admitted, remember: remembered })
})

test(
  'close begun at each call of the file system in turn, by a call that is under way',
  { timeout: 120_000 },
  async () => {
    const run = async (nth: number) => {
      const root = makeTemporaryRoot()
      let calls = 0
      let closing: Promise<void> | undefined
      const fs = interceptFileSystem(nodeFileSystem, {
        around(_call, proceed) {
          if (opened !== undefined && (calls += 1) === nth) closing = opened.close()
          return proceed()
        },
      })
      let opened: BuiltInMemoryStore | undefined
      const store = await openStore(root, { fs })
      opened = store
      const names = ['admit', 'remember', 'flush', 'wait']
      const ends = await Promise.all(names.map((name) => endOf(CALLS[name]?.(store, root) ?? Promise.resolve())))
      const made = calls
      closing ??= store.close()
      await closing
      opened = undefined
      await expectTrue(root, { admit: ends[0], remember: ends[1] })
      return made
    }
    const total = await run(Infinity)
    for (let nth = 1; nth <= total; nth += 3) await run(nth)
  },
)

test('while a person keeps saving the day file', async () => {
  const root = makeTemporaryRoot()
  const first = await openStore(root)
  await first.remember({ text: 'Said before.' })
  await first.close()
  let elapsed = 0
  let saves = 0
  const store = await openStore(root, {
    monotonicNow: () => elapsed,
    sleep: (ms, { keepsProcessAlive }) => {
      if (!keepsProcessAlive || ms > 5_000) return new Promise(() => undefined) // alarms, and the limit of close
      elapsed += ms
      writeFileSync(join(root, 'daily', `${DAY}.md`), `${dayFile(root)}\nSave ${(saves += 1)}.\n`)
      return Promise.resolve()
    },
  })
  writeFileSync(join(root, 'daily', `${DAY}.md`), `${dayFile(root)}\nA save.\n`)
  await CALLS['admit']?.(store, root)
  const calls = ['flush', 'wait'].map((name) => endOf(CALLS[name]?.(store, root) ?? Promise.resolve()))
  await store.close()
  expect(await Promise.all(calls)).toEqual([{ pending: 1, dead: 0 }, 'store_closed'])
  expect(saves).toBeGreaterThan(1)
  const again = await openStore(root)
  expect(await again.turnStatus('run-1')).toMatchObject({ state: expect.stringMatching(/admitted|projected|indexed/) })
})
