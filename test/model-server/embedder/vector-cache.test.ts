import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readdirSync, readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import Database from 'better-sqlite3'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { openVectorCache } from './vector-cache.js'

let directory: string
beforeEach(() => (directory = mkdtempSync(join(tmpdir(), 'vector-cache-'))))
afterEach(() => rmSync(directory, { recursive: true, force: true }))

const one = { vector: Float32Array.of(0.6, 0.8), tokens: 3 }
const firstFile = () => join(directory, 'vectors-1.sqlite')

/** A process that writes batches of 20 vectors; resolves with its exit status, null if it was killed. */
function startWriter(name: string, batches: number) {
  const program = fileURLToPath(new URL('./cache-writer.mjs', import.meta.url))
  const child = spawn(process.execPath, [program, directory, String(batches), name], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  return { child, ended: once(child, 'exit').then(([status]) => status as number | null) }
}

test('gives back what was put, after reopening too', () => {
  const cache = openVectorCache(directory)
  cache.put('m', ['a text'], [one])
  expect(cache.get('m', ['another', 'a text'])).toEqual([undefined, one])
  cache.close()
  const reopened = openVectorCache(directory)
  expect(reopened.get('m', ['a text'])).toEqual([one])
  reopened.close()
})

test('another model has vectors of its own, and model and text do not run together', () => {
  const cache = openVectorCache(directory)
  cache.put('m', ['text'], [one])
  expect(cache.get('m2', ['text'])).toEqual([undefined])
  expect(cache.get('mt', ['ext'])).toEqual([undefined])
  cache.close()
})

test('a vector that is not as it was written counts as missing and is replaced', () => {
  const cache = openVectorCache(directory)
  cache.put('m', ['text'], [one])
  const tool = new Database(firstFile())
  tool.prepare('UPDATE vectors SET vector = ?').run(Buffer.alloc(8))
  tool.close()
  expect(cache.get('m', ['text'])).toEqual([undefined])
  cache.put('m', ['text'], [one])
  expect(cache.get('m', ['text'])).toEqual([one])
  cache.close()
})

test.each([
  { name: 'is no database', damage: () => writeFileSync(firstFile(), 'x'.repeat(10_000)) },
  { name: 'lost its tail', damage: () => truncateSync(firstFile(), 8_192) },
])('a file that $name is left aside and a new one begun', async ({ damage }) => {
  const warned = vi.spyOn(process, 'emitWarning').mockImplementation(() => undefined)
  const before = openVectorCache(directory)
  const texts = Array.from({ length: 100 }, (_, index) => `text ${index}`)
  before.put(
    'm',
    texts,
    texts.map(() => one),
  )
  before.close()
  damage()
  const damaged = readFileSync(firstFile())

  const cache = openVectorCache(directory)
  cache.get('m', texts)
  cache.put(
    'm',
    texts,
    texts.map(() => one),
  )
  expect(cache.get('m', texts)).toEqual(texts.map(() => one))
  cache.close()
  expect(readdirSync(directory)).toContain('vectors-2.sqlite')
  expect(readFileSync(firstFile())).toEqual(damaged)
  expect(warned).toHaveBeenCalledOnce()
  warned.mockRestore()

  const reopened = openVectorCache(directory)
  expect(reopened.get('m', texts)).toEqual(texts.map(() => one))
  reopened.close()
})

test('several processes write into a new cache at once, and one that is killed takes nothing along', async () => {
  const writers = ['a', 'b', 'c'].map((name) => startWriter(name, 15))
  const victim = startWriter('victim', 1_000_000)
  await once(victim.child.stdout, 'data')
  victim.child.kill('SIGKILL')
  expect(await victim.ended).toBeNull()
  expect(await Promise.all(writers.map(({ ended }) => ended))).toEqual([0, 0, 0])

  const cache = openVectorCache(directory)
  for (const name of ['a', 'b', 'c']) {
    for (let batch = 0; batch < 15; batch++) {
      const texts = Array.from({ length: 20 }, (_, index) => `${name} ${batch} ${index}`)
      expect(cache.get('model', texts).map((found) => found?.vector)).toEqual(
        texts.map((_, index) => Float32Array.of(batch, index)),
      )
    }
  }
  expect(cache.get('model', ['victim 0 0'])[0]?.vector).toEqual(Float32Array.of(0, 0))
  cache.close()
  expect(readdirSync(directory)).toEqual(['vectors-1.sqlite'])
})
