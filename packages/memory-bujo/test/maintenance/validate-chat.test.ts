import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { beforeEach, describe, expect, onTestFinished, test } from 'vitest'
import type { ModelServer, ModelServerOptions } from '../../../../test/model-server/index.js'
import { asAgentHost, scriptedCapture, startModelServer } from '../../../../test/model-server/index.js'
import { nextDue } from '../../src/maintenance/consolidation-cadence.js'
import { validateMemory, type ValidateOptions } from '../../src/maintenance/validate-memory.js'
import type { ValidationReport } from '../../src/maintenance/validation.js'

const NOW = Date.parse('2026-05-01T12:30:00.000Z')
const CHAT = 'scripted-chat:latest'

/** What a model that keeps the contract says of the probe. */
const KEPT = {
  memories: [
    {
      type: 'event',
      text: 'Ana moved to Porto in March 2026.',
      salience: 0.6,
      source: 'user',
      quote: 'My sister Ana moved to Porto in March 2026',
      entities: [],
      labels: [],
    },
  ],
  entities: [],
  relations: [],
}
const NOTHING = { memories: [], entities: [], relations: [] }

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'validate-chat-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
})

async function openService(options: ModelServerOptions = {}): Promise<ModelServer> {
  const models = [{ name: 'nomic-embed-text:v1.5', serves: 'hash-768' }]
  const server = await startModelServer({ models, cacheDirectory: null, ...options })
  onTestFinished(() => server.close())
  server.chat.respondWith(scriptedCapture({ extract: KEPT }).responder)
  return server
}

const bujo = (server: ModelServer, llm: object = {}, more: Partial<ValidateOptions> = {}): Promise<ValidationReport> =>
  validateMemory({
    path: join(folder, 'root'),
    mode: 'bujo',
    writeMode: 'capture',
    embeddings: { provider: 'ollama', endpoint: server.url },
    llm: { provider: 'ollama', model: CHAT, endpoint: server.url, ...llm },
    now: () => NOW,
    ...more,
  })

const checksOf = ({ sections }: ValidationReport, name: string) =>
  sections
    .find(({ section }) => section === name)
    ?.checks.map(({ check, status, code }) => `${check}: ${status} ${code}`)
const messageOf = ({ sections }: ValidationReport, name: string) =>
  sections.find(({ section }) => section === name)?.checks.at(-1)?.message

