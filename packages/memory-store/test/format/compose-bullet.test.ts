import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  changeBullet,
  formatBullet,
  newBullet,
  parseBullet,
  StoreError,
  type Bullet,
  type MemoryLabel,
} from '../../src/index.js'
import { bulletFields, bullets } from './arbitraries.js'

const CREATED = '2026-05-01T09:00:00.000Z'
const FIELDS = { id: 'r-1-1', sentence: 'Tea.', createdAt: CREATED }
const PREFERENCE: MemoryLabel = { kind: 'preference', scope: 'agent', attribution: 'user-stated' }
const LESSON: MemoryLabel = { kind: 'lesson', scope: 'agent', verified: true }
const oldLabel = `label:v1:${Buffer.from('{"attribution":"user-stated","kind":"preference","scope":"agent","v":1}').toString('base64url')}`

function read(metadataLine: string, labelLines: string[] = [], sentenceLine = '- – Tea.'): Bullet {
  const parsed = parseBullet(sentenceLine, metadataLine, labelLines)
  if (parsed.kind !== 'bullet') throw new Error(`expected a bullet, read ${parsed.kind}`)
  return parsed.bullet
}

describe('newBullet', () => {
  test('what is not said is a note, open, of middling salience', () => {
    expect(newBullet(FIELDS)).toMatchObject({
      type: 'note',
      status: 'open',
      salience: 0.5,
      isInsight: false,
      refs: [],
      labels: [],
    })
  })

  test.each([
    { name: 'an id with a space', fields: { id: 'r 1' } },
    { name: 'an id that ends the comment', fields: { id: 'r-->' } },
    { name: 'an id of 201 characters', fields: { id: 'r'.repeat(201) } },
    { name: 'an empty id', fields: { id: '' } },
    { name: 'a created that is no instant', fields: { createdAt: '2026-05-01' } },
    { name: 'a salience below 0', fields: { salience: -0.1 } },
    { name: 'a salience above 1', fields: { salience: 1.1 } },
    { name: 'a salience that is no number', fields: { salience: NaN } },
    { name: 'a speaker of 129 bytes', fields: { speaker: 'a'.repeat(129) } },
    { name: 'a speaker on two lines', fields: { speaker: 'a\nb' } },
    { name: 'a conversation of 513 bytes', fields: { conversationId: 'a'.repeat(513) } },
    { name: 'a conversation with half a surrogate pair', fields: { conversationId: '\ud800' } },
    { name: 'a content identity of 63 digits', fields: { contentId: 'a'.repeat(63) } },
    { name: 'a content identity in capitals', fields: { contentId: 'A'.repeat(64) } },
    { name: 'a ref with a comma', fields: { refs: ['a,b'] } },
    { name: 'an empty ref', fields: { refs: [''] } },
    { name: 'nine labels', fields: { labels: Array<MemoryLabel>(9).fill(PREFERENCE) } },
    { name: 'a label outside the schema', fields: { labels: [{ ...PREFERENCE, scope: 'nobody' as 'agent' }] } },
  ])('refuses $name', ({ fields }) => {
    expect(() => newBullet({ ...FIELDS, ...fields })).toThrow(RangeError)
  })

  test.each(['', 'a\nb', 'a --> b', ' a', 'a'.repeat(2049)])('refuses a sentence that is none: %j', (sentence) => {
    expect(() => newBullet({ ...FIELDS, sentence })).toThrow(StoreError)
    expect(() => changeBullet(newBullet(FIELDS), { sentence })).toThrow(
      expect.objectContaining({ code: 'sentence_invalid' }),
    )
  })

  test.each([
    { id: 'r'.repeat(200) },
    { speaker: 'a'.repeat(128) },
    { conversationId: 'a'.repeat(512) },
    { contentId: 'f'.repeat(64) },
    { sentence: 'a'.repeat(2048) },
    {
      labels: ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h'].map((slug): MemoryLabel => ({
        ...LESSON,
        scope: `project:${slug}`,
      })),
    },
  ])('takes what is just within bounds', (fields) => {
    expect(newBullet({ ...FIELDS, ...fields })).toMatchObject(fields)
  })
})

