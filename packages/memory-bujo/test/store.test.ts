import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { createMemoryStore, openMemoryReader, type MemoryEvent } from '../src/index.js'
import { makeTemporaryRoot } from '../../../test/support/temporary-root.js'
import { DAY, NOON, dayFile, openStore, texts, turn } from './support/open-store.js'

describe('a turn goes in, lies in Markdown and comes back', () => {
  test('admitted, projected, recalled', async () => {
    const root = makeTemporaryRoot()
    const store = await openStore(root)
    const admission = await store.persistCompletedTurn(turn('run-1', 'Morgan prefers\n  green   tea.'))
    expect(admission).toMatchObject({ status: 'admitted' })
    expect(await store.whenSettled('run-1')).toMatchObject({ state: 'indexed' })
    expect(dayFile(root)).toContain('- – Morgan prefers green tea.\n')
    const { hits, mode } = await store.recallWithOutcome('tea')
    expect(mode).toBe('lexical')
    expect(hits).toMatchObject([{ text: 'Morgan prefers green tea.', source: { conversationId: 'web:1' } }])
  })

  test('the day is the UTC day of the turn, not of its admission', async () => {
    const root = makeTemporaryRoot()
    const store = await openStore(root)
    await store.persistCompletedTurn(turn('run-1', 'Late train.', { occurredAt: '2026-04-02T01:30:00+05:00' }))
    await store.flush()
    expect(dayFile(root, '2026-04-01')).toContain('Late train.')
    expect((await store.recallWithOutcome('train')).hits).toMatchObject([{ occurredAt: '2026-04-01T20:30:00.000Z' }])
  })

  // As far as `parseInstant` goes: an instant that is admitted has a day.
  test.each([
    ['2016-12-31T23:59:60Z', '2017-01-01'],
    ['2016-12-31T18:59:60.5-05:00', '2017-01-01'],
    ['2016-12-31t23:59:59z', '2016-12-31'],
    ['0000-01-01T00:00:00Z', '0000-01-01'],
    ['9999-12-31T23:59:59.999Z', '9999-12-31'],
  ])('an occurredAt of %s lies in %s.md', async (occurredAt, day) => {
    const root = makeTemporaryRoot()
    const store = await openStore(root)
    await store.persistCompletedTurn(turn('run-1', 'Happy new year.', { occurredAt }))
    await store.flush()
    expect(dayFile(root, day)).toContain('Happy new year.')
    expect(await store.turnStatus('run-1')).toMatchObject({ state: 'indexed' })
  })

  test('a long observation loses no words', async () => {
    const root = makeTemporaryRoot()
    const store = await openStore(root)
    const words = Array.from({ length: 1_500 }, (_, index) => `word${index}`)
    await store.persistCompletedTurn(turn('run-1', words.join(' ')))
    await store.flush()
    const sentences = dayFile(root)
      .split('\n')
      .filter((line) => line.startsWith('- '))
    expect(sentences.length).toBeGreaterThan(1)
    expect(sentences.flatMap((line) => line.slice(4).split(' '))).toEqual(words)
  })

  test('a credential is redacted, the rest is kept', async () => {
    const root = makeTemporaryRoot()
    const events: MemoryEvent[] = []
    const store = await openStore(root, { onEvent: (event) => void events.push(event) })
    const secret = ['ghp', 'wWPw5k4aXcaT4fNP0UcnZwJUVFk6LO0pINUx'].join('_')
    await store.persistCompletedTurn(turn('run-1', `The deploy key is ${secret} for Lund.`))
    await store.flush()
    expect(dayFile(root)).toContain('The deploy key is [credential redacted] for Lund.')
    expect(dayFile(root)).not.toContain(secret)
    expect(store.snapshot().discards.credentials).toBe(1)
    expect(events).toContainEqual({ kind: 'credential_redacted', count: 1 })
  })
})

