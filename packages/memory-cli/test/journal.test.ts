import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { commandIn, jsonOf, temporaryFolder, writeTurns } from './support/command.js'
import { journalFolder, MODEL } from './support/journal.js'

describe('with its configuration', () => {
  test('what goes in is found by words and meaning, counted, and rebuilt without asking the service again', async () => {
    const { folder, command, server } = await journalFolder()
    writeTurns(join(folder, 'turns.jsonl'), 40)
    const ingested = await command.run(['ingest', 'turns.jsonl', '--json'])
    expect(ingested).toMatchObject({ exitCode: 0, stderr: '' })
    expect(jsonOf(ingested)).toMatchObject({ admitted: 40, pending: 0, missingVectors: 0 })
    expect(jsonOf(await command.run(['search', 'number7', '--json']))).toMatchObject({ mode: 'hybrid', stale: false })

    expect(jsonOf(await command.run(['stats', '--json']))).toMatchObject({
      mode: 'journal',
      vectors: 40,
      missingVectors: 0,
      calibration: { automaticFloor: 0.62 },
    })
    expect((await command.run(['stats'])).stdout).toMatch(/vectors +40\nvectors missing +0\ncalibration +noise 0\.50/)

    server.requests.clear()
    expect(jsonOf(await command.run(['rebuild', '--json']))).toMatchObject({
      indexed: 40,
      vectors: { carriedOver: 40, embedded: 0 },
    })
    expect(server.requests.all()).toEqual([])
  })

  test.each([
    { name: 'down', fault: { kind: 'drop' }, words: 'cannot be reached', code: 'embedding_unavailable' },
    {
      name: 'of another dimension',
      fault: { kind: 'wrong-dimension' },
      words: 'another dimension',
      code: 'embedding_dimension',
    },
  ] as const)(
    'a service that is $name: ingest counts what waits and why, search says so in words',
    async ({ fault, words, code }) => {
      const { folder, command, server } = await journalFolder()
      server.faults.set(fault)
      writeTurns(join(folder, 'turns.jsonl'), 3)
      const ingested = await command.run(['ingest', 'turns.jsonl', '--json'])
      expect(ingested.exitCode).toBe(0)
      expect(jsonOf(ingested)).toMatchObject({ admitted: 3, pending: 0, missingVectors: 3, vectorsDelayedBy: code })
      expect(ingested.stderr).toContain('3 memories wait for their vectors')
      expect(ingested.stderr).toContain(words)
      const found = await command.run(['search', 'number2', '--json', '--limit', '1'])
      expect(jsonOf(found)).toMatchObject({ mode: 'lexical', degraded: { reason: code }, hits: [{}] })
      expect(found.stderr).toMatch(new RegExp(`^note: answered by words alone: .*${words}.*\\(${code}\\)\\n$`))

      server.faults.clear()
      const pending = await command.run(['search', 'number2', '--json', '--limit', '1'])
      expect(jsonOf(pending)).toMatchObject({ degraded: { reason: 'vectors_pending' } })
      expect(pending.stderr).toMatch(/^note: Some memories still wait/)
      expect(jsonOf(await command.run(['ingest', 'turns.jsonl', '--json']))).toMatchObject({
        duplicate: 3,
        missingVectors: 0,
      })
    },
  )

  test('a signal while vectors are made ends ingest; the next run makes them', async () => {
    const { folder, command, server } = await journalFolder()
    server.faults.set({ kind: 'hold', path: '/api/embed' })
    writeTurns(join(folder, 'turns.jsonl'), 3)
    const { process: child, finished } = command.start(['ingest', 'turns.jsonl', '--json'])
    await server.requests.arrival(1)
    await server.faults.holding(1)
    child.kill('SIGINT')
    const stopped = await finished
    expect(stopped.exitCode).toBe(130)
    // The first vector may be asked for before the file is read to its end; no turn waits for it.
    const report = jsonOf(stopped) as { admitted: number; missingVectors: number }
    expect(report).toMatchObject({ pending: 0, missingVectors: report.admitted })
    expect(report.admitted).toBeGreaterThan(0)
    server.faults.clear()
    const again = jsonOf(await command.run(['ingest', 'turns.jsonl', '--json']))
    expect(again).toMatchObject({ duplicate: report.admitted, admitted: 3 - report.admitted, missingVectors: 0 })
  })

  test('rebuild is stopped by SIGINT and goes on where it was', async () => {
    const { folder, root, command, server, configure } = await journalFolder()
    writeTurns(join(folder, 'turns.jsonl'), 100)
    await command.run(['ingest', 'turns.jsonl'])
    const manifest = readFileSync(join(root, '.index/manifest.json'), 'utf8')
    configure({ model: 'bge-m3' })
    server.requests.clear()
    // The first batch is answered, the second waits for ever.
    server.faults.set({ kind: 'delay', delayMs: 0, times: 1 }, { kind: 'hold' })
    const { process: child, finished } = command.start(['rebuild', '--json'])
    await server.faults.holding(1)
    child.kill('SIGINT')
    const stopped = await finished
    expect(stopped.exitCode).toBe(130)
    expect(jsonOf(stopped)).toEqual({ complete: false })
    expect(stopped.stderr).toContain('Run the same command again')
    expect(readFileSync(join(root, '.index/manifest.json'), 'utf8')).toBe(manifest)

    server.faults.clear()
    expect(jsonOf(await command.run(['rebuild', '--json']))).toMatchObject({
      indexed: 100,
      vectors: { carriedOver: 32, embedded: 68 },
    })
  })

  test('the key comes from the .env beside the file, and the environment goes before it', async () => {
    const options = {
      service: 'openai',
      apiKey: 'sk-right',
      models: [{ name: 'text-embedding-3-small', serves: 'hash-1536' }],
    } as const
    const { folder, command, server, configure } = await journalFolder(options)
    configure({ provider: 'openai', endpoint: `${server.url}/v1`, apiKeyEnv: 'THE_KEY' })
    writeTurns(join(folder, 'turns.jsonl'), 1)
    const without = await command.run(['ingest', 'turns.jsonl', '--json'])
    expect(jsonOf(without)).toMatchObject({ admitted: 1, missingVectors: 1, vectorsDelayedBy: 'embedding_key_missing' })
    expect(server.requests.all()).toEqual([])
    writeFileSync(join(folder, '.env'), 'THE_KEY=sk-right\n')
    expect(jsonOf(await command.run(['ingest', 'turns.jsonl', '--json']))).toMatchObject({ missingVectors: 0 })
    const wrong = await (await commandIn(folder, { THE_KEY: 'sk-wrong' })).run(['search', 'gauge', '--json'])
    expect(jsonOf(wrong)).toMatchObject({ degraded: { reason: 'embedding_rejected' } })
    expect(wrong.stdout + wrong.stderr).not.toContain('sk-')
  })

  test('variables go before the file; another model is refused with the mend', async () => {
    const { folder, command } = await journalFolder()
    writeTurns(join(folder, 'turns.jsonl'), 1)
    await command.run(['ingest', 'turns.jsonl'])
    const other = await commandIn(folder, { MONO_AGENT_MEMORY_EMBEDDINGS_MODEL: 'bge-m3' })
    expect(jsonOf(await other.run(['stats', '--json']))).toMatchObject({
      error: {
        code: 'configured_identity_mismatch',
        message: expect.stringContaining('(the index has model nomic-embed-text:v1.5)') as string,
      },
    })
    const policy = await commandIn(folder, { MONO_AGENT_MEMORY_EMBEDDINGS_INSTRUCTIONS_QUERY: 'ask: ' })
    expect(jsonOf(await policy.run(['stats', '--json']))).toMatchObject({
      error: {
        code: 'configured_identity_mismatch',
        message: expect.stringContaining('(the index has other task instructions)') as string,
      },
    })
    const misspelled = await commandIn(folder, { MONO_AGENT_MEMORY_EMBEDDING_MODEL: 'bge-m3' })
    const warned = await misspelled.run(['stats'])
    expect(warned.exitCode).toBe(0)
    expect(warned.stderr).toContain('MONO_AGENT_MEMORY_EMBEDDING_MODEL is no key')
  })
})