describe('the chat model (OPS-9)', () => {
  test('is looked up by its exact tag and asked once; nothing is left behind', async () => {
    const server = await openService()
    const report = await bujo(server)
    expect(report.ok).toBe(true)
    expect(report.sections.map(({ section }) => section)).toEqual([
      'native',
      'identity',
      'root',
      'service',
      'calibration',
      'language',
      'chat',
      'consolidation',
      'platform',
    ])
    expect(checksOf(report, 'chat')).toEqual(['model: ok ok', 'contract: ok ok'])
    expect(server.requests.to('/api/chat')).toHaveLength(1)
    expect(readdirSync(folder)).toEqual([])
  })

  test('journal and lite ask none', async () => {
    const server = await openService()
    const embeddings = { provider: 'ollama', endpoint: server.url } as const
    await validateMemory({ path: join(folder, 'root'), mode: 'journal', embeddings })
    expect(server.chat.requests).toEqual([])
  })

  test.each([
    {
      name: 'another tag',
      model: 'scripted-chat:7b',
      code: 'chat_model_missing',
      says: 'ollama pull scripted-chat:7b',
    },
    { name: 'a model that is not there', model: 'gone', code: 'chat_model_missing', says: 'ollama pull gone:latest' },
    { name: 'one for embeddings', model: 'nomic-embed-text:v1.5', code: 'chat_model_unfit', says: 'Name a chat model' },
  ])('$name is an error with its mend, and no answer is asked for', async ({ model, code, says }) => {
    const server = await openService()
    const report = await bujo(server, { model })
    expect(report.ok).toBe(false)
    expect(checksOf(report, 'chat')).toEqual([`model: error ${code}`])
    expect(messageOf(report, 'chat')).toContain(says)
    expect(server.chat.requests).toEqual([])
  })

  test('a model named without a tag is the latest', async () => {
    const report = await bujo(await openService(), { model: 'scripted-chat' })
    expect(checksOf(report, 'chat')).toEqual(['model: ok ok', 'contract: ok ok'])
  })

  test.each([
    { name: 'down', fault: { kind: 'drop', path: '/api/chat' }, code: 'chat_unavailable' },
    { name: 'failing inside', fault: { kind: 'status', status: 500, path: '/api/chat' }, code: 'chat_unavailable' },
    { name: 'limiting', fault: { kind: 'status', status: 429, path: '/api/chat' }, code: 'chat_rate_limited' },
    { name: 'a page in its place', fault: { kind: 'invalid-json', path: '/api/chat' }, code: 'chat_response_invalid' },
  ] as const)('$name: waiting, and loud', async ({ fault, code }) => {
    const server = await openService()
    server.faults.set(fault)
    const report = await bujo(server)
    expect(report.ok).toBe(true)
    expect(checksOf(report, 'chat')).toEqual(['model: ok ok', `contract: waiting ${code}`])
  })

  test('slow: waiting, after the time that one call has', async () => {
    const server = await openService()
    server.faults.set({ kind: 'never', path: '/api/chat' })
    // Two questions and a probe for each model: the sixth request is the one that nobody answers.
    const asked = server.requests.arrival(6).then(() => undefined)
    const sleep = (ms: number) => (ms === 1_000 ? asked : new Promise<void>(() => undefined))
    const report = await bujo(server, { timeoutMs: 1_000 }, { sleep })
    expect(checksOf(report, 'chat')).toEqual(['model: ok ok', 'contract: waiting chat_timeout'])
  })

  test('a signal ends the waiting', async () => {
    const server = await openService()
    server.faults.set({ kind: 'hold', path: '/api/chat' })
    const controller = new AbortController()
    const running = bujo(server, {}, { signal: controller.signal })
    await server.faults.holding(1)
    controller.abort(new Error('enough'))
    await expect(running).rejects.toThrow('enough')
  })
})

describe('the contract probe (CAP-6)', () => {
  test.each([
    { name: 'prose', said: 'Here you are!', reason: 'not_json' },
    { name: 'a field too many', said: { ...NOTHING, mood: 'fine' }, reason: 'unknown_field' },
    { name: 'a quote of its own', said: withMemory({ quote: 'Ana likes wood' }), reason: 'quote_not_in_turn' },
    { name: 'a number as text', said: withMemory({ salience: '0.6' }), reason: 'wrong_type' },
  ])('$name: an error that says why and what to do', async ({ said, reason }) => {
    const server = await openService()
    server.chat.respondWith(scriptedCapture({ extract: () => said }).responder)
    const report = await bujo(server)
    expect(report.ok).toBe(false)
    expect(checksOf(report, 'chat')).toEqual(['model: ok ok', 'contract: error model_output_invalid'])
    expect(messageOf(report, 'chat')).toContain(`(${reason})`)
    expect(messageOf(report, 'chat')).toContain('Choose a model')
    expect(JSON.stringify(report)).not.toContain('Ana')
  })

  test('a model that finds nothing keeps the contract; that is noted', async () => {
    const server = await openService()
    server.chat.respondWith(scriptedCapture({ extract: NOTHING }).responder)
    const report = await bujo(server)
    expect(report.ok).toBe(true)
    expect(checksOf(report, 'chat')).toEqual(['model: ok ok', 'contract: note nothing_extracted'])
  })

  test('nothing is asked where nothing will be captured', async () => {
    const server = await openService()
    const report = await bujo(server, {}, { writeMode: 'append-host-summary' })
    expect(checksOf(report, 'chat')).toEqual(['model: ok ok', 'contract: note capture_off'])
    expect(server.chat.requests).toEqual([])
  })
})

