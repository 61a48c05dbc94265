import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { withEnvironment } from '../src/configuration/environment.js'
import { loadConfiguration, memoryBlock } from '../src/configuration/load-configuration.js'

let folder: string
beforeEach(() => void (folder = mkdtempSync(join(tmpdir(), 'cli-config-'))))
afterEach(() => rmSync(folder, { recursive: true, force: true }))

const write = (name: string, content: unknown) =>
  writeFileSync(join(folder, name), typeof content === 'string' ? content : JSON.stringify(content))
const load = (request: { config?: string; path?: string; mode?: string; env?: Record<string, string> } = {}) =>
  loadConfiguration({ cwd: folder, env: {}, ...request })

describe('the memory block', () => {
  test.each([
    { name: 'absent', file: '{}', block: undefined },
    { name: 'null', file: '{"memory":null}', block: 'disabled' },
    { name: 'false', file: '{"memory":false}', block: 'disabled' },
    { name: 'switched off', file: '{"memory":{"mode":"lite","enabled":false}}', block: 'disabled' },
    { name: 'there', file: '{"memory":{"mode":"lite"}}', block: { mode: 'lite' } },
    { name: 'there, after a byte order mark', file: '\uFEFF{"memory":{"mode":"lite"}}', block: { mode: 'lite' } },
  ])('$name', ({ file, block }) => expect(memoryBlock(file)).toEqual(block))

  test.each(['', '{', '[]', '7', '{"memory":7}', '{"memory":[]}', '{"memory":true}'])('refuses %j', (file) => {
    expect(() => memoryBlock(file)).toThrow(expect.objectContaining({ code: 'config_not_json' }) as Error)
  })
})

describe('the environment', () => {
  test('goes before the block; an empty variable does not', () => {
    const env = {
      MONO_AGENT_MEMORY_PATH: '/elsewhere',
      MONO_AGENT_MEMORY_MODE: '',
      MONO_AGENT_MEMORY_MAX_BYTES: '2048',
    }
    expect(withEnvironment({ mode: 'lite', path: 'here' }, env)).toEqual({
      mode: 'lite',
      path: '/elsewhere',
      maxBytes: 2048,
    })
  })

  test('a number that is none is left for the schema to refuse', () => {
    expect(withEnvironment({}, { MONO_AGENT_MEMORY_MAX_BYTES: '1e4' })).toEqual({ maxBytes: '1e4' })
  })
})

describe('finding the configuration', () => {
  test('no file in the folder: not configured', () => expect(load().kind).toBe('not_configured'))

  test('a relative path is relative to the file, not to the folder of the call', () => {
    mkdirSync(join(folder, 'agent'))
    write('agent/other.json', { memory: { mode: 'lite', path: './store' } })
    expect(load({ config: 'agent/other.json' })).toMatchObject({ config: { path: join(folder, 'agent', 'store') } })
  })

  test('environment before .env before the file', () => {
    write('mono-agent.config.json', { memory: { mode: 'lite', path: 'a', writeMode: 'disabled', maxBytes: 2000 } })
    write('.env', 'MONO_AGENT_MEMORY_PATH=b\nMONO_AGENT_MEMORY_MAX_BYTES=3000\n')
    expect(load({ env: { MONO_AGENT_MEMORY_MAX_BYTES: '4000' } })).toMatchObject({
      config: { path: join(folder, 'b'), writeMode: 'disabled', maxBytes: 4000 },
    })
  })

  test('--path stands alone, and is lite unless --mode says otherwise', () => {
    write('mono-agent.config.json', '{')
    expect(load({ path: 'store' })).toMatchObject({ config: { mode: 'lite', path: join(folder, 'store') } })
  })

  test.each([
    { name: 'a file that is not there', request: { config: 'gone.json' }, code: 'config_unreadable' },
    { name: 'a folder', request: { config: '.' }, code: 'config_unreadable' },
    { name: 'a block that the schema refuses', request: { config: 'bad.json' }, code: 'config_invalid' },
    { name: 'a tier without its blocks', request: { path: 'x', mode: 'bujo' }, code: 'configuration_needed' },
  ])('refuses $name', ({ request, code }) => {
    write('bad.json', { memory: { mode: 'lite', colour: 'red' } })
    expect(() => load(request)).toThrow(expect.objectContaining({ code }) as Error)
  })
})