describe('with --path alone', () => {
  const bare = ['--path', 'store', '--json']

  test('what needs no embedding works, what does says that a configuration is needed, and nobody is asked', async () => {
    const { folder, command, server } = await journalFolder()
    writeTurns(join(folder, 'turns.jsonl'), 2)
    await command.run(['ingest', 'turns.jsonl'])
    server.requests.clear()
    expect(jsonOf(await command.run(['stats', ...bare]))).toMatchObject({ mode: 'journal', memories: 2, vectors: 2 })
    expect(jsonOf(await command.run(['show', '2026-03-02', ...bare]))).toMatchObject({ memories: [{}, {}] })
    expect(jsonOf(await command.run(['retry', ...bare]))).toEqual({ changed: false, ids: [] })
    expect(jsonOf(await command.run(['rebuild', ...bare]))).toMatchObject({ vectors: { carriedOver: 2, embedded: 0 } })
    for (const words of [
      ['search', 'gauge'],
      ['calibrate', '--reset', '--queries', 'none'],
    ]) {
      const finished = await command.run([...words, ...bare])
      expect(finished.exitCode).toBe(words[0] === 'search' ? 1 : 2)
    }
    const searched = await command.run(['search', 'gauge', ...bare])
    expect(jsonOf(searched)).toMatchObject({ error: { code: 'configuration_needed' } })
    expect(searched.stderr).toContain('--config')
    const validated = await command.run(['validate', ...bare])
    expect(validated.exitCode).toBe(1)
    expect(jsonOf(validated)).toMatchObject({ ok: false, sections: [{ section: 'configuration' }] })

    writeTurns(join(folder, 'turns.jsonl'), 3)
    expect(jsonOf(await command.run(['ingest', 'turns.jsonl', ...bare]))).toMatchObject({
      admitted: 1,
      missingVectors: 1,
      vectorsDelayedBy: 'configuration_needed',
    })
    expect(jsonOf(await command.run(['rebuild', ...bare]))).toMatchObject({ error: { code: 'configuration_needed' } })
    expect(server.requests.all()).toEqual([])
    expect(jsonOf(await command.run(['stats', '--json']))).toMatchObject({ memories: 3, missingVectors: 1 })
  })

  test('a new root is lite, unless --mode asks for what only a configuration gives', async () => {
    const folder = temporaryFolder()
    const command = await commandIn(folder)
    writeTurns(join(folder, 'turns.jsonl'), 1)
    expect(jsonOf(await command.run(['ingest', 'turns.jsonl', ...bare, '--mode', 'journal']))).toMatchObject({
      error: { code: 'configuration_needed' },
    })
    expect(jsonOf(await command.run(['ingest', 'turns.jsonl', ...bare]))).toMatchObject({ admitted: 1 })
    expect(jsonOf(await command.run(['stats', ...bare]))).toMatchObject({ mode: 'lite' })
  })

  test('an index that cannot be read never makes lite of a journal', async () => {
    const { folder, root, command } = await journalFolder()
    writeTurns(join(folder, 'turns.jsonl'), 1)
    await command.run(['ingest', 'turns.jsonl'])
    writeFileSync(join(root, '.index/manifest.json'), '{')
    for (const words of [['stats'], ['ingest', 'turns.jsonl'], ['rebuild']]) {
      expect(jsonOf(await command.run([...words, ...bare]))).toMatchObject({ error: { code: 'tier_unknown' } })
    }
    expect(readFileSync(join(root, '.index/manifest.json'), 'utf8')).toBe('{')
    expect(jsonOf(await command.run(['rebuild', '--json']))).toMatchObject({ indexed: 1 })
    rmSync(root, { recursive: true })
  })
})

