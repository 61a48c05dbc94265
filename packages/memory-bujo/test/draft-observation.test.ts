import type { PendingTurn } from '@mono-agent/memory-intake'
import { observationBullets } from '@mono-agent/memory-store'
import { expect, test } from 'vitest'
import { draftObservation } from '../src/projection/draft-observation.js'
import { turnsOfLoop } from './support/turns-of-loop.js'

const BYTES = 600_000
const ID = '5e'.repeat(32)
const ADMITTED_AT = '2026-05-01T08:00:00.000Z'

const pending = (summary: string): PendingTurn => ({
  id: ID,
  order: 1,
  admittedAt: ADMITTED_AT,
  attempts: 0,
  turn: { runId: 'run', conversationId: 'chat', summary },
})

test.each(['word and. ', '猫', 'กาแฟ', 'a!b? ', 'a\n', 'a\u200b'])(
  '600 KB of "%s" are drafted in parts: the same notes, and the event loop has its turns',
  async (piece) => {
    const summary = piece.repeat(Math.ceil(BYTES / Buffer.byteLength(piece)))
    const { result, turns } = await turnsOfLoop(() => draftObservation(pending(summary)))
    const { bullets } = result
    expect(bullets).toEqual(
      observationBullets({ id: ID, text: summary, createdAt: ADMITTED_AT, conversationId: 'chat' }),
    )
    // One a note at least: splitting is the longest part of the work.
    expect(turns).toBeGreaterThan(bullets.length)
  },
)

test.each([
  {
    name: 'broken apart by what is taken out',
    summary: ['ghp_wWPw5k4aXcaT4fNP', '0UcnZwJUVFk6LO0pINUx'].join('\u200b'),
  },
  {
    name: 'after white space of every kind',
    summary: ['\u00a0 \n\tghp_wWPw5k4aXcaT4fNP', '0UcnZwJUVFk6LO0pINUx'].join(''),
  },
])('a credential $name is redacted', async ({ summary }) => {
  const draft = await draftObservation(pending(summary))
  expect(draft.redacted).toBe(1)
  expect(draft.bullets.map(({ sentence }) => sentence)).toEqual(['[credential redacted]'])
})