describe('an OpenAI-compatible service', () => {
  test.each([
    { name: 'unset', key: undefined, chat: ['model: waiting chat_key_missing'] },
    { name: 'wrong', key: 'sk-wrong', chat: ['model: ok ok', 'contract: error chat_rejected'] },
    { name: 'right', key: 'sk-right', chat: ['model: ok ok', 'contract: ok ok'] },
  ])('a key that is $name; it is never shown', async ({ key, chat }) => {
    const server = await openService({ service: 'openai', apiKey: 'sk-right' })
    const llm = { provider: 'openai', model: 'scripted-chat', endpoint: `${server.url}/v1`, apiKeyEnv: 'THE_KEY' }
    const report = await bujo(server, llm, { env: () => key })
    expect(checksOf(report, 'chat')).toEqual(chat)
    expect(JSON.stringify(report)).not.toContain('sk-')
  })

  test('without keys', async () => {
    const server = await openService()
    const report = await bujo(server, { provider: 'openai', model: 'scripted-chat', endpoint: `${server.url}/v1` })
    expect(checksOf(report, 'chat')).toEqual(['model: ok ok', 'contract: ok ok'])
  })
})

describe('a model of the host', () => {
  const llm = { provider: 'agent-host', model: 'house', endpoint: undefined }

  test('is asked through its function', async () => {
    const chat = asAgentHost(scriptedCapture({ extract: KEPT }).responder)
    const report = await bujo(await openService(), llm, { chat, capture: { reconcileModel: 'judge' } })
    expect(checksOf(report, 'chat')).toEqual(['model: ok ok', 'contract: ok ok', 'reconcile: ok ok'])
  })

  test('cannot be asked where the function is not, as on the command line', async () => {
    const report = await bujo(await openService(), llm, { capture: { reconcileModel: 'judge' } })
    expect(report.ok).toBe(true)
    expect(checksOf(report, 'chat')).toEqual(['model: note agent_host_absent', 'reconcile: note agent_host_absent'])
  })
})

describe('the cadence of consolidation', () => {
  test.each([
    { consolidation: undefined, check: 'note consolidation_not_scheduled', says: '2026-05-01T14:00:00.000Z' },
    { consolidation: { cron: '15 6 * * 1' }, check: 'note consolidation_not_scheduled', says: '2026-05-04T06:15' },
    { consolidation: { enabled: false }, check: 'note consolidation_off', says: 'switched off' },
    { consolidation: { cron: '0 0 30 2 *' }, check: 'error config_invalid', says: 'never comes' },
    { consolidation: { cron: 'H 2 * * *' }, check: 'error config_invalid', says: 'memory.consolidation.cron' },
    { consolidation: { cron: '@daily' }, check: 'error config_invalid', says: 'five-field' },
    { consolidation: { enabled: false, cron: '61 * * * *' }, check: 'error config_invalid', says: 'five-field' },
  ])('$consolidation: $check', async ({ consolidation, check, says }) => {
    const report = await bujo(await openService(), {}, consolidation === undefined ? {} : { consolidation })
    expect(checksOf(report, 'consolidation')).toEqual([`consolidation: ${check}`])
    expect(messageOf(report, 'consolidation')).toContain(says)
    expect(report.ok).toBe(!check.startsWith('error'))
  })

  test('nothing is refreshed where nothing is written', async () => {
    const report = await bujo(await openService(), {}, { writeMode: 'disabled' })
    expect(checksOf(report, 'consolidation')).toEqual(['consolidation: note consolidation_idle'])
  })

  test.each([
    { cron: '0 */2 * * *', next: '2026-05-01T14:00:00.000Z' },
    { cron: '30 12 * * *', next: '2026-05-02T12:30:00.000Z' }, // due now is due the next time
    { cron: '0 0 29 2 *', next: '2028-02-29T00:00:00.000Z' },
    { cron: '0 0 30 2 *', next: undefined },
  ])('$cron is due next at $next', ({ cron, next }) => {
    expect(nextDue(cron, NOW)?.toISOString()).toBe(next)
  })

  test.each(['', '* * * *', '* * * * * *', '@hourly', 'H * * * *', '60 * * * *', '0 0 * 13 *', 'a b c d e'])(
    '%j is no cadence',
    (cron) => {
      expect(() => nextDue(cron, NOW)).toThrow(expect.objectContaining({ code: 'config_invalid' }))
    },
  )
})

function withMemory(changes: object): Readonly<Record<string, unknown>> {
  return { ...KEPT, memories: KEPT.memories.map((memory) => ({ ...memory, ...changes })) }
}