describe('validate', () => {
  test('says what is well, and exits with 0', async () => {
    const { command } = await journalFolder()
    const plain = await command.run(['validate'])
    expect(plain).toMatchObject({ exitCode: 0, stderr: '' })
    expect(plain.stdout).toContain('Nothing has to be mended.')
    expect(plain.stdout).toContain(MODEL)
  })

  test('a service that is away is waited for: loud, and exit 0', async () => {
    const { command, server } = await journalFolder()
    server.faults.set({ kind: 'drop' })
    const plain = await command.run(['validate'])
    expect(plain.exitCode).toBe(0)
    expect(plain.stdout).toContain('WAITING  embedding_unavailable')
    const asJson = await command.run(['validate', '--json'])
    expect(jsonOf(asJson)).toMatchObject({ ok: true })
  })

  test.each([
    { name: 'a model that is not there', embeddings: { model: 'gone' }, code: 'embedding_model_missing' },
    { name: 'a dimension of another model', embeddings: { dim: 512 }, code: 'embedding_dimension' },
    { name: 'an unknown key', embeddings: { modle: 'gone' }, code: 'config_invalid' },
    {
      name: 'an endpoint with a password',
      embeddings: { endpoint: 'http://u:p@localhost' },
      code: 'embedding_endpoint_invalid',
    },
  ])('$name is an error with its mend, exit 1, and one object', async ({ embeddings, code }) => {
    const { command, configure } = await journalFolder()
    configure(embeddings)
    const finished = await command.run(['validate', '--json'])
    expect(finished.exitCode).toBe(1)
    const report = jsonOf(finished) as { ok: boolean; sections: { checks: { code: string }[] }[] }
    expect(Object.keys(report)).toEqual(['ok', 'sections'])
    expect(report.ok).toBe(false)
    expect(report.sections.flatMap(({ checks }) => checks.map((check) => check.code))).toContain(code)
  })

  test('can be stopped', async () => {
    const { command, server } = await journalFolder()
    server.faults.set({ kind: 'hold' })
    const { process: child, finished } = command.start(['validate', '--json'])
    await server.faults.holding(1)
    child.kill('SIGINT')
    expect((await finished).exitCode).toBe(130)
  })
})

