import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import Database from 'better-sqlite3'
import { beforeEach, describe, expect, onTestFinished, test } from 'vitest'
import { nodeFileSystem } from '@mono-agent/memory-store'
import type { ModelServer } from '../../../../test/model-server/index.js'
import { faultyFileSystem } from '../../../../test/support/faulty-file-system.js'
import { calibrateMemory, validateMemory, type ValidateOptions, type ValidationReport } from '../../src/index.js'
import { embeddingsOf, openJournal, openService } from '../support/journal.js'
import { openStore, turn } from '../support/open-store.js'

let folder: string
let root: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'validate-'))
  root = join(folder, 'root')
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
})

const namesOf = ({ sections }: ValidationReport) => sections.map(({ section }) => section)
const checksOf = ({ sections }: ValidationReport, name: string) =>
  sections.find(({ section }) => section === name)?.checks.map(({ check, status, code }) => ({ check, status, code }))
const everything = () => readdirSync(folder, { recursive: true }).map(String).sort()

const journal = (server: ModelServer, more: object = {}, options: Partial<ValidateOptions> = {}) =>
  validateMemory({ path: root, mode: 'journal', embeddings: embeddingsOf(server, more), ...options })

async function storeWith(server: ModelServer, count = 1): Promise<void> {
  const store = await openJournal(root, server)
  for (let n = 0; n < count; n++) await store.persistCompletedTurn(turn(`run-${n}`, `Fact number ${n} of the harbour.`))
  await store.flush()
  await store.close()
}

describe('what is checked, in order (OPS-9)', () => {
  test('lite: only what concerns it', async () => {
    const report = await validateMemory({ path: root })
    expect(report.ok).toBe(true)
    expect(namesOf(report)).toEqual(['native', 'identity', 'root', 'platform'])
    expect(everything()).toEqual([])
  })

  test('journal: everything, before there is a store and beside a live one, and nothing is left behind', async () => {
    const server = await openService()
    const sections = ['native', 'identity', 'root', 'service', 'calibration', 'language', 'platform']
    const before = await journal(server)
    expect(namesOf(before)).toEqual(sections)
    expect(before.ok).toBe(true)
    expect(everything()).toEqual([])

    const store = await openJournal(root, server)
    await store.persistCompletedTurn(turn('run-1', 'Ana keeps bees.'))
    await store.flush()
    const there = everything()
    const report = await journal(server)
    expect(report.ok).toBe(true)
    expect(checksOf(report, 'service')).toEqual([
      { check: 'discovery', status: 'ok', code: 'ok' },
      { check: 'probe', status: 'ok', code: 'ok' },
    ])
    expect(everything()).toEqual(there)
  })

  test('an English-centred model is a note that names others (CFG-2)', async () => {
    const report = await journal(await openService())
    expect(checksOf(report, 'language')).toEqual([{ check: 'language', status: 'note', code: 'english_centred' }])
    expect(JSON.stringify(report)).toContain('embeddinggemma')
    const server = await openService({ models: [{ name: 'bge-m3', serves: 'hash-768' }] })
    const other = await journal(server, { model: 'bge-m3' })
    expect(checksOf(other, 'language')).toEqual([{ check: 'language', status: 'ok', code: 'ok' }])
  })
})

