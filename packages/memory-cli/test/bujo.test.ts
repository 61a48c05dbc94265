import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import type { CaptureCall } from '../../../test/model-server/index.js'
import { bujoFolder, curator } from './support/bujo.js'
import { commandIn, jsonOf, type Finished } from './support/command.js'

const LUND = 'I live in Lund near the station.'
const MALMO = 'I live in Malmo near the harbour now.'

const idOf = (finished: Finished): string => (jsonOf(finished) as { hits: { id: string }[] }).hits[0]?.id ?? ''
const audits = (root: string): string =>
  readdirSync(join(root, 'audit'))
    .map((name) => readFileSync(join(root, 'audit', name), 'utf8'))
    .join('')

describe('a store that curates', () => {
  test('ingest waits until all is curated; every reading command shows it, its chain and its graph', async () => {
    const { command, ingest, model } = await bujoFolder()
    const ingested = await ingest(LUND, 'My harpsichord needs strings.')
    expect(ingested).toMatchObject({ exitCode: 0, stderr: '' })
    expect(jsonOf(ingested)).toMatchObject({ admitted: 2, pending: 0, dead: 0, missingVectors: 0 })
    await ingest(MALMO)
    expect(model.counts().extract).toBe(3)

    expect(jsonOf(await command.run(['stats', '--json']))).toMatchObject({
      mode: 'bujo',
      memories: 3,
      vectors: 3,
      associations: 3,
      superseded: expect.any(Number),
      intake: { pending: 0, dead: 0, resolved: 3 },
    })
    expect((await command.run(['stats'])).stdout).toMatch(/entities +\d+\nrelations +0\nassociations +3\nthreads +0/)
    expect(jsonOf(await command.run(['show', '2026-03-01', '--json']))).toMatchObject({ memories: [{ text: LUND }] })
    expect(jsonOf(await command.run(['inspect', '--json']))).toMatchObject({ counts: { resolved: 3 } })
    expect(jsonOf(await command.run(['validate', '--json']))).toMatchObject({ ok: true })

    const newer = idOf(await command.run(['search', 'Malmo harbour', '--json']))
    const life = jsonOf(await command.run(['log', newer, '--json'])) as {
      memory: { text: string }
      history: { event: string; id?: string }[]
    }
    expect(life.memory.text).toBe(MALMO)
    const took = life.history.find(({ event }) => event === 'took_place')
    expect(took).toBeDefined()
    expect(jsonOf(await command.run(['log', took?.id ?? '', '--json']))).toMatchObject({
      memory: { supersededBy: newer },
      history: expect.arrayContaining([expect.objectContaining({ event: 'superseded', id: newer })]) as unknown,
    })
    const inWords = (await command.run(['log', took?.id ?? ''])).stdout
    expect(inWords).toContain(`superseded by ${newer}`)
    expect(inWords).toMatch(/\nattribution +user-stated\n/)
    expect((await command.run(['top', '--all'])).stdout).toContain(`[superseded] ${LUND}`)
    const top = (await command.run(['top'])).stdout
    expect(top).toContain(`  ${MALMO}`)
    expect(top).not.toContain(LUND)
  })

  test('rebuild and back: the same answers, nobody is asked', async () => {
    const { command, ingest, server } = await bujoFolder()
    await ingest(LUND)
    await ingest(MALMO)
    const answers = async () =>
      Promise.all(
        [['search', 'live near the station', '--explain'], ['top'], ['show', '2026-03-01']].map(async (words) =>
          jsonOf(await command.run([...words, '--json'])),
        ),
      )
    const graph = async () => {
      const { entities, relations, associations, threads, superseded } = jsonOf(
        await command.run(['stats', '--json']),
      ) as Record<string, unknown>
      return { entities, relations, associations, threads, superseded }
    }
    const [before, counted] = [await answers(), await graph()]
    expect(counted).toMatchObject({ superseded: 1 })
    server.requests.clear()
    expect(jsonOf(await command.run(['rebuild', '--json']))).toMatchObject({ indexed: 2, vectors: { embedded: 0 } })
    expect(server.requests.all()).toEqual([])
    expect(await graph()).toEqual(counted)
    expect(await answers()).toEqual(before)
    expect(jsonOf(await command.run(['rollback', '--json']))).toMatchObject({ identity: { tier: 'bujo' }, memories: 2 })
    expect(await graph()).toEqual(counted)
  })
})

