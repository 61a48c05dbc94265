import { join } from 'node:path'
import { beforeAll, expect, test } from 'vitest'
import { createMemoryStore } from '@mono-agent/memory-bujo'
import { nodeFileSystem } from '@mono-agent/memory-store'
import { commandIn, jsonOf, temporaryFolder, type CommandLine } from './support/command.js'

/** A disk that is full for day files only: turns are admitted and cannot be projected. */
const fullForDays: typeof nodeFileSystem = {
  ...nodeFileSystem,
  rename(from, to) {
    if (to.includes('/daily/')) throw Object.assign(new Error('no space left'), { code: 'ENOSPC' })
    nodeFileSystem.rename(from, to)
  },
}

let root: string
let command: CommandLine
beforeAll(async () => {
  const folder = temporaryFolder()
  root = join(folder, 'store')
  command = await commandIn(folder)
  const store = await createMemoryStore({ mode: 'lite', path: root }, { fs: fullForDays })
  for (const runId of ['r1', 'r2']) {
    await store.persistCompletedTurn({ runId, conversationId: 'c', summary: `The gauge of ${runId} was read.` })
  }
  await store.close()
})

const run = async (...words: string[]): Promise<unknown> =>
  jsonOf(await command.run([...words, '--path', 'store', '--json']))

test('pending turns are inspected, retried, resolved, and what is left goes in at the next start', async () => {
  const { counts, items } = (await run('inspect')) as { counts: object; items: { id: string; state: string }[] }
  expect(counts).toMatchObject({ pending: 2, dead: 0, resolved: 0 })
  const [first] = items
  const id = first?.id ?? ''
  expect((await command.run(['inspect', id, '--path', 'store'])).stdout).toMatch(/state +pending/)

  expect(await run('resolve', id, '--reason', 'gauge-broken')).toEqual({ changed: true })
  expect(await run('resolve', id, '--reason', 'gauge-broken')).toEqual({ changed: false })
  expect(await run('inspect', id)).toMatchObject({ items: [{ state: 'resolved', reason: 'gauge-broken' }] })

  expect((await command.run(['retry', '--path', 'store'])).exitCode).toBe(0)
  expect(await run('ingest', '-', '--format', 'turns')).toMatchObject({ admitted: 0, pending: 0, dead: 0 })
  expect(await run('search', 'gauge')).toMatchObject({ hits: [{ text: 'The gauge of r2 was read.' }] })
})

test('an id that intake does not know is an error', async () => {
  const unknown = 'a'.repeat(64)
  expect(await run('retry', unknown)).toMatchObject({ error: { code: 'item_unknown' } })
  expect(await run('resolve', unknown, '--reason', 'gone')).toMatchObject({ error: { code: 'item_unknown' } })
})
