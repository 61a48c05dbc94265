import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { beforeEach, describe, expect, onTestFinished, test } from 'vitest'
import { createMemoryStore, openMemoryReader, rebuildMemoryIndex, type MemoryEvent } from '../src/index.js'
import { embeddingsOf, openJournal, openService } from './support/journal.js'
import { DAY, dayFile, NOON, openStore, texts, turn } from './support/open-store.js'

let root: string
beforeEach(() => {
  root = join(mkdtempSync(join(tmpdir(), 'journal-')), 'root')
  onTestFinished(() => rmSync(join(root, '..'), { recursive: true, force: true }))
})

const codeOf = async (call: () => Promise<unknown>): Promise<unknown> => {
  try {
    await call()
  } catch (error) {
    return (error as { code?: unknown }).code
  }
  return 'no error'
}

const lines = (text: string): string[] => text.split('\n').filter((line) => line.startsWith('- '))

describe('what journal writes (CAP-2)', () => {
  test('a turn is found by words at once and has its vector after a flush', async () => {
    const server = await openService()
    const store = await openJournal(root, server)
    const admission = await store.persistCompletedTurn(turn('run-1', 'Ana keeps bees behind the school.'))
    expect(admission.status).toBe('admitted')
    expect(await store.flush()).toEqual({ pending: 0, dead: 0, missingVectors: 0 })
    const outcome = await store.recallWithOutcome('Ana keeps bees behind the school.', { explain: true })
    expect(outcome.mode).toBe('hybrid')
    expect(outcome.degraded).toBeUndefined()
    expect(outcome.hits[0]?.explanation).toHaveProperty('semantic')
    expect(store.snapshot().vectors).toEqual({ waiting: 0, written: 1, failures: 0, refused: 0 })
    expect(store.snapshot().calls.embedding).toBeGreaterThan(0)
  })

  test.each([
    { name: 'the same words', second: 'Ana keeps bees.' },
    { name: 'other white space', second: '  Ana\n keeps\tbees. ' },
    { name: 'full-width letters', second: 'Ａna keeps bees.' },
  ])('$name, told again elsewhere, are one line and one row', async ({ second }) => {
    const server = await openService()
    const store = await openJournal(root, server)
    await store.persistCompletedTurn(turn('run-1', 'Ana keeps bees.'))
    await store.flush()
    await store.persistCompletedTurn(
      turn('run-2', second, { conversationId: 'mail:9', occurredAt: '2026-06-01T08:00:00Z' }),
    )
    await store.flush()
    expect(lines(dayFile(root))).toEqual(['- – Ana keeps bees.'])
    const [first, again] = [await store.turnStatus('run-1'), await store.turnStatus('run-2')]
    expect(first).toMatchObject({ state: 'indexed' })
    expect(again).toEqual(first)
  })

  test('case is kept: other letters are other content', async () => {
    const server = await openService()
    const store = await openJournal(root, server)
    for (const [run, text] of [
      ['run-1', 'Call WHO tomorrow.'],
      ['run-2', 'Call who tomorrow.'],
    ] as const) {
      await store.persistCompletedTurn(turn(run, text))
    }
    await store.flush()
    expect(lines(dayFile(root))).toHaveLength(2)
  })

  test('twenty turns of one content sent at once, in one batch, are one line', async () => {
    const server = await openService()
    const store = await openJournal(root, server)
    await Promise.all(
      Array.from({ length: 20 }, (_, n) => store.persistCompletedTurn(turn(`run-${n}`, 'The gate code changed.'))),
    )
    await store.flush()
    expect(lines(dayFile(root))).toEqual(['- – The gate code changed.'])
    const statuses = await Promise.all(Array.from({ length: 20 }, (_, n) => store.turnStatus(`run-${n}`)))
    expect(new Set(statuses.map((status) => JSON.stringify(status))).size).toBe(1)
    expect(statuses[0]).toMatchObject({ state: 'indexed' })
  })

  test('an observation of several bullets is known again as a whole', async () => {
    const server = await openService()
    const store = await openJournal(root, server)
    const long = Array.from({ length: 200 }, (_, n) => `Shelf ${n} holds jars of honey from year ${1900 + n}.`).join(
      ' ',
    )
    await store.persistCompletedTurn(turn('run-1', long))
    await store.flush()
    const before = dayFile(root)
    expect(before.match(/content_id=[0-9a-f]{64}/g)).toHaveLength(1)
    await store.persistCompletedTurn(turn('run-2', long))
    await store.flush()
    expect(dayFile(root)).toBe(before)
    expect(await store.turnStatus('run-2')).toEqual(await store.turnStatus('run-1'))
  })

  test('what a person removed or dropped is written again when it is told again', async () => {
    const server = await openService()
    const store = await openJournal(root, server)
    await store.persistCompletedTurn(turn('run-1', 'Ana keeps bees.'))
    await store.flush()
    writeFileSync(join(root, 'daily', `${DAY}.md`), `# ${DAY}\n\n`)
    await store.persistCompletedTurn(turn('run-2', 'Ana keeps bees.'))
    await store.flush()
    expect(lines(dayFile(root))).toEqual(['- – Ana keeps bees.'])
    expect(await texts(store, 'bees')).toEqual(['Ana keeps bees.'])
  })

  test('a line that a person reworded says something else: what it said is written when it is told again', async () => {
    const server = await openService()
    const store = await openJournal(root, server)
    await store.persistCompletedTurn(turn('run-1', 'Ana lives in Rome.'))
    await store.flush()
    writeFileSync(join(root, 'daily', `${DAY}.md`), dayFile(root).replace('Rome', 'Paris'))
    await store.persistCompletedTurn(turn('run-2', 'Ana lives in Rome.'))
    await store.persistCompletedTurn(turn('run-3', 'Ana lives in Paris.'))
    await store.flush()
    expect(lines(dayFile(root))).toEqual(['- – Ana lives in Paris.', '- – Ana lives in Rome.'])
    expect(await store.turnStatus('run-3')).toEqual(await store.turnStatus('run-1'))
  })

  test('what Remember wrote is not written again', async () => {
    const server = await openService()
    const store = await openJournal(root, server)
    const { id } = await store.remember({ text: 'Ana keeps bees.' })
    await store.persistCompletedTurn(turn('run-1', 'Ana keeps bees.'))
    await store.flush()
    expect(lines(dayFile(root))).toHaveLength(1)
    expect(await store.turnStatus('run-1')).toEqual({ state: 'indexed', memoryIds: [id] })
  })
})

