import fc from 'fast-check'
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { describe, expect, test } from 'vitest'
import { bulletDigest, changeBullet, sha256Hex, type DayChange, type GraphLine } from '@mono-agent/memory-store'
import { sealJson } from '@mono-agent/memory-intake'
import { bullets } from '../../../../memory-store/test/format/arbitraries.js'
import { planCommit } from '../../../src/capture/commit/plan-commit.js'
import { planRemember } from '../../../src/capture/commit/plan-remember.js'
import { authorityDigest, formatPlan, parsePlan } from '../../../src/capture/commit/plan-format.js'
import type {
  CommitPlan,
  OutboxPlan,
  PlannedEdge,
  RememberPlan,
  RetainedPlan,
} from '../../../src/capture/commit/plan-types.js'
import { add, decided, ground, indexed, memory, oldBullet, supersede, TURN_ID, update } from './support/captures.js'

// Plans of this format wait in people's homes: what is pinned here may be added to, and never changed.
const golden = (name: string): Buffer => readFileSync(fileURLToPath(new URL(`golden/${name}.json`, import.meta.url)))

const [note, task] = [oldBullet('m-a', 'Ana lives in Porto.'), oldBullet('m-b', 'Call Ana.', { type: 'task' })]
const commit: CommitPlan = planCommit(
  decided(
    [
      add(
        memory(0, 'Ana moved — to Lisbon.', {
          entities: ['person:ana'],
          labels: [{ kind: 'preference', scope: 'agent', attribution: 'user-stated' }],
        }),
        indexed(note),
      ),
      update(memory(1, 'x', { entities: ['person:owner'] }), indexed(note), 'Ana lived in Porto.'),
      supersede(memory(2, 'Ana was called.'), indexed(task)),
    ],
    {
      entities: [{ id: 'person:ana', name: 'Ana', type: 'person', summary: 'A friend.' }],
      relations: [{ src: 'person:owner', relation: 'knows', dst: 'person:ana', memories: [0, 1] }],
      dropped: { assistant_floor: 2, review: 1 },
    },
  ),
  ground([note, task]),
)

const retained: RetainedPlan = {
  v: 1,
  stage: 'retained',
  id: TURN_ID,
  retainedAt: '2026-05-02T09:00:05.000Z',
  extraction: {
    memories: [
      {
        type: 'task',
        text: 'Ana likes “green” tea.',
        salience: 0.7,
        source: 'user',
        quote: 'green',
        entities: ['person:ana'],
        labels: [
          {
            kind: 'fact',
            entity: 'person:ana',
            key: 'other:tea',
            value: { type: 'text', text: 'green' },
            quote: 'green',
            validFrom: '2026-05-01',
          },
          { kind: 'preference', scope: 'sender', quote: 'likes' },
          { kind: 'lesson', scope: 'project:memory', tool: 'shell', quote: 'q' },
        ],
        due: '2026-05-03',
        validTo: '2026-06-01',
        intentState: 'planned',
      },
      { type: 'note', text: 'Of an older release.', salience: 0, quote: '', entities: [], labels: [] },
    ],
    entities: [{ id: 'person:ana', name: 'Ana', type: 'person' }],
    relations: [{ src: 'person:ana', relation: 'likes', dst: 'drink:tea', memories: [0] }],
  },
  review: [{ index: 0, action: 'preference' }],
}

const remembered = planRemember(
  {
    line: {
      file: 'daily/2026-05-02.md',
      bullet: oldBullet('m-1', 'Ana moved “again”.', { attribution: 'assistant-inferred', replaceable: true }),
    },
    at: '2026-05-02T09:00:00.000Z',
    about: 'person:ana',
    replaced: { file: 'daily/2026-05-01.md', bullet: note },
  },
  ground([note]),
) as RememberPlan

describe('pinned', () => {
  test.each([
    { name: 'commit', plan: commit },
    { name: 'retained', plan: retained },
    { name: 'remember', plan: remembered },
  ])('$name', ({ name, plan }) => {
    expect(Buffer.from(formatPlan(plan)).toString()).toBe(golden(name).toString())
    expect(parsePlan(golden(name))).toEqual(plan)
  })

  test('the authority of a plan is the checksum that its file begins with', () => {
    expect(golden('commit').toString().slice(0, 78)).toBe(`{"checksum":"${authorityDigest(commit)}"`)
  })
})