describe('changeBullet', () => {
  const META = `  <!--mem new=1 id=r-1-1 status=open created=2026-05-01T11:00:00+02:00 due=soon zeta=2 rev=a rev=b-->`

  test.each([
    {
      name: 'a value in place',
      changes: { status: 'done' },
      metadata: META.replace('status=open', 'status=done'),
    },
    {
      name: 'a malformed value',
      changes: { dueAt: '2026-06-01' },
      metadata: META.replace('due=soon', 'due=2026-06-01'),
    },
    { name: 'a duplicated value', changes: { rev: 'c' }, metadata: META.replace('rev=a rev=b', 'rev=c') },
    {
      name: 'a value that was not there',
      changes: { speaker: 'Ana' },
      metadata: META.replace('due=soon', 'due=soon speaker=Ana'),
    },
    { name: 'a value to be removed', changes: { dueAt: undefined }, metadata: META.replace(' due=soon', '') },
    { name: 'another spelling of what is there', changes: { createdAt: CREATED }, metadata: META },
    { name: 'nothing', changes: {}, metadata: META },
  ] as const)('changes $name and keeps all else in its place', ({ changes, metadata }) => {
    expect(formatBullet(changeBullet(read(META), changes))[1]).toBe(metadata)
  })

  test('the type that only a marker said survives a change of the marker', () => {
    const event = read(`  <!--mem id=r-1-1 created=${CREATED}-->`, [], '- ◦ Tea.')
    const [sentenceLine, metadataLine] = formatBullet(changeBullet(event, { status: 'done' }))
    expect(read(metadataLine as string, [], sentenceLine)).toMatchObject({ type: 'event', status: 'done' })
  })

  test('new labels take the place of readable ones, old form included; unreadable ones stay', () => {
    const strange = '  <!--label {"kind":"mood","v":2}-->'
    const bullet = read(`  <!--mem id=r-1-1 created=${CREATED} refs=r-9,${oldLabel},label:v9:x-->`, [strange])
    expect(bullet.labels).toEqual([PREFERENCE])
    const changed = changeBullet(bullet, { labels: [LESSON] })
    expect(changed.labels).toEqual([LESSON])
    expect(changed.refs).toEqual(['r-9', 'label:v9:x'])
    expect(changed.labelLines).toEqual([
      strange,
      '  <!--label {"kind":"lesson","scope":"agent","v":1,"verified":true}-->',
    ])
    expect(changeBullet(bullet, { status: 'done' }).labels).toEqual([PREFERENCE])
  })

  test('an identity cannot be taken away', () => {
    expect(() => changeBullet(newBullet(FIELDS), { id: undefined })).toThrow(RangeError)
    expect(() => changeBullet(newBullet(FIELDS), { createdAt: undefined })).toThrow(RangeError)
  })

  test('a change gives the fields named and keeps the others; unknown tokens stay in order', () =>
    fc.assert(
      fc.property(
        bullets,
        bulletFields,
        fc.array(fc.stringMatching(/^x[a-z]{0,5}=[!-,/-~]{0,9}$/), { maxLength: 4 }),
        (bullet, changes, extra) => {
          const metadata = [...extra.slice(0, 1), ...bullet.metadata, ...extra.slice(1)]
          const before = read(`  <!--mem ${metadata.join(' ')}-->`, [...bullet.labelLines], formatBullet(bullet)[0])
          const after = changeBullet(before, changes)
          expect(after).toMatchObject({ ...changes })
          expect(after.metadata.filter((token) => token.startsWith('x'))).toEqual(extra)
          const { metadata: _tokens, labelLines: _lines, ...fields } = bullet
          const { metadata: _tokensAfter, labelLines: _linesAfter, ...fieldsAfter } = after
          expect(fieldsAfter).toEqual({ ...fields, ...changes })
          expect(changeBullet(after, changes)).toEqual(after)
        },
      ),
    ))
})
