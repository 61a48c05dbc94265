import { createHash } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import {
  formatBullet,
  OBSERVATION_SALIENCE,
  observationBulletId,
  observationBullets,
  type Observation,
} from '../../src/index.js'

const ID = createHash('sha256').update('run-1').digest('hex')
const OBSERVATION: Observation = {
  id: ID,
  text: 'Morgan prefers green tea.',
  createdAt: '2026-05-01T09:00:00.000Z',
  conversationId: 'web:b1f2',
}

test('a short observation becomes one note under an id derived from its run', () => {
  const bullets = observationBullets({ ...OBSERVATION, occurredAt: '2026-04-30T23:30:00-01:00', speaker: 'Zoë' })
  expect(bullets.map(formatBullet)).toEqual([
    [
      '- – Morgan prefers green tea.',
      `  <!--mem id=r-${ID.slice(0, 32)}-1 type=note status=open salience=${OBSERVATION_SALIENCE} isInsight=0 created=2026-05-01T09:00:00.000Z refs= occurred=2026-05-01T00:30:00.000Z speaker=Zo%C3%AB source_session=web%3Ab1f2-->`,
    ],
  ])
})

test('a long one becomes consecutive notes with ordinals from 1, the same at every replay', () => {
  const text = 'Morgan prefers green tea. '.repeat(200)
  const bullets = observationBullets({ ...OBSERVATION, text })
  expect(bullets.map(({ id }) => id)).toEqual([1, 2, 3].map((ordinal) => `r-${ID.slice(0, 32)}-${ordinal}`))
  expect(bullets.map(({ sentence }) => sentence).join(' ')).toBe(text.trim())
  expect(observationBullets({ ...OBSERVATION, text })).toEqual(bullets)
})

test.each(['', ' \n', '\u200b', '-->'])('%j has no words and becomes nothing', (text) => {
  expect(observationBullets({ ...OBSERVATION, text })).toEqual([])
})

describe('what cannot be written down is unknown', () => {
  test.each([
    { speaker: undefined, written: undefined },
    { speaker: ' Zoë\nB. ', written: 'Zoë B.' },
    { speaker: 'a\u202eb\ud800', written: 'ab' },
    { speaker: 'é'.repeat(64), written: 'é'.repeat(64) },
    { speaker: `${'é'.repeat(63)}ab`, written: `${'é'.repeat(63)}ab` },
    { speaker: `${'é'.repeat(64)}a`, written: undefined },
    { speaker: ' ', written: undefined },
  ])('speaker $speaker', ({ speaker, written }) => {
    const [bullet] = observationBullets({ ...OBSERVATION, ...(speaker === undefined ? {} : { speaker }) })
    expect(bullet?.speaker).toBe(written)
  })

  test.each([
    { conversationId: '', written: undefined },
    { conversationId: 'a b\n%', written: 'a b\n%' },
    { conversationId: 'x'.repeat(511), written: 'x'.repeat(511) },
    { conversationId: 'x'.repeat(512), written: 'x'.repeat(512) },
    { conversationId: 'x'.repeat(513), written: undefined },
    { conversationId: `${'é'.repeat(256)}x`, written: undefined },
    { conversationId: 'a\ud800', written: undefined },
  ])('conversation $conversationId', ({ conversationId, written }) => {
    expect(observationBullets({ ...OBSERVATION, conversationId })[0]?.conversationId).toBe(written)
  })
})

test.each([
  { name: 'a turn id that is none', observation: { id: 'run-1' } },
  { name: 'an admission that is no instant', observation: { createdAt: 'today' } },
  { name: 'a turn’s instant that is none', observation: { occurredAt: '2026-05-01' } },
])('refuses $name', ({ observation }) => {
  expect(() => observationBullets({ ...OBSERVATION, ...observation })).toThrow(RangeError)
})

test.each([0, -1, 1.5])('ordinals count from 1: %d', (ordinal) => {
  expect(() => observationBulletId(ID, ordinal)).toThrow(RangeError)
})
