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
  'docs/chat.md',
  'docs/journal.md',
  'docs/capture.md',
  'docs/recall.md',
  'docs/automatic-context.md',
  'docs/remember.md',
  'docs/chronology.md',
  'docs/privacy.md',
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

/** The smallest export: one question and its answer. */
const EXPORT = [
  {
    id: 'c1',
    title: 'Keys',
    current_node: 'b',
    mapping: {
      a: { id: 'a', parent: null, children: ['b'], message: said('a', 'user', 'Where is the spare key?') },
      b: { id: 'b', parent: 'a', children: [], message: said('b', 'assistant', 'With the neighbour.') },
    },
  },
]

function said(id: string, role: string, text: string) {
  return { id, author: { role }, create_time: 1_777_626_000, content: { content_type: 'text', parts: [text] } }
}

test('the commands of the README run against the packed packages', () => {
  const cwd = join(folder, 'commands')
  mkdirSync(cwd)
  writeFileSync(join(cwd, 'conversations.json'), JSON.stringify(EXPORT))
  const lines = readFileSync(join(workspace, 'README.md'), 'utf8').split('\n')
  const commands = lines.filter((line) => line.startsWith('npx mono-agent-memory '))
  expect(commands.length).toBeGreaterThan(2)
  for (const command of commands) {
    const local = command.replace('npx mono-agent-memory', join(folder, 'node_modules/.bin/mono-agent-memory'))
    const ran = spawnSync('/bin/sh', ['-c', local], { cwd, encoding: 'utf8', timeout: 60_000 })
    expect({ command, status: ran.status, stderr: ran.stderr }).toMatchObject({ status: 0 })
    expect(ran.stdout).not.toBe('')
  }
})

test.each(examples)('$name runs against the packed packages', ({ name, code, output }) => {
  const cwd = join(folder, 'examples', name.replaceAll(/[^\w.-]+/g, '-'))
  mkdirSync(cwd, { recursive: true })
  writeFileSync(join(cwd, 'example.mjs'), code)
  const ran = spawnSync(process.execPath, ['example.mjs'], { cwd, encoding: 'utf8', timeout: 60_000 })
  expect({ status: ran.status, stderr: ran.stderr }).toEqual({ status: 0, stderr: '' })
  if (output !== undefined) expect(ran.stdout).toBe(output)
})
