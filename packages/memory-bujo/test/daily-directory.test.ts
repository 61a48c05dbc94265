import { existsSync, mkdirSync, renameSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { makeTemporaryRoot } from '../../../test/support/temporary-root.js'
import { rebuildMemoryIndex } from '../src/index.js'
import { openStore, texts, turn } from './support/open-store.js'

const OTHER_DAY = '2026-04-02T12:00:00.000Z'

const LOSSES = [
  { name: 'is gone', lose: (daily: string, away: string) => renameSync(daily, away) },
  {
    name: 'was replaced by an empty one',
    lose: (daily: string, away: string) => {
      renameSync(daily, away)
      mkdirSync(daily, { mode: 0o700 })
    },
  },
]

describe.each(LOSSES)('daily/ $name under a running writer', ({ lose }) => {
  async function storeThatLostDaily() {
    const root = makeTemporaryRoot()
    const [daily, away] = [join(root, 'daily'), join(root, 'away')]
    const codes: string[] = []
    const store = await openStore(root, {
      onEvent: (event) => {
        if (event.kind === 'projection_failed') codes.push(`${event.code} ${event.attemptCounted}`)
      },
    })
    for (let n = 0; n < 20; n += 1) await store.persistCompletedTurn(turn(`run-${n}`, `Known topic ${n}.`))
    await store.flush()
    lose(daily, away)
    expect(await store.persistCompletedTurn(turn('late', 'A late topic.', { occurredAt: OTHER_DAY }))).toMatchObject({
      status: 'admitted',
    })
    expect(await store.flush()).toMatchObject({ pending: 1 })
    return { root, daily, away, store, codes }
  }

  test('turns stay due, nothing is made anew; put back, all of it goes on', async () => {
    const { daily, away, store, codes } = await storeThatLostDaily()
    expect(new Set(codes)).toEqual(new Set(['canonical_mismatch false']))
    await expect(store.remember({ text: 'Remembered meanwhile.' })).rejects.toMatchObject({
      code: 'canonical_mismatch',
    })
    expect(existsSync(join(daily, '2026-04-02.md'))).toBe(false)
    rmSync(daily, { recursive: true, force: true })
    renameSync(away, daily)
    expect(await store.flush()).toMatchObject({ pending: 0, dead: 0 })
    expect(await texts(store, 'late')).toContain('A late topic.')
    expect((await store.recallWithOutcome('known', { limit: 50 })).hits).toHaveLength(20)
  })

  test('the next opening is told; a rebuild accepts the loss, and the turn goes in', async () => {
    const { root, store } = await storeThatLostDaily()
    await store.close()
    await expect(openStore(root)).rejects.toMatchObject({ code: 'canonical_mismatch' })
    await rebuildMemoryIndex({ path: root })
    const next = await openStore(root)
    expect(await next.flush()).toMatchObject({ pending: 0, dead: 0 })
    expect(await texts(next, 'topic')).toEqual(['A late topic.'])
  })
})
