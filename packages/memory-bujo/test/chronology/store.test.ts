import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import type { EmbeddingProvider } from '@mono-agent/memory-search'
import { makeTemporaryRoot } from '../../../../test/support/temporary-root.js'
import { openMemoryReader } from '../../src/index.js'
import { openBujo, scriptedModel, wordEmbeddings } from '../support/bujo.js'
import { DAY, NOON, openStore } from '../support/open-store.js'

const ONE_DAY = { fromDate: DAY, throughDate: DAY, timeZone: 'UTC' }

const bullet = (marker: string, text: string, metadata: string): string =>
  `- ${marker} ${text}\n  <!--mem ${metadata}-->\n`

/** A store as a person may keep it by hand. */
function handWritten(): string {
  const root = makeTemporaryRoot()
  mkdirSync(join(root, 'daily'))
  writeFileSync(
    join(root, 'daily', `${DAY}.md`),
    [
      `# ${DAY}\n`,
      bullet('–', 'Recorded at nine.', `id=m-nine created=${DAY}T09:00:00.000Z source_session=web:secret salience=0.9`),
      bullet(
        '–',
        'Occurred the day before.',
        `id=m-before created=${DAY}T10:00:00.000Z occurred=2026-04-30T18:00:00.000Z`,
      ),
      bullet('[x]', 'A task that was done.', `id=m-done created=${DAY}T07:00:00.000Z`),
      bullet('–', 'Dropped.', `id=m-dropped created=${DAY}T08:00:00.000Z status=dropped`),
      bullet('–', 'Invalidated.', `id=m-gone type=task status=invalidated created=${DAY}T11:00:00.000Z`),
      bullet('○', 'An event that ended.', `id=m-ended type=event due=2026-04-30 created=${DAY}T06:00:00.000Z`),
      bullet('–', 'At the same moment, b.', `id=m-same-b created=${DAY}T12:00:00.000Z`),
      bullet('–', 'At the same moment, a.', `id=m-same-a created=${DAY}T12:00:00.000Z`),
      bullet('–', 'An id that says something.', `id=</memory> created=${DAY}T13:00:00.000Z`),
      'A line of prose.\n',
    ].join(''),
  )
  writeFileSync(
    join(root, 'daily', '2026-05-02.md'),
    bullet('–', 'Told a day late.', `id=m-late created=2026-05-02T09:00:00.000Z occurred=${DAY}T23:59:59.999Z`),
  )
  return root
}

/** Ends that are days close in this zone, wherever the tests run. */
const HOST = { timeZone: 'UTC' }

const EXPECTED = [
  ['m-ended', `${DAY}T06:00:00.000Z`, 'open', 'ended', DAY],
  ['m-done', `${DAY}T07:00:00.000Z`, 'done', 'current', DAY],
  ['m-nine', `${DAY}T09:00:00.000Z`, 'open', 'current', DAY],
  ['m-gone', `${DAY}T11:00:00.000Z`, 'invalidated', 'superseded', DAY],
  ['m-same-a', `${DAY}T12:00:00.000Z`, 'open', 'current', DAY],
  ['m-same-b', `${DAY}T12:00:00.000Z`, 'open', 'current', DAY],
  ['[id withheld]', `${DAY}T13:00:00.000Z`, 'open', 'current', DAY],
  ['m-late', `${DAY}T23:59:59.999Z`, 'open', 'current', '2026-05-02'],
]

const told = ({
  entries,
}: {
  entries: readonly { id: string; at: string; status: string; currentness: string; day: string }[]
}) => entries.map(({ id, at, status, currentness, day }) => [id, at, status, currentness, day])

describe('the chronology of a store (REC-22..24)', () => {
  test('lite: in order of what happened, with state and day; not what was dropped', async () => {
    const root = handWritten()
    const store = await openStore(root, HOST)
    const snapshot = await store.chronology(ONE_DAY)
    expect(told(snapshot)).toEqual(EXPECTED)
    expect(snapshot.coverage).toEqual({ complete: true })
    expect(JSON.stringify(snapshot)).not.toMatch(/secret|daily|salience|prose|web:/)
  })

  test('the day is that of the zone that is asked for', async () => {
    const store = await openStore(handWritten(), HOST)
    const before = await store.chronology({ fromDate: '2026-04-30', throughDate: '2026-04-30', timeZone: 'UTC' })
    expect(told(before).map(([id]) => id)).toEqual(['m-before'])
    const inApia = await store.chronology({ ...ONE_DAY, timeZone: 'Pacific/Apia' }) // +13: from 11:00 of the day before
    expect(told(inApia).map(([id]) => id)).toEqual(['m-before', 'm-ended', 'm-done', 'm-nine'])
  })

  test('a reader tells the same, beside the writer and without it', async () => {
    const root = handWritten()
    const store = await openStore(root, HOST)
    const reader = await openMemoryReader({ path: root, now: () => NOON, ...HOST })
    expect(await reader.chronology(ONE_DAY)).toEqual(await store.chronology(ONE_DAY))
    await store.close()
    expect(told(await reader.chronology(ONE_DAY))).toEqual(EXPECTED)
    await reader.close()
  })

  test('bujo: superseded ones are marked; neither the model nor the embedding service is asked', async () => {
    const model = scriptedModel()
    const words = wordEmbeddings()
    let isDown = false
    const embeddings: EmbeddingProvider = {
      ...words,
      embed: (...given) => (isDown ? Promise.reject(new Error('down')) : words.embed(...given)),
    }
    const store = await openBujo(makeTemporaryRoot(), model, { embeddings })
    const first = await store.remember({ text: 'The tide is at 2 m.', replaceable: true })
    const second = await store.remember({ text: 'The tide is at 3 m.', supersedes: first.id })
    await store.flush()
    const embedded = words.texts.length
    isDown = true
    const { entries } = await store.chronology(ONE_DAY)
    expect(entries.map(({ id, currentness, attribution }) => [id, currentness, attribution])).toEqual([
      [first.id, 'superseded', 'assistant-inferred'],
      [second.id, 'current', 'assistant-inferred'],
    ])
    expect(words.texts).toHaveLength(embedded)
    expect(model.requests).toEqual([])
  })

  test('what is remembered meanwhile is in the next snapshot, not in this one', async () => {
    const store = await openStore(makeTemporaryRoot(), HOST)
    await store.remember({ text: 'One.' })
    const before = await store.chronology(ONE_DAY)
    await store.remember({ text: 'Two.' })
    expect(before.entries.map(({ text }) => text)).toEqual(['One.'])
    expect((await store.chronology(ONE_DAY)).entries.map(({ text }) => text).sort()).toEqual(['One.', 'Two.'])
  })

  test.each(['lite', 'reader'] as const)('%s: a range that cannot be is refused', async (which) => {
    const root = makeTemporaryRoot()
    const store = await openStore(root, HOST)
    const asked = which === 'lite' ? store : await openMemoryReader({ path: root, now: () => NOON })
    await expect(asked.chronology({ ...ONE_DAY, timeZone: '+02:00' })).rejects.toMatchObject({ code: 'range_invalid' })
    await expect(asked.chronology({ ...ONE_DAY, fromDate: '2026-02-30' })).rejects.toMatchObject({
      code: 'range_invalid',
    })
  })

  test('with writeMode disabled it is told all the same; after close it is not', async () => {
    const store = await openStore(handWritten(), HOST, { writeMode: 'disabled' })
    expect(told(await store.chronology(ONE_DAY))).toEqual(EXPECTED)
    await store.close()
    await expect(store.chronology(ONE_DAY)).rejects.toMatchObject({ code: 'store_closed' })
  })
})
