import type { MemoryLabel } from '@mono-agent/memory-store'
import Database from 'better-sqlite3'
import { analyze } from '../../src/query/analyzer.js'
import { memoryTags } from '../../src/query/tags.js'
import { loadVectorFunctions, type Connection } from '../../src/sqlite/connection.js'
import { databaseOf } from '../support/dump.js'
import { bullet, makeRoot } from '../support/roots.js'
import { DAY } from '../support/scenario.js'
import { build, hashVector } from '../support/vectors.js'

/** A memory as a naive model of a candidate source sees it. */
export interface Modelled {
  readonly row: number
  readonly id: string
  /** Tokens of its sentence, of the one and the two before it, and its tags. */
  readonly columns: readonly (readonly string[])[]
  readonly vector: Float32Array | undefined
  readonly createdAt: string
  readonly conversationId: string | undefined
  readonly kind: 'preference' | 'lesson' | undefined
  readonly entities: readonly string[]
  readonly before: number | undefined
}

export interface ContractStore {
  readonly db: Connection
  /** Of what can be found, in the order of the file. */
  readonly memories: readonly Modelled[]
  /** Rows that are in the index and cannot be found. */
  readonly hidden: readonly number[]
  free(): void
}

const WORDS = ['tea', 'green', 'pottery', 'marathon', 'paint', 'c++', '猫']
const SPEAKERS = [undefined, 'Ana', 'Bob Marsh'] as const
const CONVERSATIONS = [undefined, 'c-1', 'c-2', 'c-1#2026-05-02'] as const
const ENTITIES = ['person:ana', 'org:tea'] as const
const KINDS = [undefined, undefined, undefined, 'preference', 'lesson'] as const
const LABELS: Readonly<Record<'preference' | 'lesson', MemoryLabel>> = {
  preference: { kind: 'preference', scope: 'agent', attribution: 'user-stated' },
  lesson: { kind: 'lesson', scope: 'agent', verified: true },
}

/** Records of equal words and vectors: more than any list of candidates holds. */
export const EQUALS = 230
export const EQUAL_SENTENCE = 'Good night, everyone.'
const VARIED = 150

/** By bits of its number; ids fall where rows rise, so that neither order can pass for the other. */
const plans = Array.from({ length: VARIED + EQUALS }, (_, at) => {
  const isVaried = at < VARIED
  const words = WORDS.filter((_word, bit) => ((at * 5 + 1) >> bit) % 2 === 1)
  return {
    id: `m-${String(999 - at)}`,
    sentence: isVaried ? `x${at} ${words.join(' ')}`.trim() : EQUAL_SENTENCE,
    // Several of one instant, so that their place in the file decides which comes before.
    createdAt: new Date(Date.UTC(2026, 4, 1, 9, Math.floor(at / 3))).toISOString(),
    conversationId: isVaried ? CONVERSATIONS[at % CONVERSATIONS.length] : undefined,
    speaker: isVaried ? SPEAKERS[at % SPEAKERS.length] : undefined,
    kind: KINDS[at % KINDS.length],
    entities: ENTITIES.filter((_entity, bit) => at % (bit + 3) === 0),
    isHidden: at % 31 === 30,
    hasVector: at % 17 !== 16,
  }
})

/** A store with vectors whose every memory is known; of a suite, which frees it. */
export async function contractStore(): Promise<ContractStore> {
  const root = await makeRoot()
  root.write(
    DAY,
    plans.map(({ id, sentence, createdAt, conversationId, speaker, kind, isHidden }) =>
      bullet({
        id,
        sentence,
        createdAt,
        status: isHidden ? 'dropped' : 'open',
        ...(conversationId === undefined ? {} : { conversationId }),
        ...(speaker === undefined ? {} : { speaker }),
        ...(kind === undefined ? {} : { labels: [LABELS[kind]] }),
      }),
    ),
  )
  await build(root)
  const db = new Database(databaseOf(root.path))
  loadVectorFunctions(db)
  const rowOf = new Map(
    db
      .prepare<[], [string, number]>('select id, row from memories')
      .raw()
      .all()
      .map(([id, row]) => [id, row] as const),
  )
  const row = (id: string): number => rowOf.get(id) ?? NaN
  const associate = db.prepare(`insert into associations values (?, ?, 'test', '2026-05-01T00:00:00.000Z')`)
  for (const { id, entities } of plans) for (const entity of entities) associate.run(entity, id)
  const wait = db.prepare('delete from memory_vectors where row = ?')
  for (const { id, hasVector } of plans) if (!hasVector) wait.run(row(id))
  return {
    db,
    memories: modelled(row),
    hidden: plans.flatMap(({ id, isHidden }) => (isHidden ? [row(id)] : [])),
    free() {
      db.close()
      root.free()
    },
  }
}

function modelled(rowOf: (id: string) => number): Modelled[] {
  const found = plans.filter(({ isHidden }) => !isHidden)
  return found.map((plan, at) => {
    const { id, sentence, createdAt, conversationId, speaker, kind, entities, hasVector } = plan
    const earlier = found
      .slice(0, at)
      .filter((other) => conversationId !== undefined && other.conversationId === conversationId)
      .reverse()
    return {
      row: rowOf(id),
      id,
      columns: [
        analyze(sentence),
        analyze(earlier[0]?.sentence ?? ''),
        analyze(earlier[1]?.sentence ?? ''),
        memoryTags({ createdAt, conversationId, speaker }),
      ],
      vector: hasVector ? hashVector(sentence) : undefined,
      createdAt,
      conversationId,
      kind,
      entities,
      before: earlier[0] === undefined ? undefined : rowOf(earlier[0].id),
    }
  })
}
