import { describe, expect, test } from 'vitest'
import { formatMemories } from '../src/output/memories.js'
import { createProgress } from '../src/output/progress.js'
import { bytes, count, createStyle, facts, printable, table } from '../src/output/text.js'

const plain = createStyle(false)

test.each([
  { name: 'an escape sequence', text: 'a\u001b[2Jb', shown: 'a\uFFFD[2Jb' },
  { name: 'a line end', text: 'a\nb\r', shown: 'a\uFFFDb\uFFFD' },
  { name: 'a line separator', text: 'a\u2028b', shown: 'a\uFFFDb' },
  { name: 'a control character of the second set', text: 'a\u009b', shown: 'a\uFFFD' },
  { name: 'any script', text: 'قهوة 猫 서울 กาแฟ 👩‍🎨', shown: 'قهوة 猫 서울 กาแฟ 👩‍🎨' },
])('$name cannot steer a terminal', ({ text, shown }) => expect(printable(text)).toBe(shown))

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
        '            task · r-1-0',
        '2026-03-02  Call Ana.',
        '            task · Teo · r-1-0',
      ].join('\n'),
    )
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
