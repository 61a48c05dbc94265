import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { describe, expect, test } from 'vitest'
import { formatDayFile, observationBullets, parseDayFile, formatBullet, type Observation } from '../../src/index.js'

// Files of this format exist in people's homes: what is pinned here may be added to, and never changed.
const golden = (name: string): Buffer => readFileSync(fileURLToPath(new URL(`../golden/${name}`, import.meta.url)))
const goldenJson = (name: string): unknown => JSON.parse(golden(name).toString('utf8'))

describe('day files', () => {
  test.each([
    { name: 'two-line', rewritten: 'two-line' },
    { name: 'older-one-line', rewritten: 'older-one-line.rewritten' },
    { name: 'edited-by-hand', rewritten: 'edited-by-hand.rewritten' },
  ])('$name reads as pinned and is rewritten as pinned', ({ name, rewritten }) => {
    const document = parseDayFile(golden(`day-files/${name}.md`))
    const { problems, unstructuredLines } = document
    // `metadata` and `labelLines` are the raw lines, which the rewritten file pins.
    const bullets = document.bullets.map(({ metadata: _metadata, labelLines: _labelLines, ...fields }) => fields)
    expect({ bullets, problems, unstructuredLines }).toEqual(goldenJson(`day-files/${name}.json`))
    expect(Buffer.from(formatDayFile(document)).toString()).toBe(golden(`day-files/${rewritten}.md`).toString())
  })
})

test('observations become the pinned lines', () => {
  const cases = goldenJson('observations.json') as { observation: Observation; repeat?: number; lines: string[] }[]
  for (const { observation, repeat = 1, lines } of cases) {
    const bullets = observationBullets({ ...observation, text: observation.text.repeat(repeat) })
    expect(bullets.flatMap(formatBullet)).toEqual(lines)
  }
  expect(cases).toHaveLength(4)
})