describe('a service that fails (SEA-4, CAP-2)', () => {
  test.each([
    { fault: { kind: 'drop' } as const, code: 'embedding_unavailable' },
    { fault: { kind: 'status', status: 500 } as const, code: 'embedding_unavailable' },
    { fault: { kind: 'status', status: 429 } as const, code: 'embedding_rate_limited' },
    { fault: { kind: 'half-body' } as const, code: 'embedding_unavailable' },
    { fault: { kind: 'invalid-json' } as const, code: 'embedding_invalid' },
    { fault: { kind: 'wrong-dimension' } as const, code: 'embedding_dimension' },
    { fault: { kind: 'bad-number', value: 'NaN' } as const, code: 'embedding_invalid' },
    { fault: { kind: 'wrong-count' } as const, code: 'embedding_invalid' },
  ])('$fault.kind delays vectors and nothing else', async ({ fault, code }) => {
    const server = await openService()
    server.faults.set(fault)
    const events: MemoryEvent[] = []
    let elapsedMs = 0
    const store = await openJournal(root, server, {
      monotonicNow: () => elapsedMs,
      onEvent: (event) => void events.push(event),
    })
    await store.persistCompletedTurn(turn('run-1', 'Ana keeps bees behind the school.'))
    expect(await store.flush()).toEqual({ pending: 0, dead: 0, missingVectors: 1 })
    const outcome = await store.recallWithOutcome('bees')
    expect(outcome).toMatchObject({ mode: 'lexical', degraded: { reason: code } })
    expect(outcome.hits.map(({ text }) => text)).toEqual(['Ana keeps bees behind the school.'])
    expect(events).toContainEqual({ kind: 'embedding_failed', code, waiting: 1 })

    server.faults.clear()
    elapsedMs += 31_000 // the circuit is open for 30 s
    expect(await store.flush()).toMatchObject({ missingVectors: 0 })
    expect(await store.recallWithOutcome('bees')).toMatchObject({ mode: 'hybrid', hits: [{}] })
    expect(lines(dayFile(root))).toHaveLength(1)
  })

  test('the backlog survives a restart and drains by itself', async () => {
    const server = await openService()
    server.faults.set({ kind: 'status', status: 503 })
    const first = await openJournal(root, server)
    for (let n = 0; n < 40; n++)
      await first.persistCompletedTurn(turn(`run-${n}`, `Fact number ${n} about the harbour.`))
    expect(await first.flush()).toMatchObject({ pending: 0, missingVectors: 40 })
    await first.close()

    server.faults.clear()
    const second = await openJournal(root, server)
    expect(await second.flush()).toMatchObject({ pending: 0, missingVectors: 0 })
    expect(second.snapshot().vectors).toMatchObject({ written: 40 })
    const sizes = server.requests.embeddings().map(({ texts: sent }) => sent.length)
    expect(Math.max(...sizes)).toBeLessThanOrEqual(32)
  })

  test('a recall does not wait longer than its patience, and the next one not at all', async () => {
    const server = await openService()
    const patience: (() => void)[] = []
    const store = await openJournal(root, server, {
      sleep: (ms, { signal }) =>
        new Promise((resolve) => {
          if (ms === 2_000) patience.push(resolve)
          signal?.addEventListener('abort', () => resolve(), { once: true })
        }),
    })
    await store.persistCompletedTurn(turn('run-1', 'Ana keeps bees.'))
    await store.flush()
    server.faults.set({ kind: 'hold' })

    const slow = store.recallWithOutcome('bees')
    await server.faults.holding(1)
    for (const end of patience) end()
    expect(await slow).toMatchObject({ mode: 'lexical', degraded: { reason: 'embedding_slow' }, hits: [{}] })

    // While that request is overdue nobody waits, and nothing is sent.
    expect(await store.recallWithOutcome('Ana')).toMatchObject({ degraded: { reason: 'embedding_slow' }, hits: [{}] })
    expect(server.faults.held).toBe(1)
    server.faults.clear()
  })

  test('cancelling a recall cancels its request', async () => {
    const server = await openService()
    const store = await openJournal(root, server)
    server.faults.set({ kind: 'hold' })
    const controller = new AbortController()
    const cancelled = store.recallWithOutcome('honey', { signal: controller.signal })
    await server.faults.holding(1)
    const held = server.requests.embeddings().at(-1)
    controller.abort(new Error('changed my mind'))
    await expect(cancelled).rejects.toThrow('changed my mind')
    expect(await held?.closed).toBe('aborted')
    server.faults.clear()
  })
})

