import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  applyDayChanges,
  emptyDayDocument,
  formatBullet,
  formatDayFile,
  lineOfBullet,
  newBullet,
  parseDayFile,
  type Bullet,
} from '../../src/index.js'
import { bullets } from './arbitraries.js'

const CREATED = '2026-05-01T09:00:00.000Z'
const bullet = (id: string, sentence = `Sentence of ${id}.`): Bullet => newBullet({ id, sentence, createdAt: CREATED })
const linesOf = (id: string): string => formatBullet(bullet(id)).join('\n')
const parse = (text: string): ReturnType<typeof parseDayFile> => parseDayFile(Buffer.from(text))
const rewritten = (text: string | Uint8Array): string =>
  Buffer.from(formatDayFile(parseDayFile(Buffer.from(text)))).toString('latin1')
const latin1 = (text: string): string => Buffer.from(text).toString('latin1')

test('a new file has its heading, a blank line, then bullets', () => {
  const { document } = applyDayChanges(emptyDayDocument('2026-05-01'), [{ kind: 'add', bullets: [bullet('r-1')] }])
  expect(Buffer.from(formatDayFile(document)).toString()).toBe(`# 2026-05-01\n\n${linesOf('r-1')}\n`)
  expect(() => emptyDayDocument('2026-02-30')).toThrow(RangeError)
})

describe('bytes of prose stay as they are', () => {
  test.each([
    { name: 'an empty file', text: '' },
    { name: 'a blank line', text: '\n' },
    { name: 'prose', text: '# 2026-05-01\n\nA note by hand.\n\n- milk\n* [link](x)\n  indented\n' },
    { name: 'prose between bullets', text: `x\n${linesOf('r-1')}\n\n## later\n${linesOf('r-2')}\ny\n` },
    {
      name: 'carriage returns',
      text: `# 2026-05-01\r\n\r\n${linesOf('r-1').replace('\n', '\r\n')}\r\nprose\r\n\rodd\r\n`,
    },
    { name: 'a byte order mark', text: `\uFEFF# 2026-05-01\n\n${linesOf('r-1')}\n` },
    { name: 'a byte order mark before a bullet', text: `\uFEFF${linesOf('r-1')}\n` },
    { name: 'other separators', text: `a\u2028b\u0085c\vd\n${linesOf('r-1')}\n` },
    { name: 'a bullet without identity', text: '- – Tea.\n  <!--mem type=note   x-->\n- [ ] typed by hand\n' },
    { name: 'a repeated bullet', text: `${linesOf('r-1')}\n${linesOf('r-1')}\n` },
    { name: 'labels without a memory', text: '  <!--label {"v":1}-->\n- – Tea.\n  <!--label {"v":1}-->\n' },
    { name: 'NUL', text: `a\0b\n${linesOf('r-1')}\n` },
  ])('$name', ({ text }) => {
    expect(rewritten(text)).toBe(latin1(text))
  })

  test('lines that are not UTF-8, beside bullets that are', () => {
    const bytes = Buffer.concat([
      Buffer.from('# d\n'),
      Buffer.from([0xff, 0x0a, 0xc3, 0x0a]),
      Buffer.from(`${linesOf('r-1')}\nZo\u00eb \u732b\n`),
    ])
    expect(parseDayFile(bytes).bullets).toEqual([bullet('r-1')])
    expect(Buffer.from(formatDayFile(parseDayFile(bytes)))).toEqual(bytes)
  })

  test.each(['prose', 'prose\r', linesOf('r-1'), '- milk'])('a last line without a line feed gets one: %j', (text) => {
    expect(rewritten(text)).toBe(latin1(`${text}\n`))
  })

  test('a bullet of a file with carriage returns keeps them; an older one-line bullet gets two', () => {
    const [sentence, metadata] = formatBullet(bullet('r-1')) as [string, string]
    expect(rewritten(`${sentence}  ${metadata.trim()}\r\nprose\r\n`)).toBe(
      latin1(`${sentence}\r\n${metadata}\r\nprose\r\n`),
    )
    expect(rewritten(`${sentence}\r\n${metadata}`)).toBe(latin1(`${sentence}\r\n${metadata}\r\n`))
  })
})

