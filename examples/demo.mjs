// `npm run demo`: six weeks of a fictional conversation go in, are found again, and survive a killed writer.
import { spawn, spawnSync } from 'node:child_process'
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { createMemoryStore, openMemoryReader } from '../packages/memory-bujo/dist/index.js'

const here = (path) => fileURLToPath(new URL(path, import.meta.url))
const CLI = here('../packages/memory-cli/dist/main.js')
/** The writer is killed when it has acknowledged this many turns; it is always in the middle of more. */
const KILL_AFTER = 300

const folder = mkdtempSync(join(tmpdir(), 'memory-demo-'))
const root = join(folder, 'memory')

try {
  step('1  Six weeks of conversation go in')
  command('ingest', 'examples/six-weeks.jsonl')

  step('2  Running it again doubles nothing')
  command('ingest', 'examples/six-weeks.jsonl')

  step('3  Search, in whatever language it was said')
  for (const query of ['dentist 14th', 'E-14', 'Gundula Veit', '찻잔', 'ข้าวซอย', 'الرمّانة']) {
    command('search', query, '--limit', '2')
  }

  step('4  It is plain Markdown')
  console.log(dim(`${root}/daily/2026-03-08.md`))
  console.log(
    readFileSync(join(root, 'daily', '2026-03-08.md'), 'utf8')
      .split('\n')
      .slice(0, 8)
      .join('\n'),
  )

  step('5  A writer is killed in the middle (SIGKILL)')
  const acknowledged = await killedWriter()
  console.log(`It had acknowledged ${acknowledged.length} turns, the last one is number ${acknowledged.at(-1)}.`)

  step('6  Open it again, and count')
  const verdict = await verify(acknowledged)
  console.log(verdict.text)
  if (!verdict.isWhole) process.exitCode = 1
} finally {
  rmSync(folder, { recursive: true, force: true })
}

/** Runs the command as a person would, prints what it prints, and fails if it does. */
function command(...words) {
  console.log(dim(`$ mono-agent-memory ${words.map((word) => (word.includes(' ') ? `'${word}'` : word)).join(' ')}`))
  const { status } = spawnSync(process.execPath, [CLI, ...words, '--path', root], { stdio: 'inherit', cwd: here('..') })
  if (status !== 0) throw new Error(`The command ended with exit code ${status}.`)
  console.log()
}

/** Starts a writer, kills it after KILL_AFTER acknowledgements, and returns the numbers it acknowledged. */
async function killedWriter() {
  const writer = spawn(process.execPath, [here('demo-writer.mjs'), root], { stdio: ['ignore', 'pipe', 'inherit'] })
  const closed = new Promise((resolve) => writer.on('close', (_code, signal) => resolve(signal)))
  const acknowledged = []
  // Lines that were in the pipe when the writer died count too: it had said them.
  for await (const line of createInterface({ input: writer.stdout })) {
    acknowledged.push(Number(line))
    if (acknowledged.length === KILL_AFTER) writer.kill('SIGKILL')
  }
  if ((await closed) !== 'SIGKILL') throw new Error('The writer ended by itself before it could be killed.')
  return acknowledged
}

/** Every acknowledged turn must be there exactly once, in the Markdown and in the index. */
async function verify(acknowledged) {
  const store = await createMemoryStore({ mode: 'lite', path: root })
  const { pending, dead } = await store.flush()
  await store.close()

  const inMarkdown = new Map()
  for (const file of readdirSync(join(root, 'daily'))) {
    for (const [, number] of readFileSync(join(root, 'daily', file), 'utf8').matchAll(/Reading number(\d+) of/g)) {
      inMarkdown.set(Number(number), (inMarkdown.get(Number(number)) ?? 0) + 1)
    }
  }
  const reader = await openMemoryReader({ path: root })
  const inIndex = []
  for (const number of acknowledged) {
    const { hits } = await reader.recallWithOutcome(`number${number}`, { conversationId: 'crash-demo' })
    inIndex.push(hits.filter((hit) => hit.text.includes(`number${number} `)).length)
  }
  await reader.close()

  const lost = acknowledged.filter((number) => !inMarkdown.has(number)).length
  const doubled = [...inMarkdown.values()].filter((times) => times > 1).length
  const misindexed = inIndex.filter((times) => times !== 1).length
  const unacknowledged = [...inMarkdown.keys()].filter((number) => !acknowledged.includes(number)).length
  const isWhole = lost + doubled + misindexed + pending + dead === 0
  const lines = [
    `acknowledged and there exactly once   ${acknowledged.length - lost - doubled} of ${acknowledged.length}`,
    `lost                                  ${lost}`,
    `doubled                               ${doubled}`,
    `missing from the index                ${misindexed}`,
    `on their way when it died, and whole  ${unacknowledged}`,
    '',
    isWhole ? 'Nothing was lost.' : 'SOMETHING IS WRONG: this is a bug.',
  ]
  return { isWhole, text: lines.join('\n') }
}

function step(title) {
  console.log(`\n${process.stdout.isTTY ? `\u001b[1m${title}\u001b[0m` : title}\n`)
}

function dim(text) {
  return process.stdout.isTTY ? `\u001b[2m${text}\u001b[0m` : text
}