describe('identity (OPS-4)', () => {
  test.each([
    { name: 'another dimension', more: { dim: 1_536 } },
    { name: 'another model of the same dimension', more: { model: 'other-model' } },
    { name: 'another provider', more: { provider: 'lm-studio' as const } },
  ])('$name is refused before any network call; a rebuild mends it', async ({ more }) => {
    const server = await openService({
      models: [
        { name: 'nomic-embed-text:v1.5', serves: 'hash-768' },
        { name: 'other-model', serves: 'hash-768-other' },
        { name: 'text-embedding-nomic-embed-text-v1.5', serves: 'hash-768' },
      ],
    })
    const store = await openJournal(root, server)
    await store.persistCompletedTurn(turn('run-1', 'Ana keeps bees.'))
    await store.flush()
    await store.close()
    server.requests.clear()
    const embeddings = { ...embeddingsOf(server), ...more }
    const open = () => createMemoryStore({ mode: 'journal', path: root, embeddings }, { now: () => NOON })
    expect(await codeOf(open)).toBe('configured_identity_mismatch')
    expect(server.requests.all()).toEqual([])
    if ('dim' in more) return // this service has no model of that dimension
    await rebuildMemoryIndex({ path: root, mode: 'journal', embeddings })
    const again = await open()
    expect(await again.recallWithOutcome('bees')).toMatchObject({ mode: 'hybrid', hits: [{}] })
    await again.close()
  })

  test('lite and journal refuse the index of each other; a rebuild takes it over', async () => {
    const server = await openService()
    const lite = await openStore(root)
    await lite.persistCompletedTurn(turn('run-1', 'Ana keeps bees.'))
    await lite.flush()
    await lite.close()
    expect(await codeOf(() => openJournal(root, server))).toBe('configured_identity_mismatch')
    const report = await rebuildMemoryIndex({ path: root, mode: 'journal', embeddings: embeddingsOf(server) })
    expect(report.vectors).toEqual({ carriedOver: 0, embedded: 1 })
    const journal = await openJournal(root, server)
    expect(await journal.recallWithOutcome('bees')).toMatchObject({ mode: 'hybrid' })
    await journal.close()
    expect(await codeOf(() => openStore(root))).toBe('configured_identity_mismatch')
    await rebuildMemoryIndex({ path: root })
    expect(await texts(await openStore(root), 'bees')).toEqual(['Ana keeps bees.'])
  })

  test('journal, lite and journal again: what was embedded once is not embedded again', async () => {
    const server = await openService()
    const store = await openJournal(root, server)
    for (const n of [1, 2, 3]) await store.persistCompletedTurn(turn(`run-${n}`, `Fact number ${n}.`))
    await store.flush()
    await store.close()
    await rebuildMemoryIndex({ path: root })
    server.requests.clear()
    const report = await rebuildMemoryIndex({ path: root, mode: 'journal', embeddings: embeddingsOf(server) })
    expect(report.vectors).toEqual({ carriedOver: 3, embedded: 0 })
    expect(server.requests.all()).toEqual([])
  })

  test('an index that is missing is an error, never another database (OPS-5)', async () => {
    const server = await openService()
    const store = await openJournal(root, server)
    await store.persistCompletedTurn(turn('run-1', 'Ana keeps bees.'))
    await store.flush()
    await store.close()
    rmSync(join(root, '.index'), { recursive: true })
    expect(await codeOf(() => openJournal(root, server))).toBe('manifest_missing')
    server.requests.clear()
    await rebuildMemoryIndex({ path: root, mode: 'journal', embeddings: embeddingsOf(server) })
    expect(server.requests.embeddings().flatMap(({ texts: sent }) => sent)).toHaveLength(1)
  })

  test('a rebuild embeds nothing that it has', async () => {
    const server = await openService()
    const store = await openJournal(root, server)
    for (let n = 0; n < 70; n++) await store.persistCompletedTurn(turn(`run-${n}`, `Fact number ${n}.`))
    await store.flush()
    await store.close()
    server.requests.clear()
    const report = await rebuildMemoryIndex({ path: root, mode: 'journal', embeddings: embeddingsOf(server) })
    expect(report).toMatchObject({ indexed: 70, vectors: { carriedOver: 70, embedded: 0 } })
    expect(server.requests.all()).toEqual([])
  })
})

test('automatic context: by meaning alone, so nothing while the service is away', async () => {
  const server = await openService()
  const store = await openJournal(root, server)
  await store.remember({ text: 'Ana keeps bees.' })
  expect((await store.load({ text: 'Ana keeps bees.' })).silence).toBeUndefined()
  server.faults.set({ kind: 'drop' })
  expect(await store.load({ text: 'tea' })).toEqual({ text: '', memoryIds: [], silence: 'lexical_only' })
})

describe('readers', () => {
  test('recall by words and meaning in another place, without the lease', async () => {
    const server = await openService()
    const store = await openJournal(root, server)
    await store.persistCompletedTurn(turn('run-1', 'Ana keeps bees.'))
    await store.flush()
    const reader = await openMemoryReader({ path: root, mode: 'journal', embeddings: embeddingsOf(server) })
    expect(await reader.recallWithOutcome('bees')).toMatchObject({ mode: 'hybrid', stale: false, hits: [{}] })
    expect(await reader.stats()).toMatchObject({ mode: 'journal', vectors: 1, missingVectors: 0 })
    await reader.close()
  })
})
