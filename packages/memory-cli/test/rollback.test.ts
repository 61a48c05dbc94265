import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeEach, expect, test } from 'vitest'
import { startModelServer } from '../../../test/model-server/index.js'
import { createMemoryStore } from '@mono-agent/memory-bujo'
import { commandIn, jsonOf, temporaryFolder, writeTurns, type CommandLine } from './support/command.js'

let folder: string
let command: CommandLine
beforeEach(async () => {
  folder = temporaryFolder()
  command = await commandIn(folder)
})

const run = async (...words: string[]): Promise<unknown> => jsonOf(await command.run([...words, '--json']))

test('a rebuild and back: the same hits with the same scores, as JSON and as text', async () => {
  const store = ['--path', 'store']
  writeTurns(join(folder, 'turns.jsonl'), 5)
  await run('ingest', 'turns.jsonl', ...store)
  const before = await run('search', 'reading of the gauge', '--explain', ...store)
  expect(before).toMatchObject({ hits: [{}, {}, {}, {}, {}] })
  expect(await run('rollback', ...store)).toMatchObject({ error: { code: 'rollback_unavailable' } })

  expect(await run('rebuild', ...store)).toMatchObject({ previous: { identity: { tier: 'lite' }, isOffered: true } })
  expect(await run('rollback', ...store)).toMatchObject({
    identity: { tier: 'lite' },
    memories: 5,
    previous: { identity: { tier: 'lite' }, isOffered: true },
  })
  expect(await run('search', 'reading of the gauge', '--explain', ...store)).toEqual(before)
  const text = await command.run(['rollback', ...store])
  expect(text).toMatchObject({ exitCode: 0, stderr: '' })
  expect(text.stdout).toMatch(/^generation +g\d+-\d+\nindex for +lite\nmemories +5\nkept to go back to +lite\n$/)
})

test('an edit ends it; the message says what to do', async () => {
  const store = ['--path', 'store']
  writeTurns(join(folder, 'turns.jsonl'), 2)
  await run('ingest', 'turns.jsonl', ...store)
  await run('rebuild', ...store)
  const file = join(folder, 'store', 'daily', '2026-03-02.md')
  writeFileSync(file, readFileSync(file, 'utf8').replace('gauge', 'clock'))
  const refused = await command.run(['rollback', ...store])
  expect(refused).toMatchObject({ exitCode: 1, stdout: '' })
  expect(refused.stderr).toMatch(/^error source_changed: .*rebuild with the configuration you want/)
  expect(await run('search', 'gauge', ...store)).toMatchObject({ stale: true })
})

test('back to a journal while its service is gone: nothing is asked', async () => {
  const server = await startModelServer({
    models: [{ name: 'nomic-embed-text:v1.5', serves: 'hash-768' }],
    cacheDirectory: null,
  })
  const memory = { mode: 'journal' as const, embeddings: { provider: 'ollama' as const, endpoint: server.url } }
  const store = await createMemoryStore({ ...memory, path: join(folder, 'store') })
  await store.persistCompletedTurn({ runId: 'r1', conversationId: 'c', summary: 'Ana keeps bees behind the school.' })
  await store.flush()
  await store.close()
  await server.close()
  writeFileSync(join(folder, 'mono-agent.config.json'), JSON.stringify({ memory: { ...memory, path: 'store' } }))

  expect(await run('rebuild', '--path', 'store', '--mode', 'lite')).toMatchObject({ indexed: 1 })
  expect(await run('stats', '--path', 'store')).toMatchObject({ mode: 'lite', vectors: 0 })
  expect(await run('rollback', '--path', 'store')).toMatchObject({ error: { code: 'configured_identity_mismatch' } })
  expect(await run('rollback')).toMatchObject({ identity: { tier: 'journal', dimension: 768 }, memories: 1 })
  expect(await run('stats')).toMatchObject({ mode: 'journal', vectors: 1, missingVectors: 0 })
})
