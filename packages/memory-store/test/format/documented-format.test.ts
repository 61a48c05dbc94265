import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { METADATA_KEYS } from '../../src/format/metadata.js'
import { formatDayFile, parseDayFile } from '../../src/index.js'

const page = readFileSync(fileURLToPath(new URL('../../../../docs/format.md', import.meta.url)), 'utf8')
const examples = [...page.matchAll(/^```markdown\n([\s\S]*?)^```/gm)].map((match) => match[1] as string)

test('every example of docs/format.md is read without a problem, with all its labels', () => {
  expect(examples).toHaveLength(3)
  for (const example of examples) {
    const { bullets, problems } = parseDayFile(Buffer.from(example))
    expect(problems).toEqual([])
    expect(bullets.length).toBe(example.split('<!--mem').length - 1)
    expect(bullets.flatMap(({ labels }) => labels)).toHaveLength(example.split('<!--label').length - 1)
  }
})

test('the examples in the two-line form come out byte for byte', () => {
  const [day, labels] = examples as [string, string]
  for (const example of [day, labels])
    expect(Buffer.from(formatDayFile(parseDayFile(Buffer.from(example)))).toString()).toBe(example)
})

test('every key is documented, once', () => {
  const keys: readonly string[] = METADATA_KEYS
  const documented = [...page.matchAll(/^\| `(\w+)` \|/gm)].map((match) => match[1] as string)
  expect(documented.filter((key) => keys.includes(key)).sort()).toEqual([...keys].sort())
})