const tokens = fc.stringMatching(/^[a-z0-9][a-z0-9:._-]{0,30}$/)
const digests = fc.string({ maxLength: 8 }).map((text) => sha256Hex(text))
const bases = fc.record({ length: fc.nat(), digest: digests })
const at = '2026-05-02T09:00:00.000Z'
const changes: fc.Arbitrary<DayChange> = fc.oneof(
  fc
    .uniqueArray(bullets, { minLength: 1, maxLength: 3, selector: ({ id }) => id })
    .map((all): DayChange => ({ kind: 'add', bullets: all })),
  fc.record({ bullet: bullets, rev: tokens, spareId: tokens }).map(({ bullet, rev, spareId }): DayChange => ({
    kind: 'set',
    id: bullet.id,
    baseDigest: bulletDigest(bullet),
    bullet: changeBullet(bullet, { rev }),
    spareId,
  })),
)
const graphLines: fc.Arbitrary<GraphLine> = fc.oneof(
  fc.record({ memoryId: tokens }).map(({ memoryId }): GraphLine => ({
    kind: 'association',
    memoryId,
    entityId: 'person:ana',
    provenance: 'document',
    createdAt: at,
  })),
  fc.uniqueArray(tokens, { minLength: 1, maxLength: 4 }).map((support): GraphLine => ({
    kind: 'relation',
    src: 'a:b',
    dst: 'c:d',
    relation: 'kennt über',
    createdAt: at,
    support: support.sort(),
  })),
  fc.constant<GraphLine>({ kind: 'entity', id: 'person:ana', name: '猫 “Ana”', type: 'person', createdAt: at }),
)
const edges: fc.Arbitrary<PlannedEdge> = fc.oneof(
  fc.record({
    kind: fc.constant('thread' as const),
    from: tokens,
    to: tokens,
    weight: fc.double({ min: 0, max: 1, noNaN: true }).map(Math.abs),
    at: fc.constant(at),
  }),
  fc.record({ kind: fc.constant('supersede' as const), id: tokens, by: tokens, at: fc.constant(at) }),
)
const commits: fc.Arbitrary<CommitPlan> = fc.record({
  v: fc.constant(1 as const),
  stage: fc.constant('commit' as const),
  id: digests,
  createdAt: fc.constant(at),
  days: fc.array(
    fc.record({
      file: fc.constantFrom('daily/2026-05-01.md', '2026-05-02.md'),
      changes: fc.array(changes, { minLength: 1, maxLength: 3 }),
    }),
    { maxLength: 3 },
  ),
  graph: fc.record({ base: bases, lines: fc.array(graphLines, { maxLength: 4 }) }),
  replay: fc.record({ base: bases, edges: fc.array(edges, { maxLength: 4 }) }),
  targets: fc.array(fc.record({ id: tokens, file: fc.constant('daily/2026-05-01.md'), digest: digests }), {
    maxLength: 2,
  }),
  memoryIds: fc.array(tokens, { maxLength: 4 }),
  dropped: fc.constantFrom({}, { echo: 1 }, { replay_full: 2, edge_limit: 1 }),
})

/** The same lines, as a Remember would write them. */
const ofRemember = ({ dropped: _dropped, ...plan }: CommitPlan): RememberPlan => ({ ...plan, stage: 'remember' })

test('a formatted plan parses back the same', () => {
  fc.assert(
    fc.property(commits, (plan) => {
      expect(parsePlan(formatPlan(plan))).toEqual(plan)
      expect(parsePlan(formatPlan(ofRemember(plan)))).toEqual(ofRemember(plan))
    }),
    { numRuns: 200 },
  )
})

test('any one bit that flips is told', () => {
  fc.assert(
    fc.property(
      fc.constantFrom<OutboxPlan>(commit, retained, remembered),
      fc.nat(),
      fc.integer({ min: 0, max: 7 }),
      (plan: OutboxPlan, at_, bit) => {
        const bytes = Uint8Array.from(formatPlan(plan))
        const place = at_ % bytes.length
        bytes[place] = (bytes[place] ?? 0) ^ (1 << bit)
        expect(parsePlan(bytes)).toBeUndefined()
      },
    ),
  )
})

describe('refused, although the checksum is right', () => {
  const written = (name: string): Record<string, unknown> => {
    const { checksum: _checksum, ...plan } = JSON.parse(golden(name).toString()) as Record<string, unknown>
    return plan
  }
  const lines = (change: (bullet: string[]) => string[]) => {
    const plan = written('commit') as { days: { changes: { bullets?: string[][] }[] }[] }
    for (const day of plan.days)
      for (const one of day.changes) if (one.bullets !== undefined) one.bullets = one.bullets.map(change)
    return plan
  }
  test.each([
    { name: 'another version', plan: { ...written('commit'), v: 2 } },
    { name: 'another stage', plan: { ...written('commit'), stage: 'done' } },
    { name: 'a field too many', plan: { ...written('commit'), extra: 1 } },
    {
      name: 'a field too few',
      plan: Object.fromEntries(Object.entries(written('commit')).filter(([key]) => key !== 'targets')),
    },
    { name: 'an id that is no digest', plan: { ...written('commit'), id: 'x' } },
    { name: 'a Remember that counts what was dropped', plan: { ...written('remember'), dropped: {} } },
    { name: 'a Remember without an instant', plan: { ...written('remember'), createdAt: undefined } },
    {
      name: 'a day file that is none',
      plan: { ...written('commit'), days: [{ file: '../x.md', changes: [{ kind: 'add', bullets: [['- – a', '']] }] }] },
    },
    { name: 'a reason that nobody counts', plan: { ...written('commit'), dropped: { other: 1 } } },
    { name: 'a bullet that is none', plan: lines(([, ...rest]) => ['prose', ...rest]) },
    { name: 'a bullet in another spelling', plan: lines(([sentence, ...rest]) => [`${sentence} `, ...rest]) },
    {
      name: 'metadata in another spelling',
      plan: lines(([sentence, metadata = '']) => [sentence ?? '', ` ${metadata}`]),
    },
    {
      name: 'a graph line that is none',
      plan: {
        ...written('commit'),
        graph: { base: { length: 0, digest: 'a'.repeat(64) }, lines: [{ kind: 'entity', id: 'no id' }] },
      },
    },
    { name: 'an instant with an offset', plan: { ...written('retained'), retainedAt: '2026-05-02T09:00:05+00:00' } },
    {
      name: 'a salience above 1',
      plan: {
        ...written('retained'),
        extraction: {
          entities: [],
          relations: [],
          memories: [{ type: 'note', text: 'a', salience: 1.1, quote: 'a', entities: [], labels: [] }],
        },
      },
    },
    {
      name: 'a review that decides something else',
      plan: { ...written('retained'), review: [{ index: 0, action: 'rewrite' }] },
    },
  ])('$name', ({ plan }) => {
    expect(parsePlan(sealJson(plan))).toBeUndefined()
  })

  test.each(['commit', 'retained', 'remember'])(
    '%s as it is pinned is accepted: the cases above fail for what they change',
    (name) => {
      expect(parsePlan(sealJson(written(name)))).toBeDefined()
    },
  )
})
