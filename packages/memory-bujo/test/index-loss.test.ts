import { cpSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { rebuildMemoryIndex, type MemoryEvent } from '../src/index.js'
import { makeTemporaryRoot } from '../../../test/support/temporary-root.js'
import { DAY, dayFile, openStore, texts, turn } from './support/open-store.js'

describe('the index is disposable', () => {
  test('deleted, reopened: the same recall, the same Markdown', async () => {
    const root = makeTemporaryRoot()
    const first = await openStore(root)
    for (let n = 0; n < 30; n += 1) {
      await first.persistCompletedTurn(
        turn(`run-${n}`, `Topic ${n % 7} was discussed with Zoë, item ${n}.`, { speaker: 'Zoë' }),
      )
    }
    await first.flush()
    const before = (await first.recallWithOutcome('zoe topic 3', { limit: 50 })).hits
    await first.close()
    const markdown = dayFile(root)
    rmSync(join(root, '.index'), { recursive: true })
    const second = await openStore(root)
    expect((await second.recallWithOutcome('zoe topic 3', { limit: 50 })).hits).toEqual(before)
    expect(dayFile(root)).toBe(markdown)
  })

  test('whichever page of the database is damaged, the store opens; where the damage shows, it is built anew and that is said', async () => {
    const root = makeTemporaryRoot()
    const first = await openStore(root)
    for (let n = 0; n < 100; n += 1) await first.persistCompletedTurn(turn(`run-${n}`, `Damage ${n}.`))
    await first.close()
    writeFileSync(join(root, 'daily', `${DAY}.md`), `${dayFile(root)}\nA line that makes the index look.\n`)
    const generations = join('.index', 'generations')
    const database = join(generations, readdirSync(join(root, generations))[0] ?? '', 'memory.db')
    const bytes = readFileSync(join(root, database))
    let built = 0
    for (let page = 1; page < bytes.length / 4096; page += 1) {
      const copy = makeTemporaryRoot()
      cpSync(root, copy, { recursive: true })
      writeFileSync(join(copy, database), Buffer.from(bytes).fill(0x5a, page * 4096, (page + 1) * 4096))
      const onEvent = ({ kind }: MemoryEvent): void => void (built += kind === 'index_built' ? 1 : 0)
      const store = await openStore(copy, { onEvent })
      await store.close()
      expect(dayFile(copy)).toBe(dayFile(root))
      rmSync(copy, { recursive: true })
    }
    expect(built).toBeGreaterThan(0)
  })

  test.each([
    { name: 'a file as .index', path: '.index' },
    { name: 'a directory as manifest', path: join('.index', 'manifest.json') },
    { name: 'a directory as runtime snapshot', path: join('.index', 'runtime.json') },
  ])('$name: the opening names the mend, and rebuild is it', async ({ path }) => {
    const root = makeTemporaryRoot()
    const first = await openStore(root)
    await first.remember({ text: 'Rebuild me.' })
    await first.close()
    rmSync(join(root, path), { recursive: true })
    if (path === '.index') writeFileSync(join(root, path), '', { mode: 0o600 })
    else mkdirSync(join(root, path))
    if (!path.endsWith('runtime.json')) {
      await expect(openStore(root)).rejects.toMatchObject({
        code: 'index_obstructed',
        message: expect.stringContaining('`mono-agent-memory rebuild`') as string,
      })
    }
    expect(await rebuildMemoryIndex({ path: root })).toMatchObject({ indexed: 1 })
    const second = await openStore(root)
    expect(await texts(second, 'rebuild')).toEqual(['Rebuild me.'])
    await second.close()
    expect(statSync(join(root, '.index', 'runtime.json')).isFile()).toBe(true)
  })

  test('deleted under a running store: closing says so, nothing is lost', async () => {
    const root = makeTemporaryRoot()
    const first = await openStore(root)
    await first.persistCompletedTurn(turn('run-1', 'Written before.'))
    await first.flush()
    rmSync(join(root, '.index'), { recursive: true })
    await first.persistCompletedTurn(turn('run-2', 'Written after.'))
    await expect(first.close()).rejects.toMatchObject({ code: 'index_gone' })
    const second = await openStore(root)
    expect(await second.flush()).toMatchObject({ pending: 0, dead: 0 })
    expect((await texts(second, 'written')).sort()).toEqual(['Written after.', 'Written before.'])
  })

  test('rebuild needs the stopped store and changes no answer', async () => {
    const root = makeTemporaryRoot()
    const store = await openStore(root)
    await store.remember({ text: 'Rebuild me.' })
    await expect(rebuildMemoryIndex({ path: root })).rejects.toMatchObject({ code: 'writer_active' })
    await store.close()
    expect(await rebuildMemoryIndex({ path: root })).toMatchObject({ indexed: 1 })
    expect(await texts(await openStore(root), 'rebuild')).toEqual(['Rebuild me.'])
  })
})
