import { describe, expect, test } from 'vitest'
import { bulletDigest, ReplayState } from '@mono-agent/memory-store'
import { planRemember, type DecidedRemember } from '../../../src/capture/commit/plan-remember.js'
import { EMPTY_BASE, ground, oldBullet, TODAY, YESTERDAY } from './support/captures.js'

const AT = '2026-05-02T09:00:00.000Z'
const bullet = oldBullet('m-new', 'The tide is at 2 m.')
const old = oldBullet('m-old', 'The tide is at 1 m.')
const LATER = '2026-05-02T10:00:00.000Z'
const young = oldBullet('m-old', 'The tide is at 1 m.', { createdAt: LATER })
const fresh: DecidedRemember['line'] = { file: TODAY, bullet }
const replaced = { file: YESTERDAY, bullet: old }
const association = {
  kind: 'association',
  memoryId: 'm-new',
  entityId: 'person:ana',
  provenance: 'assistant-inferred',
  createdAt: AT,
}
const added = [{ file: TODAY, changes: [{ kind: 'add', bullets: [bullet] }] }]
const edge = { kind: 'supersede', id: 'm-old', by: 'm-new', at: AT }
const target = { id: 'm-old', file: YESTERDAY, digest: bulletDigest(old) }

describe('what a Remember with detail writes (REC-27)', () => {
  test.each([
    { name: 'a link', decided: { line: fresh, about: 'person:ana' }, days: added, lines: [association], edges: [] },
    { name: 'a replacement', decided: { line: fresh, replaced }, days: added, lines: [], edges: [edge] },
    {
      name: 'both',
      decided: { line: fresh, about: 'person:ana', replaced },
      days: added,
      lines: [association],
      edges: [edge],
    },
    {
      name: 'a replacement after the clock was set back: not before the old line was recorded (REC-9)',
      decided: { line: fresh, replaced: { file: YESTERDAY, bullet: young } },
      days: added,
      lines: [],
      edges: [{ ...edge, at: LATER }],
      replacedTarget: { ...target, digest: bulletDigest(young) },
    },
    {
      name: 'what a line that is there lacks',
      decided: { line: { id: 'm-new' }, about: 'person:ana', replaced },
      days: [],
      lines: [association],
      edges: [edge],
    },
  ])('$name', ({ decided, days, lines, edges, replacedTarget = target }) => {
    const plan = planRemember({ at: AT, ...decided }, ground())
    expect(plan).toEqual({
      v: 1,
      stage: 'remember',
      id: expect.stringMatching(/^[0-9a-f]{64}$/) as string,
      createdAt: AT,
      days,
      graph: { base: EMPTY_BASE, lines },
      replay: { base: EMPTY_BASE, edges },
      targets: edges.length === 0 ? [] : [replacedTarget],
      memoryIds: ['m-new'],
    })
    expect(planRemember({ at: AT, ...decided }, ground())).toEqual(plan)
  })

  test.each([
    { name: 'one entry of room', maxEntries: 1, isPlanned: true },
    { name: 'no room', maxEntries: 0, isPlanned: false },
  ])('a lifecycle with $name', ({ maxEntries, isPlanned }) => {
    const state = new ReplayState({ maxEntries, maxBytes: 1_000 })
    const full = ground([], { replay: { base: EMPTY_BASE, state } })
    expect(planRemember({ line: fresh, at: AT, replaced }, full) !== undefined).toBe(isPlanned)
    expect(planRemember({ line: fresh, at: AT, about: 'person:ana' }, full)).toBeDefined() // it needs none
  })
})