describe('the service', () => {
  test.each([
    { name: 'down', fault: { kind: 'drop' }, check: 'discovery', status: 'waiting', code: 'embedding_unavailable' },
    {
      name: 'failing inside',
      fault: { kind: 'status', status: 503 },
      check: 'discovery',
      status: 'waiting',
      code: 'embedding_unavailable',
    },
    {
      name: 'limiting',
      fault: { kind: 'status', status: 429, path: '/api/embed' },
      check: 'probe',
      status: 'waiting',
      code: 'embedding_rate_limited',
    },
    {
      name: 'of another dimension',
      fault: { kind: 'wrong-dimension' },
      check: 'probe',
      status: 'error',
      code: 'embedding_dimension',
    },
  ] as const)('$name: $status, $code', async ({ fault, check, status, code }) => {
    const server = await openService()
    server.faults.set(fault)
    const report = await journal(server)
    expect(checksOf(report, 'service')?.at(-1)).toEqual({ check, status, code })
    expect(report.ok).toBe(status === 'waiting')
  })

  test('slow: waiting, after the time that one request has', async () => {
    const server = await openService()
    server.faults.set({ kind: 'never', path: '/api/embed' })
    const report = await journal(
      server,
      {},
      { sleep: (ms) => (ms === 30_000 ? Promise.resolve() : new Promise(() => undefined)) },
    )
    expect(report.ok).toBe(true)
    expect(checksOf(report, 'service')?.at(-1)).toMatchObject({ status: 'waiting', code: 'embedding_timeout' })
  })

  test('without the model, or with a chat model in its place: an error with the mend', async () => {
    const server = await openService()
    const missing = await journal(server, { model: 'nomic-embed-text:v9' })
    expect(missing.ok).toBe(false)
    expect(checksOf(missing, 'service')).toEqual([
      { check: 'discovery', status: 'error', code: 'embedding_model_missing' },
    ])
    expect(JSON.stringify(missing)).toContain('ollama pull nomic-embed-text:v9')
    const chat = await journal(server, { model: 'scripted-chat:latest' })
    expect(checksOf(chat, 'service')).toEqual([{ check: 'discovery', status: 'error', code: 'embedding_model_unfit' }])
  })

  test.each([
    { name: 'unset', key: undefined, status: 'waiting', code: 'embedding_key_missing' },
    { name: 'empty', key: '', status: 'waiting', code: 'embedding_key_missing' },
    { name: 'wrong', key: 'sk-wrong', status: 'error', code: 'embedding_rejected' },
    { name: 'right', key: 'sk-right', status: 'ok', code: 'ok' },
  ])('a key that is $name: $status; it is never shown', async ({ key, status, code }) => {
    const server = await openService({
      service: 'openai',
      apiKey: 'sk-right',
      models: [{ name: 'text-embedding-3-small', serves: 'hash-1536' }],
    })
    const embeddings = { provider: 'openai', endpoint: `${server.url}/v1`, apiKeyEnv: 'THE_KEY' } as const
    const report = await validateMemory({ path: root, mode: 'journal', embeddings, env: () => key })
    expect(checksOf(report, 'service')?.at(-1)).toMatchObject({ status, code })
    expect(report.ok).toBe(status !== 'error')
    expect(JSON.stringify(report)).not.toContain('sk-')
  })

  test('a signal ends the waiting', async () => {
    const server = await openService()
    server.faults.set({ kind: 'hold' })
    const controller = new AbortController()
    const running = journal(server, {}, { signal: controller.signal })
    await server.faults.holding(1)
    controller.abort(new Error('enough'))
    await expect(running).rejects.toThrow('enough')
  })
})

describe('the index', () => {
  test('of another model is an error before anything is mended, and the rest is still told', async () => {
    const server = await openService({
      models: [
        { name: 'nomic-embed-text:v1.5', serves: 'hash-768' },
        { name: 'bge-m3', serves: 'hash-768-other' },
      ],
    })
    await storeWith(server)
    const report = await journal(server, { model: 'bge-m3' })
    expect(report.ok).toBe(false)
    expect(checksOf(report, 'identity')).toEqual([
      { check: 'identity', status: 'error', code: 'configured_identity_mismatch' },
    ])
    expect(checksOf(report, 'calibration')).toEqual([
      { check: 'calibration', status: 'note', code: 'calibration_pending' },
    ])
    expect(JSON.stringify(report.sections[1])).toContain('mono-agent-memory rebuild')
  })

  test.each([
    { name: 'the manifest', path: '.index/manifest.json', code: 'manifest_missing' },
    { name: 'the generations', path: '.index/generations', code: 'database_missing' },
  ])('without $name: an error in journal, nothing to mend in lite', async ({ path, code }) => {
    const server = await openService()
    await storeWith(server)
    rmSync(join(root, path), { recursive: true })
    expect(checksOf(await journal(server), 'identity')?.[0]).toMatchObject({ status: 'error', code })

    rmSync(root, { recursive: true })
    await (await openStore(root)).close()
    rmSync(join(root, path), { recursive: true })
    expect(await validateMemory({ path: root })).toMatchObject({ ok: true })
    expect(existsSync(join(root, path))).toBe(false)
  })

  test('of an earlier version is nothing to mend: the next start brings it up to date', async () => {
    const server = await openService()
    await storeWith(server)
    const generations = join(root, '.index/generations')
    const db = new Database(join(generations, readdirSync(generations)[0] as string, 'memory.db'))
    db.pragma('user_version = 1')
    db.close()
    const report = await journal(server)
    expect(report.ok).toBe(true)
    expect(JSON.stringify(report.sections[1])).toContain('the next start brings it up to date')
  })

  test('that cannot be read is told, and hides nothing else', async () => {
    const server = await openService()
    await storeWith(server)
    writeFileSync(join(root, '.index/manifest.json'), '{')
    const report = await journal(server)
    expect(checksOf(report, 'identity')?.[0]).toMatchObject({ status: 'error', code: 'manifest_invalid' })
    expect(namesOf(report)).toContain('service')
    expect(await validateMemory({ path: root })).toMatchObject({ ok: true }) // lite builds it anew
  })
})

