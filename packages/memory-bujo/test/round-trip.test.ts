import { readdirSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { createMemoryStore, type BuiltInMemoryStore } from '../src/index.js'
import { makeTemporaryRoot } from '../../../test/support/temporary-root.js'

const NOON = Date.parse('2026-05-01T12:00:00.000Z')
const WORDS = [
  'tea',
  'Lund',
  'Zoë',
  'train',
  'INV-2024-00917',
  'しりとり',
  '成语',
  '서울에서',
  'กาแฟ',
  'C++',
  'snow',
  '50%',
]
const QUERIES = [...WORDS, 'Ana', 'zoe train', 'April 2026', '-->', 'tea OR "']

const sentence = fc
  .array(fc.constantFrom(...WORDS), { minLength: 1, maxLength: 12 })
  .map((words) => `${words.join(' ')}.`)
const instant = fc
  .date({ min: new Date('2026-03-01'), max: new Date('2026-06-01'), noInvalidDate: true })
  .map((date) => date.toISOString())
const turns = fc.array(
  fc.record(
    {
      summary: fc.oneof(
        { weight: 6, arbitrary: sentence },
        { weight: 1, arbitrary: fc.string({ unit: 'grapheme', minLength: 1, maxLength: 300 }) },
        { weight: 1, arbitrary: fc.array(sentence, { minLength: 60, maxLength: 120 }).map((all) => all.join(' ')) },
      ),
      conversationId: fc.constantFrom('web:1', 'web:2', 'mail#7'),
      occurredAt: instant,
      speaker: fc.constantFrom('Ana', 'Zoë'),
    },
    { requiredKeys: ['summary', 'conversationId'] },
  ),
  { minLength: 1, maxLength: 40 },
)
const remembered = fc.array(sentence, { maxLength: 5 })

function markdownOf(root: string): Record<string, string> {
  const daily = join(root, 'daily')
  return Object.fromEntries(readdirSync(daily).map((name) => [name, readFileSync(join(daily, name), 'latin1')]))
}

async function answersOf(store: BuiltInMemoryStore) {
  const answers = []
  for (const query of QUERIES) answers.push((await store.recallWithOutcome(query, { limit: 50, explain: true })).hits)
  return answers
}

test(
  'a random store answers the same from a new index, and its Markdown does not change by a byte',
  { timeout: 180_000 },
  () =>
    fc.assert(
      fc.asyncProperty(turns, remembered, async (given, facts) => {
        const root = makeTemporaryRoot()
        const open = () => createMemoryStore({ mode: 'lite', path: root }, { now: () => NOON })
        const first = await open()
        await first.remember({ text: 'There is always one memory.' })
        for (const [n, turn] of given.entries()) {
          await first.persistCompletedTurn({ runId: `run-${n}`, ...turn })
          if (n % 7 === 0) await first.flush()
        }
        for (const text of facts) await first.remember({ text })
        await first.flush()
        const answers = await answersOf(first)
        await first.close()
        const markdown = markdownOf(root)
        rmSync(join(root, '.index'), { recursive: true })
        const second = await open()
        expect(await answersOf(second)).toEqual(answers)
        await second.close()
        expect(markdownOf(root)).toEqual(markdown)
        rmSync(root, { recursive: true })
      }),
      { numRuns: 25 },
    ),
)