describe('exactly once', () => {
  test('100 sends of one run id at once: one admitted, 99 duplicate, one line', async () => {
    const root = makeTemporaryRoot()
    const store = await openStore(root)
    const sends = await Promise.all(
      Array.from({ length: 100 }, () => store.persistCompletedTurn(turn('run-1', 'Once.'))),
    )
    expect(sends.filter(({ status }) => status === 'admitted')).toHaveLength(1)
    expect(sends.filter(({ status }) => status === 'duplicate')).toHaveLength(99)
    await store.flush()
    expect(dayFile(root).match(/Once\./g)).toHaveLength(1)
  })

  test('the same run id with other bytes is a conflict and changes nothing', async () => {
    const root = makeTemporaryRoot()
    const store = await openStore(root)
    await store.persistCompletedTurn(turn('run-1', 'First.'))
    await expect(store.persistCompletedTurn(turn('run-1', 'Second.'))).rejects.toMatchObject({ code: 'run_conflict' })
    await store.flush()
    expect(dayFile(root)).not.toContain('Second.')
  })

  test('after a reopening it is still a duplicate', async () => {
    const root = makeTemporaryRoot()
    const first = await openStore(root)
    await first.persistCompletedTurn(turn('run-1', 'Once.'))
    await first.close()
    const second = await openStore(root)
    expect(await second.persistCompletedTurn(turn('run-1', 'Once.'))).toMatchObject({ status: 'duplicate' })
    await second.flush()
    expect(dayFile(root).match(/Once\./g)).toHaveLength(1)
  })

  test('a line that a person deletes stays deleted', async () => {
    const root = makeTemporaryRoot()
    const first = await openStore(root)
    await first.persistCompletedTurn(turn('run-1', 'To be deleted.'))
    await first.persistCompletedTurn(turn('run-2', 'To be kept.'))
    await first.close()
    const lines = dayFile(root).split('\n')
    const at = lines.findIndex((line) => line.includes('To be deleted.'))
    lines.splice(at, 2)
    writeFileSync(join(root, 'daily', `${DAY}.md`), lines.join('\n'))
    const second = await openStore(root)
    await second.persistCompletedTurn(turn('run-1', 'To be deleted.'))
    await second.flush()
    expect(await texts(second, 'deleted')).toEqual([])
    expect(await texts(second, 'kept')).toEqual(['To be kept.'])
  })
})

describe('skipped, and said', () => {
  test.each([
    ['a low-signal answer', turn('r', 'x', { finalAnswer: 'NOTHING_TO_REPORT' }), {}, 'low_signal'],
    ['an empty summary', turn('r', ''), {}, 'empty'],
    ['a summary of white space and invisible characters', turn('r', ' \n\t\u200b\ufeff '), {}, 'empty'],
    ['writeMode disabled', turn('r', 'Words.'), { writeMode: 'disabled' }, 'write_disabled'],
  ])('%s', async (_name, given, config, reason) => {
    const root = makeTemporaryRoot()
    const store = await openStore(root, {}, config)
    expect(await store.persistCompletedTurn(given)).toEqual({ status: 'skipped', reason })
    expect(await store.turnStatus('r')).toEqual({ state: 'unknown' })
    expect(store.snapshot().intake.pending).toBe(0)
  })

  test.each(['test', 'ping', '…'])('%s is admitted: no word lists', async (summary) => {
    const store = await openStore(makeTemporaryRoot())
    expect(await store.persistCompletedTurn(turn('r', summary))).toMatchObject({ status: 'admitted' })
  })
})

describe('life of a store', () => {
  test.each([
    ['no .gitignore', undefined, '/*\n!/.gitignore\n'],
    ['a .gitignore of a person', 'drafts/\n', 'drafts/\n'],
    ['an empty .gitignore', '', ''],
  ])('a root is made where there is %s', async (_name, before, expected) => {
    const root = makeTemporaryRoot()
    const path = join(root, '.gitignore')
    if (before !== undefined) writeFileSync(path, before)
    await (await openStore(root)).close()
    const after = readFileSync(path, 'utf8')
    if (before === undefined) expect(after.startsWith(expected)).toBe(true)
    else expect(after).toBe(expected)
  })

  test('close is one promise; later calls say store_closed', async () => {
    const store = await openStore(makeTemporaryRoot())
    await Promise.all([store.close(), store.close()])
    for (const call of [
      () => store.persistCompletedTurn(turn('r', 'x')),
      () => store.recallWithOutcome('x'),
      () => store.remember({ text: 'x' }),
      () => store.load({ text: 'x' }),
      () => store.flush(),
      () => store.turnStatus('r'),
      () => store.whenSettled('r'),
      () => store.consolidate(),
    ]) {
      await expect(call()).rejects.toMatchObject({ code: 'store_closed' })
    }
  })

  test('admissions begun before close finish', async () => {
    const root = makeTemporaryRoot()
    const store = await openStore(root)
    const sends = Array.from({ length: 20 }, (_, n) => store.persistCompletedTurn(turn(`run-${n}`, `Sentence ${n}.`)))
    await store.close()
    expect((await Promise.all(sends)).every(({ status }) => status === 'admitted')).toBe(true)
    expect(dayFile(root).match(/Sentence \d+\./g)).toHaveLength(20)
  })

  test('a second writer fails at once; a reader works; the next writer opens after close', async () => {
    const root = makeTemporaryRoot()
    const store = await openStore(root)
    await store.remember({ text: 'Readers are welcome.' })
    await expect(createMemoryStore({ mode: 'lite', path: root })).rejects.toMatchObject({ code: 'writer_active' })
    const reader = await openMemoryReader({ path: root })
    expect((await reader.recallWithOutcome('readers')).hits).toHaveLength(1)
    await reader.close()
    await store.close()
    await openStore(root)
  })

  test('a listener that throws harms nobody and is counted', async () => {
    const root = makeTemporaryRoot()
    const first = await openStore(root)
    await first.remember({ text: 'A line.' })
    await first.close()
    rmSync(join(root, '.index'), { recursive: true })
    const store = await openStore(root, {
      onEvent: (event: MemoryEvent) => {
        throw new Error(event.kind)
      },
    })
    writeFileSync(join(root, 'daily', `${DAY}.md`), `${dayFile(root)}\nA person wrote this.\n`)
    await store.remember({ text: 'Another line.' })
    expect(store.snapshot().failures.listeners).toBeGreaterThan(0)
    expect(dayFile(root)).toContain('A person wrote this.')
  })

  test('lite says nothing automatically and does not consolidate', async () => {
    const store = await openStore(makeTemporaryRoot())
    expect(await store.load({ text: 'tea' })).toEqual({ text: '', memoryIds: [], silence: 'lexical_only' })
    await expect(store.consolidate()).rejects.toMatchObject({ code: 'unsupported_in_tier' })
  })

  test.each([0, 51, 1.5, Number.NaN])('a limit of %s is a RangeError', async (limit) => {
    const store = await openStore(makeTemporaryRoot())
    await expect(store.recallWithOutcome('x', { limit })).rejects.toBeInstanceOf(RangeError)
  })

  test('an agent-host without its function is refused before anything is opened', async () => {
    const root = makeTemporaryRoot()
    await expect(
      createMemoryStore({
        mode: 'bujo',
        path: join(root, 'm'),
        embeddings: { provider: 'ollama' },
        llm: { provider: 'agent-host', model: 'any' },
      }),
    ).rejects.toMatchObject({ code: 'config_invalid' })
    expect(readdirSync(root)).toEqual([])
  })
})

