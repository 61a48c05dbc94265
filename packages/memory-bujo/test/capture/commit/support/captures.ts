import {
  bulletDigest,
  contentHash,
  foldGraph,
  newBullet,
  ReplayState,
  type Bullet,
  type LogBase,
  type NewBulletFields,
} from '@mono-agent/memory-store'
import type { IndexedMemory } from '@mono-agent/memory-search'
import type { CommitGround, DecidedCapture } from '../../../../src/capture/commit/plan-commit.js'
import type { FiledBullet } from '../../../../src/capture/commit/standing-target.js'
import type { AdmittedCapture, AdmittedMemory, CaptureAction, CaptureTurn } from '../../../../src/capture/types.js'

export const TURN_ID = 'ab'.repeat(32)
const PREFIX = `r-${TURN_ID.slice(0, 32)}-`
export const idOf = (n: number): string => `${PREFIX}${n}`
export const revOf = (n: number): string => `${PREFIX}rev${n}`
export const spareOf = (n: number): string => `${PREFIX}${n}s`

export const TODAY = 'daily/2026-05-02.md'
export const YESTERDAY = 'daily/2026-05-01.md'
export const EMPTY_BASE: LogBase = {
  length: 0,
  digest: 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855',
}

export const captureTurn = (more: Partial<CaptureTurn> = {}): CaptureTurn => ({
  id: TURN_ID,
  admittedAt: '2026-05-02T09:00:00.000Z',
  anchor: '2026-05-02T09:00:00.000Z',
  timeZone: 'UTC',
  text: 'What was said.',
  speakerKind: 'human-turn',
  isOwnerTurn: true,
  toolOutcomes: [],
  sourceKind: 'conversation',
  conversationId: 'web:2',
  ...more,
})

export const memory = (index: number, text: string, more: Partial<AdmittedMemory> = {}): AdmittedMemory => ({
  index,
  type: 'note',
  status: 'open',
  text,
  salience: 0.6,
  source: 'user',
  quote: text,
  attribution: 'user-stated',
  entities: [],
  labels: [],
  ...more,
})

/** A line of yesterday's file. */
export const oldBullet = (id: string, sentence: string, more: Partial<NewBulletFields> = {}): Bullet =>
  newBullet({ id, sentence, createdAt: '2026-05-01T09:00:00.000Z', conversationId: 'web:1', ...more })

/** The row that the index has of a line. */
export const indexed = (bullet: Bullet, file = YESTERDAY): IndexedMemory => ({
  id: bullet.id,
  file,
  position: 0,
  text: bullet.sentence,
  type: bullet.type,
  status: bullet.status,
  salience: bullet.salience,
  isInsight: false,
  createdAt: bullet.createdAt,
  contentHash: contentHash(bullet.sentence),
  labels: bullet.labels,
})

export const add = (one: AdmittedMemory, ...threadTo: IndexedMemory[]): CaptureAction => ({
  kind: 'add',
  memory: one,
  threadTo,
})
export const update = (one: AdmittedMemory, target: IndexedMemory, text: string): CaptureAction => ({
  kind: 'update',
  memory: one,
  target,
  text,
})
export const supersede = (one: AdmittedMemory, target: IndexedMemory, text = one.text): CaptureAction => ({
  kind: 'supersede',
  memory: one,
  target,
  text,
})
export const noop = (one: AdmittedMemory, target?: IndexedMemory): CaptureAction => ({
  kind: 'noop',
  memory: one,
  target,
})

export const decided = (
  actions: readonly CaptureAction[],
  capture: Partial<AdmittedCapture> = {},
  turn: Partial<CaptureTurn> = {},
): DecidedCapture => ({
  turn: captureTurn(turn),
  actions,
  capture: { entities: [], relations: [], dropped: {}, ...capture },
})

/** What the store holds: these lines, an empty graph, no lifecycle. */
export const ground = (bullets: readonly Bullet[] = [], more: Partial<CommitGround> = {}): CommitGround => ({
  bullets: new Map(bullets.map((bullet): [string, FiledBullet] => [bullet.id, { file: YESTERDAY, bullet }])),
  graph: { base: EMPTY_BASE, graph: foldGraph([]) },
  replay: { base: EMPTY_BASE, state: new ReplayState() },
  ...more,
})

export const digestOf = bulletDigest