describe('the root', () => {
  test.each([
    { errno: 'ENOSPC', fault: { operation: 'file.write', path: /validate/ } },
    { errno: 'EACCES', fault: { operation: 'open', path: /daily\/\.validate/ } },
    { errno: 'EROFS', fault: { operation: 'open', path: /root\/\.validate/ } },
    { errno: 'EIO', fault: { operation: 'file.sync', path: /\.index\/\.validate/ } },
  ] as const)('$errno: an error, and nothing is left', async ({ errno, fault }) => {
    await (await openStore(root)).close()
    mkdirSync(join(root, 'daily'), { recursive: true })
    const before = everything()
    const faulty = faultyFileSystem(nodeFileSystem)
    faulty.inject({ ...fault, errno })
    const report = await validateMemory({ path: root, fs: faulty.fs })
    expect(faulty.played()).toBe(1)
    expect(report.ok).toBe(false)
    expect(checksOf(report, 'root')).toEqual([{ check: 'root', status: 'error', code: 'storage_failed' }])
    expect(JSON.stringify(report)).not.toContain(folder)
    expect(everything()).toEqual(before)
  })

  test('a link in place of the root or of a directory is refused', async () => {
    const elsewhere = join(folder, 'elsewhere')
    mkdirSync(elsewhere)
    symlinkSync(elsewhere, root)
    expect(checksOf(await validateMemory({ path: root }), 'root')?.[0]).toMatchObject({ code: 'path_unsafe' })
    rmSync(root)
    mkdirSync(root)
    symlinkSync(elsewhere, join(root, 'daily'))
    expect(checksOf(await validateMemory({ path: root }), 'root')?.[0]).toMatchObject({ code: 'path_unsafe' })
  })

  test('what a killed check left is swept by the next start', async () => {
    await (await openStore(root)).close()
    const left = join(root, '.validate.tmp-0-7')
    writeFileSync(left, 'validate\n')
    await (await openStore(root)).close()
    expect(existsSync(left)).toBe(false)
  })
})

describe('the calibration', () => {
  const spaced = { name: 'all-minilm', serves: 'hash-384' }
  const minilm = { model: 'all-minilm', dim: 384 }
  const calibrationOf = async (server: ModelServer, more = {}) =>
    (await journal(server, more)).sections.find(({ section }) => section === 'calibration')?.checks[0]

  test('shipped for the default model', async () => {
    const server = await openService()
    expect((await calibrationOf(server))?.message).toContain('0.50, 0.62, 0.65')
    expect(checksOf(await journal(server), 'calibration')).toHaveLength(1)
  })

  test('of another model it names the languages it rests on; of pairs it advises labels', async () => {
    const server = await openService({ models: [spaced] })
    expect(await calibrationOf(server, minilm)).toMatchObject({ status: 'note', code: 'calibration_pending' })
    const store = await openJournal(root, server, {}, { embeddings: embeddingsOf(server, minilm) })
    for (let n = 0; n < 30; n++) await store.persistCompletedTurn(turn(`run-${n}`, `Fact number ${n}.`))
    await store.flush()
    await store.close()
    expect((await calibrationOf(server, minilm))?.message).toMatch(/bundled sentences in .*\ben\b.*\bja\b/)

    // Synthetic vectors say nothing of their text, and that is found out.
    expect(checksOf(await journal(server, minilm), 'calibration')?.[1]).toMatchObject({ code: 'model_weak' })

    const embeddings = embeddingsOf(server, minilm)
    await calibrateMemory({ path: root, mode: 'journal', embeddings, write: true })
    expect(await calibrationOf(server, minilm)).toMatchObject({ status: 'note', code: 'calibration_unlabelled' })
  })
})

test('a configuration that cannot be used is refused', async () => {
  const code = 'config_invalid'
  await expect(validateMemory({ path: root, mode: 'journal' })).rejects.toMatchObject({ code })
  await expect(validateMemory({ path: root, mode: 'bujo', embeddings: {} })).rejects.toMatchObject({ code })
  await expect(validateMemory({ path: root, writeMode: 'capture' })).rejects.toMatchObject({ code })
})
