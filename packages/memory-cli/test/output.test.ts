import { describe, expect, test } from 'vitest'
import { marksOf } from '../src/output/marks.js'
import { formatMemories } from '../src/output/memories.js'
import { createProgress } from '../src/output/progress.js'
import { bytes, count, createStyle, facts, printable, printableLines, table } from '../src/output/text.js'

const plain = createStyle(false)

test.each([
  { name: 'an escape sequence', text: 'a\u001b[2Jb', shown: 'a\uFFFD[2Jb' },
  { name: 'a line end', text: 'a\nb\r', shown: 'a\uFFFDb\uFFFD' },
  { name: 'a line separator', text: 'a\u2028b', shown: 'a\uFFFDb' },
  { name: 'a control character of the second set', text: 'a\u009b', shown: 'a\uFFFD' },
  { name: 'any script', text: 'قهوة 猫 서울 กาแฟ 👩‍🎨', shown: 'قهوة 猫 서울 กาแฟ 👩‍🎨' },
])('$name cannot steer a terminal', ({ text, shown }) => expect(printable(text)).toBe(shown))

test('lines of a text stay lines', () => expect(printableLines('a\n\u001b[2Jb\n\nc')).toBe('a\n\uFFFD[2Jb\n\nc'))

test.each([
  [0, '0 bytes'],
  [1023, '1023 bytes'],
  [1024, '1.0 KiB'],
  [1_572_864, '1.5 MiB'],
  [5 * 1024 ** 4, '5.0 TiB'],
])('%i bytes', (size, text) => expect(bytes(size)).toBe(text))

test('counts agree with their nouns', () => {
  expect([count(0, 'turn'), count(1, 'turn'), count(1200, 'memory', 'memories')]).toEqual([
    '0 turns',
    '1 turn',
    '1,200 memories',
  ])
})

describe('layout', () => {
  test('facts are two columns; what has no value is left out', () => {
    expect(
      facts([
        ['a', 1],
        ['long', 'x'],
        ['none', undefined],
        ['zero', 0],
      ]),
    ).toBe('a     1\nlong  x\nzero  0')
  })

  test('a table aligns all columns but the last', () => {
    expect(
      table(
        ['state', 'id'],
        [
          ['a', '1'],
          ['pending', '22'],
        ],
        plain,
      ),
    ).toBe('state    id\na        1\npending  22')
  })

  test('a memory shows when it happened, its status, and what tells it apart', () => {
    const memory = {
      id: 'r-1-0',
      text: 'Call Ana.',
      type: 'task',
      status: 'done',
      createdAt: '2026-03-03T08:00:00Z',
    } as const
    expect(
      formatMemories(
        [memory, { ...memory, status: 'open', occurredAt: '2026-03-02T23:00:00+01:00', speaker: 'Teo' }],
        plain,
      ),
    ).toBe(
      [
        '2026-03-03  [done] Call Ana.',
        '            task · recorded 2026-03-03 · r-1-0',
        '2026-03-02  Call Ana.',
        '            task · recorded 2026-03-03 · Teo · r-1-0',
      ].join('\n'),
    )
  })

  test.each([
    { name: 'open and current', memory: { status: 'open', currentness: 'current' }, marks: [] },
    { name: 'done', memory: { status: 'done' }, marks: ['done'] },
    {
      name: 'superseded',
      memory: { status: 'open', currentness: 'superseded', validTo: '2026-05-01' },
      marks: ['superseded'],
    },
    {
      name: 'invalidated',
      memory: { status: 'invalidated', currentness: 'superseded' },
      marks: ['invalidated', 'superseded'],
    },
    {
      name: 'ended',
      memory: { currentness: 'ended', endedOn: '2026-05-01', dueAt: '2026-05-01' },
      marks: ['ended 2026-05-01'],
    },
    { name: 'ended, nobody knows when', memory: { currentness: 'ended' }, marks: ['ended'] },
    {
      name: 'valid for a time',
      memory: { validFrom: '2026-05-01', validTo: '2026-06-01' },
      marks: ['from 2026-05-01', 'until 2026-06-01'],
    },
    { name: 'an event to come', memory: { type: 'event', dueAt: '2026-05-01' }, marks: ['on 2026-05-01'] },
    { name: 'a task with a due', memory: { type: 'task', dueAt: '2026-05-01' }, marks: ['due 2026-05-01'] },
    { name: 'of a backend that knows nothing', memory: {}, marks: [] },
  ] as const)('what is said of a memory that is $name', ({ memory, marks }) => {
    expect(marksOf(memory)).toEqual(marks)
  })

  test.each([
    { attribution: 'user-stated', said: ' · you said' },
    { attribution: 'document', said: ' · from a document' },
    { attribution: 'assistant-inferred', said: ' · assistant noted' },
    { attribution: 'unknown', said: '' },
  ] as const)('who vouches for a memory: $attribution', ({ attribution, said }) => {
    const [, detail] = formatMemories([{ id: 'm-1', text: 'Tea.', type: 'note', attribution }], plain).split('\n')
    expect(detail?.trim()).toBe(`note${said} · m-1`)
  })

  test('style marks only where it may', () => {
    expect(plain.strong('x')).toBe('x')
    expect(createStyle(true).dim('x')).toContain('\u001b[2m')
  })
})

test('without a terminal there is no bar', () => {
  const progress = createProgress(false)
  progress.update(1, 2, 'x')
  progress.stop()
  expect(progress).toBe(createProgress(false))
})