describe('a clock that jumps (INT-13)', () => {
  const YEAR = 366 * 24 * 3_600_000
  test.each([
    ['back by a year', -YEAR],
    ['forward by a year', YEAR],
  ])('%s loses nothing and keeps the order', async (_name, jump) => {
    const root = makeTemporaryRoot()
    let now = NOON
    const store = await openStore(root, { now: () => now })
    await store.persistCompletedTurn(turn('before', 'Before the jump.', { occurredAt: '2026-05-01T10:00:00Z' }))
    now += jump
    await store.persistCompletedTurn(turn('after', 'After the jump.', { occurredAt: '2026-05-01T10:00:00Z' }))
    await store.flush()
    await store.close()
    now -= jump
    const again = await openStore(root, { now: () => now })
    expect(
      await again.persistCompletedTurn(turn('after', 'After the jump.', { occurredAt: '2026-05-01T10:00:00Z' })),
    ).toMatchObject({
      status: 'duplicate',
    })
    expect(dayFile(root).indexOf('Before')).toBeLessThan(dayFile(root).indexOf('After'))
  })
})

test('a day file that a person keeps saving does not hold up the other days', async () => {
  const root = makeTemporaryRoot()
  const busy = join(root, 'daily', '2026-04-01.md')
  let elapsed = 0
  const first = await openStore(root)
  await first.persistCompletedTurn(turn('run-0', 'Before.', { occurredAt: '2026-04-01T10:00:00Z' }))
  await first.close()
  let saves = 0
  const store = await openStore(root, {
    monotonicNow: () => elapsed,
    sleep: (ms, { keepsProcessAlive }) => {
      if (!keepsProcessAlive || ms > 5_000) return new Promise(() => undefined) // alarms of the projector
      elapsed += ms
      writeFileSync(busy, `${dayFile(root, '2026-04-01')}\nSave ${(saves += 1)}.\n`)
      return Promise.resolve()
    },
  })
  writeFileSync(busy, `${dayFile(root, '2026-04-01')}\nA save.\n`)
  await store.persistCompletedTurn(turn('run-1', 'On the busy day.', { occurredAt: '2026-04-01T11:00:00Z' }))
  await store.persistCompletedTurn(turn('run-2', 'On a quiet day.', { occurredAt: '2026-04-02T11:00:00Z' }))
  await store.flush()
  expect(saves).toBeGreaterThan(1)
  expect(dayFile(root, '2026-04-02')).toContain('On a quiet day.')
  expect(dayFile(root, '2026-04-01')).not.toContain('On the busy day.')
  expect(await store.turnStatus('run-1')).toEqual({ state: 'admitted' })
  expect(await store.turnStatus('run-2')).toMatchObject({ state: 'indexed' })
})
