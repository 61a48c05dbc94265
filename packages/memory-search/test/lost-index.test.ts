import { layout } from '@mono-agent/memory-store'
import { mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { databaseOf, manifestOf } from './support/dump.js'
import { bullet, type TestRoot } from './support/roots.js'
import { DAY, find, newRoot, openIn } from './support/scenario.js'

const tea = bullet({ id: 'tea', sentence: 'Morgan prefers green tea.' })

const fileAs = (path: string): void => {
  rmSync(path, { recursive: true })
  writeFileSync(path, '', { mode: 0o600 })
}
const copyOver = (path: string): void => {
  writeFileSync(`${path}.copy`, readFileSync(path), { mode: 0o600 })
  renameSync(`${path}.copy`, path)
}

describe('an index that is lost while it is open', () => {
  test.each([
    { name: '.index is deleted', take: (root: TestRoot) => rmSync(join(root.path, layout.index), { recursive: true }) },
    { name: '.index becomes a file', take: (root: TestRoot) => fileAs(join(root.path, layout.index)) },
    { name: 'the root is moved', take: (root: TestRoot) => renameSync(root.path, `${root.path}-away`) },
    { name: 'the database is replaced', take: (root: TestRoot) => copyOver(databaseOf(root.path)) },
  ])('$name under a writer: closing says what happened', async ({ take }) => {
    const root = await newRoot()
    root.write(DAY, [tea])
    const index = await root.open()
    root.write(DAY, [tea, bullet({ id: 'cat', sentence: 'Ana has a cat.' })])
    await index.catchUp()
    take(root)
    expect(() => index.close()).toThrow(expect.objectContaining({ code: 'index_gone' }))
    mkdirSync(root.path, { recursive: true }) // for the cleaning up
  })

  test('damage found by a question: typed, and closing lets the next opening build anew', async () => {
    const root = await newRoot()
    root.write(
      DAY,
      Array.from({ length: 400 }, (_, n) => bullet({ id: `m-${n}`, sentence: `Sentence ${n} of many.` })),
    )
    const whole = await root.open()
    whole.close()
    const path = databaseOf(root.path)
    const generation = manifestOf(root.path).generation
    const bytes = readFileSync(path)
    // All but what opening looks at: the schema and the identity.
    writeFileSync(path, bytes.fill(0x5a, Math.floor(bytes.length / 2 / 4096) * 4096))
    const damaged = await root.open()
    const ask = (): unknown => damaged.search({ query: 'sentence 399', limit: 10 })
    expect(ask).toThrow(expect.objectContaining({ code: 'sqlite_integrity_failed' }))
    expect(ask).toThrow(/closed and opened again/)
    try {
      damaged.close()
    } catch (error) {
      expect(error).toMatchObject({ code: 'sqlite_integrity_failed' })
    }
    const healed = await openIn(root)
    expect(find(healed, 'sentence 399')[0]).toBe('m-399')
    expect(healed.stats().generation).not.toBe(generation)
  })
})