describe('a chat model in trouble', () => {
  test.each([
    { name: 'away', says: undefined, failure: 'provider', code: 'chat_unavailable', words: 'cannot be reached' },
    {
      name: 'in prose',
      says: 'Sure!',
      failure: 'model_output',
      code: 'model_output_invalid',
      words: 'gave an answer that its contract refuses',
    },
  ])('$name: admitted and audited, the report says why, retry mends', async ({ says, failure, code, words }) => {
    const { root, command, ingest, server, model } = await bujoFolder()
    if (says === undefined) server.faults.set({ kind: 'drop', path: '/api/chat' })
    else server.chat.respondWith(() => says)
    const ingested = await ingest(LUND)
    expect(ingested.exitCode).toBe(0)
    expect(jsonOf(ingested)).toMatchObject({ admitted: 1, pending: 1, dead: 0, turnsDelayedBy: code })
    expect(ingested.stderr).toContain('1 turn pending and 0 dead in intake, admitted and audited but not curated.')
    expect(ingested.stderr).toContain(words)
    expect(ingested.stdout + ingested.stderr).not.toContain('Lund')
    expect(audits(root)).toContain(LUND)
    const { items } = jsonOf(await command.run(['inspect', '--json'])) as { items: { id: string }[] }
    expect(items).toMatchObject([{ state: 'pending', attempts: 1, failure, due: false }])
    expect((await command.run(['inspect'])).stdout).toContain(failure)

    server.faults.clear()
    server.chat.respondWith(model.responder)
    expect(jsonOf(await command.run(['retry', '--json']))).toEqual({ changed: true, ids: [items[0]?.id] })
    expect(jsonOf(await command.run(['ingest', 'turns.jsonl', '--json']))).toMatchObject({ duplicate: 1, pending: 0 })
    expect(jsonOf(await command.run(['stats', '--json']))).toMatchObject({ memories: 1 })
  })

  test('what it said once is not thrown away: neither resolved nor built without', async () => {
    const { command, ingest, server } = await bujoFolder()
    let calls = 0
    const good = curator()
    server.chat.respondWith((request) => ((calls += 1) > 1 ? 'no' : good.responder(request)))
    await ingest(LUND)
    const { items } = jsonOf(await command.run(['inspect', '--json'])) as { items: { id: string }[] }
    expect(jsonOf(await command.run(['resolve', items[0]?.id ?? '', '--reason', 'gone', '--json']))).toMatchObject({
      error: { code: 'plan_retained' },
    })
    const lite = ['--path', 'store', '--mode', 'lite', '--json']
    expect(jsonOf(await command.run(['rebuild', ...lite]))).toMatchObject({ error: { code: 'plan_retained' } })
    server.chat.respondWith(good.responder)
    await command.run(['retry'])
    expect(jsonOf(await command.run(['ingest', 'turns.jsonl', '--json']))).toMatchObject({ duplicate: 1, pending: 0 })
    expect(good.counts().extract).toBe(1)
  })

  test('a dead letter that was never understood can be resolved', async () => {
    const { command, ingest, server } = await bujoFolder()
    server.faults.set({ kind: 'status', status: 503, path: '/api/chat' })
    await ingest(LUND)
    const { items } = jsonOf(await command.run(['inspect', '--json'])) as { items: { id: string }[] }
    const id = items[0]?.id ?? ''
    expect(jsonOf(await command.run(['resolve', id, '--reason', 'not-wanted', '--json']))).toEqual({ changed: true })
    expect(jsonOf(await command.run(['inspect', id, '--json']))).toMatchObject({
      items: [{ state: 'resolved', reason: 'not-wanted' }],
    })
  })

  test('a signal while it thinks ends ingest; the next run goes on', async () => {
    const { folder, command, server } = await bujoFolder()
    server.faults.set({ kind: 'hold', path: '/api/chat' })
    writeFileSync(
      join(folder, 'turns.jsonl'),
      `${JSON.stringify({ runId: 'r', conversationId: 'c', summary: LUND, captureText: LUND, captureSpeakerKind: 'human-turn', captureEvidence: { userText: LUND, ownerTurn: true } })}\n`,
    )
    const { process: child, finished } = command.start(['ingest', 'turns.jsonl', '--json'])
    await server.faults.holding(1)
    child.kill('SIGINT')
    const stopped = await finished
    expect(stopped.exitCode).toBe(130)
    expect(jsonOf(stopped)).toMatchObject({ admitted: 1, pending: 1 })
    server.faults.clear()
    expect(jsonOf(await command.run(['ingest', 'turns.jsonl', '--json']))).toMatchObject({ duplicate: 1, pending: 0 })
  })
})

