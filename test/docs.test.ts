import { spawnSync } from 'node:child_process'
import { mkdirSync, readFileSync, readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, inject, test } from 'vitest'

const workspace = fileURLToPath(new URL('..', import.meta.url))
const { folder } = inject('packed')

const PAGES = [
  'README.md',
  'docs/embedding.md',
  ...readdirSync(join(workspace, 'packages')).map((name) => `packages/${name}/README.md`),
]

interface Example {
  readonly name: string
  readonly code: string
  /** What it must print: the ```text block right after it, if there is one. */
  readonly output: string | undefined
}

/** Every ```js block of a page, each a program of its own. */
function examplesIn(page: string): Example[] {
  const text = readFileSync(join(workspace, page), 'utf8')
  const fences = [...text.matchAll(/^```(\w*)\n([\s\S]*?)^```$/gm)].map(({ 1: language, 2: body = '', index }) => {
    return { language, body, line: text.slice(0, index).split('\n').length }
  })
  return fences.flatMap(({ language, body, line }, i) => {
    if (language !== 'js') return []
    const next = fences[i + 1]
    return [{ name: `${page}:${line}`, code: body, output: next?.language === 'text' ? next.body : undefined }]
  })
}

const examples = PAGES.flatMap(examplesIn)

test('the README has an example with the output it prints', () => {
  expect(examples.some(({ name, output }) => name.startsWith('README.md:') && output !== undefined)).toBe(true)
})

test.each(examples)('$name runs against the packed packages', ({ name, code, output }) => {
  const cwd = join(folder, 'examples', name.replaceAll(/[^\w.-]+/g, '-'))
  mkdirSync(cwd, { recursive: true })
  writeFileSync(join(cwd, 'example.mjs'), code)
  const ran = spawnSync(process.execPath, ['example.mjs'], { cwd, encoding: 'utf8', timeout: 60_000 })
  expect({ status: ran.status, stderr: ran.stderr }).toEqual({ status: 0, stderr: '' })
  if (output !== undefined) expect(ran.stdout).toBe(output)
})
