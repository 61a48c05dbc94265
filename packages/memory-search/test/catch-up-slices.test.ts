import { expect, test } from 'vitest'
import { openWritableIndex } from '../src/index.js'
import { bullet, LITE } from './support/roots.js'
import { DAY, find, newRoot } from './support/scenario.js'

test('a catch-up gives the event loop its turns while it takes words apart, and shows nothing half done', async () => {
  const root = await newRoot()
  root.write(DAY, [])
  const seen: number[] = []
  const index = await openWritableIndex({
    root: root.path,
    fs: root.fs,
    lease: root.lease,
    identity: LITE,
    now: Date.now,
    yieldTurn: () => Promise.resolve(void seen.push(0)),
  })
  const memories = Array.from({ length: 1_000 }, (_, n) =>
    bullet({ id: `m-${n}`, sentence: `Memory number ${n}.`, conversationId: 'c' }),
  )
  root.write(DAY, memories)
  seen.length = 0
  expect(await index.catchUp()).toMatchObject({ added: 1_000 })
  expect(seen.length).toBeGreaterThanOrEqual(10)

  // What was taken apart ahead is not taken for what a record says now.
  root.write(
    DAY,
    memories.map((memory, n) => (n === 500 ? bullet({ ...memory, sentence: 'Changed since.' }) : memory)),
  )
  seen.length = 0
  expect(await index.catchUp()).toMatchObject({ changed: 1, added: 0 })
  expect(seen.length).toBeLessThan(5)
  expect(find(index, 'changed since')[0]).toBe('m-500')
  expect(find(index, 'number 500')).not.toContain('m-500')
  index.close()
})