describe('calibrate', () => {
  test('measures, proposes, and writes only when told', async () => {
    const { folder, root, command } = await journalFolder()
    writeTurns(join(folder, 'turns.jsonl'), 60)
    await command.run(['ingest', 'turns.jsonl'])
    const manifest = () => readFileSync(join(root, '.index/manifest.json'), 'utf8')
    const before = manifest()
    const unlabelled = await command.run(['calibrate'])
    expect(unlabelled.exitCode).toBe(0)
    expect(unlabelled.stderr).toContain('--queries')
    expect(unlabelled.stdout).toContain('Nothing was written.')

    const shown = jsonOf(await command.run(['show', '2026-03-02', '--json'])) as {
      memories: { id: string; text: string }[]
    }
    const lines = shown.memories.slice(0, 25).map(({ id, text }) => JSON.stringify({ query: text, relevant: [id] }))
    writeFileSync(join(folder, 'queries.jsonl'), `${lines.join('\n')}\n\n{"query":"Who sells kites?","relevant":[]}\n`)
    const labelled = await command.run(['calibrate', '--queries', 'queries.jsonl', '--json'])
    expect(labelled).toMatchObject({ exitCode: 0, stderr: '' })
    expect(jsonOf(labelled)).toMatchObject({ basis: 'queries', written: false, present: { automaticFloor: 0.62 } })
    expect(manifest()).toBe(before)

    const written = jsonOf(await command.run(['calibrate', '--queries', 'queries.jsonl', '--write', '--json'])) as {
      proposed: object
    }
    expect(jsonOf(await command.run(['stats', '--json']))).toMatchObject({ calibration: written.proposed })
    expect(manifest()).not.toBe(before)
    expect((await command.run(['calibrate', '--reset', '--write'])).stdout).toContain('shipped')
    expect(jsonOf(await command.run(['stats', '--json']))).toMatchObject({ calibration: { automaticFloor: 0.62 } })
  })

  test.each([
    { name: 'no JSON', line: '{', code: 'queries_invalid' },
    { name: 'another shape', line: '{"query":"secret","ids":[]}', code: 'queries_invalid' },
    {
      name: 'an id that nobody has',
      line: '{"query":"secret","relevant":["r-0"]}',
      code: 'calibration_queries_invalid',
    },
  ])('a line of $name: $code, by its number, never with its text', async ({ line, code }) => {
    const { folder, command } = await journalFolder()
    writeTurns(join(folder, 'turns.jsonl'), 1)
    await command.run(['ingest', 'turns.jsonl'])
    writeFileSync(join(folder, 'queries.jsonl'), `{"query":"a","relevant":[]}\n${line}\n`)
    const finished = await command.run(['calibrate', '--queries', 'queries.jsonl', '--json'])
    expect(finished.exitCode).toBe(1)
    expect(jsonOf(finished)).toMatchObject({ error: { code, message: expect.stringMatching(/\b2\b/) as string } })
    expect(finished.stdout + finished.stderr).not.toContain('secret')
  })

  test('a file that is not there, and lite, are errors', async () => {
    const { folder, command } = await journalFolder()
    expect(jsonOf(await command.run(['calibrate', '--queries', 'gone', '--json']))).toMatchObject({
      error: { code: 'queries_invalid' },
    })
    writeTurns(join(folder, 'turns.jsonl'), 1)
    await command.run(['ingest', 'turns.jsonl', '--path', 'lite'])
    expect(jsonOf(await command.run(['calibrate', '--path', 'lite', '--json']))).toMatchObject({
      error: { code: 'unsupported_in_tier' },
    })
  })
})
