import type { IndexedMemory } from '@mono-agent/memory-search'
import { describe, expect, test } from 'vitest'
import { toHit } from '../../src/recall/to-hit.js'
import { factOf, hitOf, text, vantageAt } from './support/rows.js'

const NOW = vantageAt('2026-05-01T12:00:00Z')
const of = (fields: Partial<IndexedMemory>, tier: 'lite' | 'journal' | 'bujo' = 'bujo') =>
  toHit(hitOf(0.8, fields), NOW, tier)

describe('a ranked memory as callers see it (REC-1)', () => {
  test('says what is known, and nothing of what is not', () => {
    expect(of({})).toEqual({
      id: 'm1',
      score: 0.8,
      text: 'Ana lives in Lund.',
      type: 'note',
      status: 'open',
      createdAt: '2026-05-01T09:00:00.000Z',
      currentness: 'current',
      source: { file: 'daily/2026-05-01.md' },
    })
    const labels = [factOf('home_location', text('Lund'), { validFrom: '2026-01-01', validTo: '2026-04-30' })]
    expect(
      of({ labels, occurredAt: '2026-04-01T00:00:00.000Z', dueAt: '2026-06-01', conversationId: 'c', speaker: 'Ana' }),
    ).toMatchObject({
      occurredAt: '2026-04-01T00:00:00.000Z',
      validFrom: '2026-01-01',
      validTo: '2026-04-30',
      dueAt: '2026-06-01',
      currentness: 'ended',
      endedOn: '2026-04-30',
      attribution: 'user-stated',
      source: { conversationId: 'c', speaker: 'Ana', file: 'daily/2026-05-01.md' },
    })
  })

  test.each([
    ['lite', {}, undefined],
    ['journal', {}, undefined],
    ['bujo', {}, 'current'],
    ['lite', { type: 'event', dueAt: '2026-04-30' }, 'ended'],
    ['journal', { type: 'event', dueAt: '2026-04-30' }, 'ended'],
    ['bujo', { type: 'event', dueAt: '2026-04-30' }, 'ended'],
    ['bujo', { supersededBy: 'm2' }, 'superseded'],
    ['journal', { status: 'invalidated' }, 'superseded'],
  ] as const)('%s %j is %s (REC-4)', (tier, fields, currentness) => {
    expect(of(fields, tier).currentness).toBe(currentness)
  })

  test.each<[string, Partial<IndexedMemory>, string | undefined]>([
    ['its line', { attribution: 'document', labels: [factOf('full_name', text('x'))] }, 'document'],
    ['labels that agree', { labels: [factOf('full_name', text('x')), factOf('other:a', text('y'))] }, 'user-stated'],
    [
      'labels that differ',
      { labels: [factOf('full_name', text('x')), factOf('other:a', text('y'), { attribution: 'document' })] },
      undefined,
    ],
    ['a lesson alone', { labels: [{ kind: 'lesson', scope: 'agent', verified: true }] }, undefined],
  ])('attribution by %s', (_name, fields, attribution) => {
    expect(of(fields).attribution).toBe(attribution)
  })
})

describe('explained (REC-10)', () => {
  const HEX = '0123456789abcdef0123456789abcdef'
  test.each([
    [`r-${HEX}-1`, HEX],
    [`r-${HEX}-12s`, HEX],
    [`r-${HEX.toUpperCase()}-1`, undefined],
    [`r-${HEX}0-1`, undefined],
    ['01J00000000000000000000000', undefined],
  ])('the turn of %s', (id, turn) => {
    const { provenance, explanation } = toHit(hitOf(0.8, { id, conversationId: 'c' }), NOW, 'bujo', { explain: true })
    expect(explanation).toEqual({ semantic: 0.8, lexical: 0, actor: 0, time: 0, question: 0 })
    expect(provenance).toEqual({
      ...(turn === undefined ? {} : { turn }),
      conversationId: 'c',
      file: 'daily/2026-05-01.md',
    })
  })

  test('with the chain it is given; nothing of it unless asked', () => {
    const chain = [{ id: 'm0', supersededAt: '2026-05-01T09:00:00.000Z' }, { id: 'm1' }]
    expect(toHit(hitOf(0.8), NOW, 'bujo', { explain: true, chain }).provenance?.chain).toBe(chain)
    const plain = toHit(hitOf(0.8), NOW, 'bujo', { chain })
    expect(plain).not.toHaveProperty('provenance')
    expect(plain).not.toHaveProperty('explanation')
  })
})
