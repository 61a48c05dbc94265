import fc from 'fast-check'
import {
  checkSentence,
  newBullet,
  type Bullet,
  type BulletFields,
  type MemoryLabel,
  type NewBulletFields,
} from '../../src/index.js'

/** Pieces that have broken formats before: markers, separators, comments, scripts without spaces, joiners, directions. */
const PIECES = [
  'tea',
  'Ana’s',
  '[x]',
  '[ ]',
  '–',
  '◦',
  '-',
  '*',
  '#',
  '<!--',
  '-- >',
  '--',
  'id=r-1-1',
  '猫が好き',
  'しりとり',
  'กาแฟ',
  'سلام‌علیکم',
  'नमस्ते',
  '👩‍👩‍👧‍👦',
  '❤️',
  '🏴󠁧󠁢󠁥󠁮󠁧󠁿',
  'e\u0301',
  '50%',
  'a=b',
  '.',
  '。',
]

export const sentences: fc.Arbitrary<string> = fc
  .oneof(
    fc.array(fc.constantFrom(...PIECES), { minLength: 1, maxLength: 12 }).map((pieces) => pieces.join(' ')),
    fc.array(fc.constantFrom(...PIECES), { minLength: 1, maxLength: 12 }).map((pieces) => pieces.join('')),
    fc.string({ unit: 'binary', minLength: 1, maxLength: 60 }),
    fc.string({ unit: 'grapheme', minLength: 1, maxLength: 60 }),
  )
  .filter((text) => checkSentence(text) === undefined)

const instants = fc
  .date({ min: new Date('0001-01-01T00:00:00Z'), max: new Date('9998-12-31T00:00:00Z'), noInvalidDate: true })
  .map((date) => date.toISOString())
const days = instants.map((instant) => instant.slice(0, 10))
const tokens = fc.stringMatching(/^[a-z0-9][a-z0-9:._-]{0,30}$/)
const names = sentences.filter((text) => Buffer.byteLength(text) <= 128)
const attributions = fc.constantFrom('user-stated', 'document', 'assistant-inferred', 'unknown')

const factTexts = sentences.filter((text) => [...text].length <= 160)
const scopes = fc.constantFrom('agent', 'user:u-1', 'project:memory-store', 'conversation:web:1 / 猫')
const factValues = fc.constantFrom(
  { key: 'birth_date', value: { type: 'date', date: '1990-02-28' } },
  { key: 'home_location', value: { type: 'entity', entityId: 'place:lisboa' } },
  { key: 'relationship', value: { type: 'relationship', role: 'sister', target: 'Ana' } },
)
export const labels = fc.oneof(
  fc.record({ kind: fc.constant('preference'), scope: scopes, attribution: attributions }),
  fc.record({ kind: fc.constant('lesson'), scope: scopes, verified: fc.boolean() }),
  fc.record({ kind: fc.constant('fact'), entityId: fc.constant('person:ana'), attribution: attributions }),
  fc.tuple(factTexts, attributions, days).map(([text, attribution, validFrom]) => ({
    ...{ kind: 'fact', entityId: 'person:zoë', key: 'other:favourite-tea', value: { type: 'text', text } },
    ...{ attribution, validFrom },
  })),
  fc
    .tuple(factValues, attributions)
    .map(([value, attribution]) => ({ kind: 'fact', entityId: 'person:ana', ...value, attribution })),
) as fc.Arbitrary<MemoryLabel>

const optionalFields = fc.record(
  {
    dueAt: fc.oneof(days, instants),
    occurredAt: instants,
    speaker: names,
    attribution: attributions,
    replaceable: fc.boolean(),
    rev: tokens,
    contentId: fc.stringMatching(/^[0-9a-f]{64}$/),
    conversationId: fc.string({ unit: 'grapheme', minLength: 1, maxLength: 100 }),
  },
  { requiredKeys: [] },
) as fc.Arbitrary<Partial<BulletFields>>

export const bulletFields: fc.Arbitrary<NewBulletFields> = fc
  .tuple(
    fc.record({
      id: tokens,
      sentence: sentences,
      type: fc.constantFrom('note', 'event', 'task'),
      status: fc.constantFrom('open', 'done', 'migrated', 'scheduled', 'dropped', 'invalidated'),
      salience: fc.integer({ min: 0, max: 10_000 }).map((value) => value / 10_000),
      isInsight: fc.boolean(),
      createdAt: instants,
      refs: fc.array(tokens, { maxLength: 3 }),
      labels: fc.uniqueArray(labels, { maxLength: 3, selector: (label) => JSON.stringify(label) }),
    }),
    optionalFields,
  )
  .map(([required, optional]) => ({ ...required, ...optional }))

export const bullets: fc.Arbitrary<Bullet> = bulletFields.map(newBullet)