describe('the configuration', () => {
  test('variables go before the file (CFG-4)', async () => {
    const { folder, ingest, model, server } = await bujoFolder()
    const env = {
      MONO_AGENT_MEMORY_LLM_PROVIDER: 'openai',
      MONO_AGENT_MEMORY_LLM_MODEL: 'another-chat',
      MONO_AGENT_MEMORY_LLM_ENDPOINT: `${server.url}/v1`,
      MONO_AGENT_MEMORY_LLM_TIMEOUT_MS: '30000',
      MONO_AGENT_MEMORY_CAPTURE_FOCUS: 'Where people live.',
      MONO_AGENT_MEMORY_CAPTURE_ONLY: 'preference,lesson',
      MONO_AGENT_MEMORY_CAPTURE_INTENT_LIFECYCLE: 'true',
    }
    await ingest(LUND)
    const other = await commandIn(folder, env)
    writeFileSync(
      join(folder, 'turns.jsonl'),
      `${JSON.stringify({ runId: 'r-env', conversationId: 'c', summary: MALMO, captureText: MALMO, captureSpeakerKind: 'human-turn', captureEvidence: { userText: MALMO } })}\n`,
    )
    const finished = await other.run(['ingest', 'turns.jsonl', '--json'])
    expect(finished.exitCode).toBe(0)
    const { request, user, system } = model.calls.filter(({ stage }) => stage === 'extract').at(-1) as CaptureCall
    expect(request).toMatchObject({ protocol: 'openai', model: 'another-chat' })
    expect(user).toContain('Where people live.')
    expect(system).toContain('intentState')
    // Neither a preference nor a lesson: nothing is stored (CAP-21).
    expect(jsonOf(await other.run(['stats', '--json']))).toMatchObject({ memories: 1 })
    const wrong = await commandIn(folder, { MONO_AGENT_MEMORY_CAPTURE_ONLY: 'gossip' })
    const refused = await wrong.run(['stats', '--json'])
    expect(jsonOf(refused)).toMatchObject({ error: { code: 'config_invalid' } })
    expect(refused.stderr).toContain('MONO_AGENT_MEMORY_CAPTURE_ONLY')
  })

  test.each([
    { name: 'for everything', more: {}, llm: { provider: 'agent-host', endpoint: undefined } },
    { name: 'for reconcile', more: { capture: { reconcileModel: 'host-model' } }, llm: {} },
  ])('a model of the host $name: writing is refused with the mend, reading works', async ({ more, llm }) => {
    const { root, command, configure, ingest } = await bujoFolder()
    await ingest(LUND)
    configure(more, llm)
    const refused = await ingest(MALMO)
    expect(refused.exitCode).toBe(1)
    expect(jsonOf(refused)).toMatchObject({ error: { code: 'host_model_absent' } })
    expect(refused.stderr).toContain('MONO_AGENT_MEMORY_LLM_PROVIDER')
    expect(audits(root)).not.toContain(MALMO)
    for (const words of [['search', 'Lund'], ['stats'], ['top'], ['inspect'], ['retry'], ['rebuild'], ['validate']]) {
      expect(await command.run([...words, '--json']), words[0]).toMatchObject({ exitCode: 0 })
    }
  })

  test('--path alone: what asks no model works, what does says that a configuration is needed', async () => {
    const { command, ingest, server } = await bujoFolder()
    await ingest(LUND)
    server.requests.clear()
    const bare = ['--path', 'store', '--json']
    for (const words of [
      ['stats'],
      ['show', '2026-03-01'],
      ['top'],
      ['profile'],
      ['curate'],
      ['inspect'],
      ['retry'],
      ['rebuild'],
      ['rollback'],
    ]) {
      const finished = await command.run([...words, ...bare])
      expect(finished, words.join(' ')).toMatchObject({ exitCode: 0, stderr: '' })
    }
    expect(jsonOf(await command.run(['stats', ...bare]))).toMatchObject({ mode: 'bujo', memories: 1, vectors: 1 })
    for (const words of [
      ['ingest', 'turns.jsonl'],
      ['search', 'Lund'],
    ]) {
      const finished = await command.run([...words, ...bare])
      expect(finished.exitCode).toBe(1)
      expect(jsonOf(finished)).toMatchObject({ error: { code: 'configuration_needed' } })
    }
    expect(server.requests.all()).toEqual([])
  })
})
