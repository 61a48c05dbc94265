import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  applyDayChanges,
  bulletDigest,
  changeBullet,
  emptyDayDocument,
  formatDayFile,
  newBullet,
  parseDayFile,
  type Bullet,
  type DayChange,
  type DayDocument,
} from '../../src/index.js'

const CREATED = '2026-05-01T09:00:00.000Z'
const bullet = (id: string, sentence = 'Tea.'): Bullet => newBullet({ id, sentence, createdAt: CREATED })
const documentOf = (...items: Bullet[]): DayDocument =>
  applyDayChanges(emptyDayDocument('2026-05-01'), [{ kind: 'add', bullets: items }]).document
const sentencesOf = (document: DayDocument): string[] => document.bullets.map(({ id, sentence }) => `${id} ${sentence}`)

const BASE = bullet('r-1', 'Old.')
const RESULT = changeBullet(BASE, { sentence: 'New.', rev: 'rev-1' })
const SET: DayChange = { kind: 'set', id: 'r-1', baseDigest: bulletDigest(BASE), bullet: RESULT, spareId: 'r-2' }

describe('add', () => {
  const ADD: DayChange = { kind: 'add', bullets: [bullet('r-1'), bullet('r-2')] }
  test.each([
    { name: 'none is there', before: [], status: 'added', ids: ['r-1', 'r-2'], after: ['r-1 Tea.', 'r-2 Tea.'] },
    {
      name: 'others are there',
      before: [bullet('r-0')],
      status: 'added',
      ids: ['r-1', 'r-2'],
      after: ['r-0 Tea.', 'r-1 Tea.', 'r-2 Tea.'],
    },
    {
      name: 'all are there',
      before: [bullet('r-1'), bullet('r-2')],
      status: 'already_applied',
      ids: ['r-1', 'r-2'],
      after: ['r-1 Tea.', 'r-2 Tea.'],
    },
    {
      name: 'a person removed one',
      before: [bullet('r-2')],
      status: 'already_applied',
      ids: ['r-2'],
      after: ['r-2 Tea.'],
    },
    {
      name: 'a person edited one',
      before: [bullet('r-1', 'Coffee.')],
      status: 'already_applied',
      ids: ['r-1'],
      after: ['r-1 Coffee.'],
    },
  ])('$name', ({ before, status, ids, after }) => {
    const { document, outcomes } = applyDayChanges(documentOf(...before), [ADD])
    expect(outcomes).toEqual([{ status, ids }])
    expect(sentencesOf(document)).toEqual(after)
  })

  test.each([
    { name: 'without created', line: '- – Tea.\n  <!--mem id=r-1-->' },
    { name: 'with a sentence that is refused', line: `- – T\u200bea.\n  <!--mem id=r-1 created=${CREATED}-->` },
    { name: 'whose sentence was removed', line: `  <!--mem id=r-1 created=${CREATED}-->` },
  ])('a line $name still holds its id: it was published before', ({ line }) => {
    const document = parseDayFile(Buffer.from(line))
    expect(applyDayChanges(document, [ADD])).toEqual({
      document,
      outcomes: [{ status: 'already_applied', ids: ['r-1'] }],
    })
  })

  test('goes to the end of the file, behind what a person wrote there', () => {
    const text = '# 2026-05-01\n\nMy own note'
    const { document } = applyDayChanges(parseDayFile(Buffer.from(text)), [{ kind: 'add', bullets: [bullet('r-1')] }])
    const written = Buffer.from(formatDayFile(document)).toString()
    expect(written.startsWith(`${text}\n- – Tea.\n`)).toBe(true)
    expect(parseDayFile(Buffer.from(written))).toEqual(document)
  })

  test('an empty add changes nothing; two bullets of one id are a contradiction', () => {
    const document = documentOf(BASE)
    expect(applyDayChanges(document, [{ kind: 'add', bullets: [] }]).document).toBe(document)
    expect(() => applyDayChanges(document, [{ kind: 'add', bullets: [bullet('r-8'), bullet('r-8')] }])).toThrow(
      RangeError,
    )
  })
})