describe('what is found, and where', () => {
  const text = [
    '# 2026-05-01', // 1
    '',
    linesOf('r-1'), // 3, 4
    'A note by hand.', // 5
    '- [ ] typed by hand', // 6
    '- – No created.', // 7
    '  <!--mem id=r-9-->',
    linesOf('r-1'), // 9, 10
    '  <!--mem id=r-8 created=2026-05-01T09:00:00Z-->', // 11
    '- – zero\u200bwidth', // 12
    '  <!--mem id=r-7 created=2026-05-01T09:00:00Z-->',
    `- – Older.  <!--mem id=r-2 created=${CREATED}-->`, // 14
    '- – Labelled.', // 15
    `  <!--mem id=r-3 created=${CREATED}-->`,
    '  <!--label {"kind":"lesson","scope":"agent","v":1,"verified":true}-->',
    '  <!--label {"v":9}-->',
    '- milk', // 19
    '- – Broken.', // 20
    '  <!--mem id=r-6',
  ].join('\n')
  const document = parse(text)

  test('bullets, in order, with their lines', () => {
    expect(document.bullets.map(({ id }) => [id, lineOfBullet(document, id)])).toEqual([
      ['r-1', 3],
      ['r-2', 14],
      ['r-3', 15],
    ])
    expect(lineOfBullet(document, 'r-9')).toBeUndefined()
    expect(document.bullets[2]).toMatchObject({ labels: [{ kind: 'lesson' }], labelLines: { length: 2 } })
  })

  test('what looks like a memory and is none', () => {
    expect(document.problems).toEqual([
      { kind: 'missing_identity', line: 6, missing: 'id' },
      { kind: 'missing_identity', line: 7, missing: 'created' },
      { kind: 'duplicate_id', line: 9, id: 'r-1' },
      { kind: 'missing_identity', line: 11, missing: 'sentence' },
      { kind: 'invalid_sentence', line: 12, fault: 'invisible_character' },
      { kind: 'missing_identity', line: 20, missing: 'id' },
    ])
  })

  test('lines of prose that say something', () => {
    expect(document.unstructuredLines).toBe(2)
    expect(parse('# 2026-05-01\n\n \n').unstructuredLines).toBe(0)
    expect(parse('# 2026-05-01 and more\n').unstructuredLines).toBe(1)
  })

  test('reads the same again once rewritten, with lines as they are then', () => {
    const again = parseDayFile(formatDayFile(document))
    expect(again.bullets).toEqual(document.bullets)
    expect(again.problems.map(({ kind }) => kind)).toEqual(document.problems.map(({ kind }) => kind))
    expect(lineOfBullet(again, 'r-3')).toBe(16)
  })
})

/** Lines as people and programs leave them, some of them bullets in one form or the other. */
const fileBytes = fc
  .array(
    fc
      .oneof(
        bullets.map((item) => formatBullet(item).join('\n')),
        bullets.map((item) =>
          formatBullet(item)
            .map((line, index) => (index === 1 ? line.trim() : line))
            .join('\n')
            .replace('\n', '  '),
        ),
        fc.constantFrom(
          '',
          '# 2026-05-01',
          '- milk',
          '- – ',
          '- [ ] x',
          '  <!--mem',
          `  <!--mem id=a created=${CREATED}-->`,
          '  <!--label {}-->',
          '\r',
          '<!--mem-->',
        ),
        fc.string({ unit: 'binary', maxLength: 20 }),
      )
      .map((line) => Buffer.from(line)),
    { maxLength: 12 },
  )
  .chain((lines) =>
    fc.tuple(
      fc.constant(lines),
      fc.array(fc.uint8Array({ maxLength: 3 }), { maxLength: 2 }),
      fc.constantFrom('\n', '\r\n'),
      fc.constantFrom('', '\uFEFF'),
    ),
  )
  .map(([lines, raw, end, mark]) =>
    Buffer.concat([Buffer.from(mark), ...[...lines, ...raw].flatMap((line) => [line, Buffer.from(end)])]),
  )

test('whatever a file holds: rewriting keeps its bullets and loses no line of prose; rewriting twice changes nothing more', () =>
  fc.assert(
    fc.property(fileBytes, (bytes) => {
      const document = parseDayFile(bytes)
      const once = formatDayFile(document)
      const again = parseDayFile(once)
      expect(again.bullets).toEqual(document.bullets)
      const prose = (of: typeof document): unknown[] =>
        of.blocks.flatMap((block) => (block.kind === 'prose' ? [block.content] : []))
      expect(prose(again)).toEqual(prose(document))
      expect(Buffer.from(formatDayFile(again))).toEqual(Buffer.from(once))
      for (const block of document.blocks) {
        if (block.kind === 'prose') expect(bytes.includes(Buffer.from(block.content))).toBe(true)
      }
    }),
    { numRuns: 300 },
  ))

test('a file in the two-line form comes out byte for byte', () =>
  fc.assert(
    fc.property(
      fc.uniqueArray(bullets, { selector: ({ id }) => id, maxLength: 6 }),
      fc.array(fc.constantFrom('', 'prose', '- milk', '## heading', '> quote'), { minLength: 7, maxLength: 7 }),
      (items, prose) => {
        const bytes = Buffer.from(
          items.map((item, index) => `${prose[index]}\n${formatBullet(item).join('\n')}\n`).join(''),
        )
        expect(parseDayFile(bytes).bullets).toEqual(items)
        expect(Buffer.from(formatDayFile(parseDayFile(bytes)))).toEqual(bytes)
      },
    ),
  ))
