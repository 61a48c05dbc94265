import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { RecallOutcome } from '../../src/index.js'
import { makeTemporaryRoot } from '../../../../test/support/temporary-root.js'
import { angleEmbeddings } from '../support/angle-embeddings.js'
import { about, openWritten, person, type BulletFields, type Written } from '../support/written-store.js'

/** No two of them, nor any and a floor, are as far apart as the tail or nearer than the tie-breakers. */
const COSINES = [0.9, 0.82, 0.71, 0.58, 0.4]
const HOURS = 24
const at = (hour: number): string => new Date(Date.parse('2026-05-01T00:00:00Z') + hour * 3_600_000).toISOString()

/** One memory of a history: when it was recorded, and the hour at which the next one of its subject took its place. */
const memories = fc.record({
  hour: fc.integer({ min: 0, max: HOURS - 1 }),
  cosine: fc.constantFrom(...COSINES),
  subject: fc.integer({ min: 0, max: 4 }),
  type: fc.constantFrom('note', 'event', 'task' as const),
  isFact: fc.boolean(),
  endHour: fc.option(fc.integer({ min: 0, max: HOURS * 2 }), { nil: undefined }),
})
type Recorded = typeof memories extends fc.Arbitrary<infer T> ? T : never
const histories = fc.record({
  recorded: fc.array(memories, { minLength: 1, maxLength: 14 }),
  asked: fc.integer({ min: 0, max: HOURS }),
})

interface Placed extends Recorded {
  readonly id: string
  readonly sentence: string
  /** The one that took its place. */
  readonly by?: { readonly id: string; readonly hour: number }
}

/** In the order of recording; of one subject and type each takes the place of the one before it. */
function placed(recorded: readonly Recorded[]): Placed[] {
  const ordered = [...recorded]
    .sort((a, b) => a.hour - b.hour)
    .map((one, n) => ({
      ...one,
      id: `m-${String(n).padStart(2, '0')}`,
      sentence: `Subject ${one.subject}, told as ${n}.`,
    }))
  return ordered.map((one, n) => {
    const next = ordered
      .slice(n + 1)
      .find(({ subject, type, hour }) => subject === one.subject && type === one.type && hour > one.hour)
    return next === undefined ? one : { ...one, by: { id: next.id, hour: next.hour } }
  })
}

/** What the files say once all up to an hour has happened. */
function writtenBy(history: readonly Placed[], hour: number): Written {
  const until = history.filter((one) => one.hour <= hour)
  const replaced = until.flatMap(({ id, by }) =>
    by !== undefined && by.hour <= hour ? [{ id, by: by.id, at: at(by.hour) }] : [],
  )
  const isReplaced = new Set(replaced.map(({ id }) => id))
  const bulletOf = ({ id, sentence, type, hour: recorded, subject, isFact, endHour }: Placed): BulletFields => ({
    id,
    sentence,
    type,
    status: type === 'task' && isReplaced.has(id) ? 'invalidated' : 'open',
    createdAt: at(recorded),
    ...(endHour === undefined || type === 'task' ? {} : { dueAt: at(endHour) }),
    labels: isFact
      ? [
          {
            kind: 'fact',
            entityId: `person:p${subject}`,
            key: 'home_location',
            value: { type: 'text', text: `Town ${id}` },
            attribution: 'user-stated',
          },
        ]
      : [],
  })
  const subjects = [...new Set(until.map(({ subject }) => subject))]
  return {
    memories: until.map(bulletOf),
    graph: [
      ...subjects.map((subject) => person(`person:p${subject}`, `Person ${subject}`)),
      ...until.map(({ id, subject }) => about(id, `person:p${subject}`)),
    ],
    supersessions: replaced,
  }
}

/** All of an answer but what the words of the whole store move a little: scores, and so the order of equals. */
const told = ({ hits, mode, evidence, note, sections }: RecallOutcome) => ({
  hits: hits.map(({ score: _score, ...hit }) => hit).sort((a, b) => (a.id < b.id ? -1 : 1)),
  mode,
  evidence,
  note,
  sections,
})

test('asOf answers what a store of the history up to then answers (REC-9)', async () => {
  await fc.assert(
    fc.asyncProperty(histories, async ({ recorded, asked }) => {
      const history = placed(recorded)
      const cosineOf = new Map(history.map(({ sentence, cosine }) => [sentence, cosine]))
      const embeddings = angleEmbeddings((text) => cosineOf.get(text) ?? 0.1)
      const now = Date.parse(at(asked))
      const whole = await openWritten(makeTemporaryRoot(), writtenBy(history, HOURS), embeddings)
      const then = await openWritten(makeTemporaryRoot(), writtenBy(history, asked), embeddings, { now: () => now })
      for (const query of ['What of Person 1?', 'anything else']) {
        const options = { limit: 50 }
        const answer = await whole.recallWithOutcome(query, { ...options, asOf: at(asked) })
        expect(told(answer)).toEqual(told(await then.recallWithOutcome(query, options)))
      }
      await whole.close()
      await then.close()
    }),
    { numRuns: 30 },
  )
})