describe('set', () => {
  test.each([
    { name: 'the bullet is as it was', before: [BASE], status: 'replaced', ids: ['r-1'], after: ['r-1 New.'] },
    { name: 'it is ours already', before: [RESULT], status: 'already_applied', ids: ['r-1'], after: ['r-1 New.'] },
    {
      name: 'it is ours, and a person edited it since',
      before: [changeBullet(RESULT, { sentence: 'Theirs.' })],
      status: 'already_applied',
      ids: ['r-1'],
      after: ['r-1 Theirs.'],
    },
    {
      name: 'a person had edited it',
      before: [bullet('r-1', 'Theirs.')],
      status: 'kept_theirs',
      ids: ['r-2'],
      after: ['r-1 Theirs.', 'r-2 New.'],
    },
    {
      name: 'so, and ours was added',
      before: [bullet('r-1', 'Theirs.'), bullet('r-2', 'New.')],
      status: 'already_applied',
      ids: ['r-2'],
      after: ['r-1 Theirs.', 'r-2 New.'],
    },
    { name: 'a person had removed it', before: [], status: 'target_removed', ids: ['r-2'], after: ['r-2 New.'] },
    {
      name: 'so, and ours was added',
      before: [bullet('r-2', 'New.')],
      status: 'already_applied',
      ids: ['r-2'],
      after: ['r-2 New.'],
    },
  ])('$name', ({ before, status, ids, after }) => {
    const { document, outcomes } = applyDayChanges(documentOf(...before), [SET])
    expect(outcomes).toEqual([{ status, ids }])
    expect(sentencesOf(document)).toEqual(after)
  })

  test('keeps the place of the bullet', () => {
    const { document } = applyDayChanges(documentOf(bullet('a'), BASE, bullet('z')), [SET])
    expect(sentencesOf(document)).toEqual(['a Tea.', 'r-1 New.', 'z Tea.'])
  })

  test('a target that a person broke is theirs', () => {
    const document = parseDayFile(Buffer.from(`- – \n  <!--mem id=r-1 created=${CREATED}-->`))
    const { outcomes } = applyDayChanges(document, [SET])
    expect(outcomes).toEqual([{ status: 'kept_theirs', ids: ['r-2'] }])
  })

  test('ours, added beside theirs and broken by a person since, is not added again', () => {
    const document = parseDayFile(Buffer.from(`- – \n  <!--mem id=r-2 created=${CREATED}-->`))
    expect(applyDayChanges(document, [SET]).outcomes).toEqual([{ status: 'already_applied', ids: ['r-2'] }])
  })

  test.each([
    { name: 'without rev', change: { ...SET, bullet: changeBullet(RESULT, { rev: undefined }) } },
    { name: 'of another id', change: { ...SET, bullet: changeBullet(RESULT, { id: 'r-3' }) } },
    { name: 'whose spare id is its own', change: { ...SET, spareId: 'r-1' } },
  ])('$name contradicts itself', ({ change }) => {
    expect(() => applyDayChanges(documentOf(BASE), [change])).toThrow(RangeError)
  })
})

test('numbers lines as the file will have them, problems included', () => {
  const before = parseDayFile(Buffer.from(`- – One.  <!--mem id=a created=${CREATED}-->\n- [ ] by hand\n`))
  const { document } = applyDayChanges(before, [{ kind: 'add', bullets: [bullet('r-1')] }])
  expect(document.problems).toEqual([{ kind: 'missing_identity', line: 3, missing: 'id' }])
  expect(parseDayFile(formatDayFile(document))).toEqual(document)
})

// A naive model: an ordered list of [id, sentence, rev], every rule written out.
interface Row {
  id: string
  sentence: string
  rev?: string
}
type Step =
  | { add: string[]; sentence: string }
  | { set: string; from: string; fromRev: string | undefined; to: string; rev: string }

