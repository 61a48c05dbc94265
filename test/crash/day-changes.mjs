import { createHash } from 'node:crypto'
import { observationBullets } from '../../packages/memory-store/dist/index.js'
import { turnOf } from './turns.mjs'

/** The batch that projects one turn. */
export function batchOf(runId) {
  const { summary, conversationId, occurredAt = '2026-05-01T09:00:00.000Z' } = turnOf(runId)
  const id = createHash('sha256').update(runId).digest('hex')
  const bullets = observationBullets({
    id,
    text: summary,
    createdAt: '2026-05-01T09:00:00.000Z',
    conversationId,
    occurredAt,
  })
  return { file: `daily/${occurredAt.slice(0, 10)}.md`, changes: [{ kind: 'add', bullets }] }
}
