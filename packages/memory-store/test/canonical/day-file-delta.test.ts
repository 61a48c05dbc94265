import fc from 'fast-check'
import { expect, test } from 'vitest'
import { dayFileDelta } from '../../src/canonical/day-file-delta.js'
import { formatBullet, type Bullet } from '@mono-agent/memory-store'
import { parseDayFile, type DayDocument } from '@mono-agent/memory-store'
import { bullet } from './open-test-days.js'

function documentOf(bullets: readonly Bullet[]): DayDocument {
  const lines = bullets.flatMap((one) => formatBullet(one)).join('\n')
  return parseDayFile(Buffer.from(`# 2026-05-01\n\n${lines}\n`))
}

const bullets = fc.uniqueArray(
  fc.record({ id: fc.constantFrom('a', 'b', 'c', 'd', 'e'), sentence: fc.constantFrom('One.', 'Two.', 'Three.') }),
  { selector: ({ id }) => id },
)

test('a delta, applied to the rows of the old state, gives those of the new one', () => {
  fc.assert(
    fc.property(bullets, bullets, (before, after) => {
      const old = documentOf(before.map(({ id, sentence }) => bullet(id, sentence)))
      const now = documentOf(after.map(({ id, sentence }) => bullet(id, sentence)))
      const delta = dayFileDelta('base', old, now)
      const rows = new Map<string, string>(before.map(({ id, sentence }) => [id, sentence]))
      for (const id of delta.removed) expect(rows.delete(id)).toBe(true)
      for (const { id, sentence } of delta.added) {
        expect(rows.has(id)).toBe(false)
        rows.set(id, sentence)
      }
      for (const { id, sentence } of delta.changed) {
        expect(rows.get(id)).not.toBe(sentence)
        rows.set(id, sentence)
      }
      expect([...rows].sort()).toEqual(after.map(({ id, sentence }) => [id, sentence]).sort())
      expect(delta.base).toBe('base')
    }),
  )
})