function model(rows: readonly Row[], step: Step): Row[] {
  if ('add' in step) {
    if (step.add.some((id) => rows.some((row) => row.id === id))) return [...rows]
    return [...rows, ...step.add.map((id) => ({ id, sentence: step.sentence }))]
  }
  const target = rows.find((row) => row.id === step.set)
  const spare = `${step.set}-s-${step.rev}`
  if (rows.some((row) => row.id === spare) || target?.rev === step.rev) return [...rows]
  const ours = { sentence: step.to, rev: step.rev }
  if (target?.sentence === step.from && target.rev === step.fromRev) {
    return rows.map((row) => (row === target ? { id: row.id, ...ours } : row))
  }
  return [...rows, { id: spare, ...ours }]
}

const rowBullet = ({ id, sentence, rev }: Row): Bullet =>
  newBullet({ id, sentence, createdAt: CREATED, ...(rev === undefined ? {} : { rev }) })

function changeOf(step: Step): DayChange {
  if ('add' in step) return { kind: 'add', bullets: step.add.map((id) => rowBullet({ id, sentence: step.sentence })) }
  const base = rowBullet({
    id: step.set,
    sentence: step.from,
    ...(step.fromRev === undefined ? {} : { rev: step.fromRev }),
  })
  return {
    kind: 'set',
    id: step.set,
    baseDigest: bulletDigest(base),
    bullet: rowBullet({ id: step.set, sentence: step.to, rev: step.rev }),
    spareId: `${step.set}-s-${step.rev}`,
  }
}

const ids = fc.constantFrom('a', 'b', 'c', 'd')
const texts = fc.constantFrom('Tea.', 'Milk.', '[x] Tea.')
const revs = fc.constantFrom('v1', 'v2')
const steps: fc.Arbitrary<Step> = fc.oneof(
  fc.record({ add: fc.uniqueArray(ids, { minLength: 1, maxLength: 3 }), sentence: texts }),
  fc.record({ set: ids, from: texts, fromRev: fc.option(revs, { nil: undefined }), to: texts, rev: revs }),
)
/** What a person does to the file in between. */
const edits = fc.oneof(fc.record({ remove: ids }), fc.record({ edit: ids, sentence: texts }))

test('agrees with a naive model under edits in between; every change done twice is done once', () =>
  fc.assert(
    fc.property(
      fc.array(fc.oneof({ arbitrary: steps, weight: 3 }, { arbitrary: edits, weight: 1 }), { maxLength: 12 }),
      (actions) => {
        let rows: Row[] = []
        let document = emptyDayDocument('2026-05-01')
        for (const action of actions) {
          if ('remove' in action) rows = rows.filter(({ id }) => id !== action.remove)
          else if ('edit' in action)
            rows = rows.map((row) => (row.id === action.edit ? { ...row, sentence: action.sentence } : row))
          else {
            rows = model(rows, action)
            const once = applyDayChanges(document, [changeOf(action)])
            const twice = applyDayChanges(once.document, [changeOf(action)])
            expect(twice.document).toBe(once.document)
            document = once.document
          }
          if ('remove' in action || 'edit' in action) document = documentOf(...rows.map(rowBullet))
          expect(document.bullets).toEqual(rows.map(rowBullet))
          document = parseDayFile(formatDayFile(document))
        }
      },
    ),
  ))

test('a batch applied at once is the batch applied one by one', () =>
  fc.assert(
    fc.property(fc.array(steps, { maxLength: 8 }), (batch) => {
      const changes = batch.map(changeOf)
      const together = applyDayChanges(emptyDayDocument('2026-05-01'), changes)
      let single = emptyDayDocument('2026-05-01')
      const outcomes = changes.map((change) => {
        const applied = applyDayChanges(single, [change])
        single = applied.document
        return applied.outcomes[0]
      })
      expect(together).toEqual({ document: single, outcomes })
    }),
  ))
