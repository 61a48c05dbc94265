import { expect, test } from 'vitest'
import { openIndexReader } from '../src/index.js'
import { bullet, LITE, type TestRoot } from './support/roots.js'
import { newRoot, openIn } from './support/scenario.js'

const ID = 'c0'.repeat(32)
const saying = (id: string, createdAt: string, more: { status?: 'dropped'; contentId?: string } = {}) =>
  bullet({
    id,
    sentence: `Said by ${id}`,
    type: 'task',
    createdAt: `${createdAt}T09:00:00.000Z`,
    contentId: ID,
    ...more,
  })

const day = (at: number): string => `daily/2026-05-0${at}.md`
const idsIn = (root: TestRoot): string[] => {
  const reader = openIndexReader({ root: root.path, fs: root.fs, identity: LITE, now: Date.now })
  const ids = reader.findByContentId(ID).map(({ id }) => id)
  reader.close()
  return ids
}

test('records of one content identity are found, the oldest first, dropped ones as well, copies of an id once', async () => {
  const root = await newRoot()
  root.write(day(1), [saying('late', '2026-05-03'), saying('other', '2026-05-01', { contentId: 'd0'.repeat(32) })])
  root.write(day(2), [saying('b', '2026-05-01'), saying('a', '2026-05-01'), saying('late', '2026-05-03')])
  root.write(day(3), [
    saying('gone', '2026-05-02', { status: 'dropped' }),
    bullet({ id: 'none', sentence: 'No identity' }),
  ])
  const index = await openIn(root)
  await index.catchUp()
  expect(index.findByContentId(ID).map(({ id, file }) => `${id} ${file}`)).toEqual([
    `a ${day(2)}`,
    `b ${day(2)}`,
    `gone ${day(3)}`,
    `late ${day(1)}`,
  ])
  expect(index.findByContentId('e0'.repeat(32))).toEqual([])
  expect(idsIn(root)).toEqual(['a', 'b', 'gone', 'late'])
})

test('an identity that comes, changes or goes is followed', async () => {
  const root = await newRoot()
  root.write(day(1), [bullet({ id: 'x', sentence: 'Tea' })])
  const index = await openIn(root)
  const seen: string[][] = []
  for (const contentId of [undefined, ID, 'd0'.repeat(32), ID, undefined]) {
    root.write(day(1), [bullet({ id: 'x', sentence: 'Tea', ...(contentId === undefined ? {} : { contentId }) })])
    await index.catchUp()
    seen.push(index.findByContentId(ID).map(({ id }) => id))
  }
  expect(seen).toEqual([[], ['x'], [], ['x'], []])
})
