// The verifier of captures is shown roots that break what it stands for.
import { appendFileSync, cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import Database from 'better-sqlite3'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { scriptOf } from './capture-scripts.mjs'
import { readManifest } from './check-vectors.mjs'
import { openCapture } from './open-capture.mjs'
import { storeRoot } from './paths.mjs'

vi.stubEnv('CRASH_VARIANT', 'capture')
const script = scriptOf('capture')
const everyStep = script.steps.flatMap((_, number) =>
  number < script.prepared ? [] : [`admitted ${number}`, `step ${number}`],
)
const folder = mkdtempSync(join(tmpdir(), 'capture-verifier-'))
let verify

beforeAll(async () => {
  ;({ verify } = await import('./verify-capture.mjs'))
  for (const step of script.steps) {
    const store = await openCapture(storeRoot(join(folder, 'whole')), script, step.at)
    await store.perform(step)
    await store.close()
  }
}, 60_000)
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const withoutLastLine = (text) => text.replace(/[^\n]*\n$/, '')
const lastLine = (text) => /[^\n]*\n$/.exec(text)[0]

test.each([
  { name: 'nothing', harm: () => undefined, said: undefined },
  {
    name: 'a line of the graph',
    file: 'graph.jsonl',
    change: withoutLastLine,
    said: /row of associations that no file has/,
  },
  {
    name: 'an edge that the index has',
    file: '.replay-projection-v1.delta.jsonl',
    change: withoutLastLine,
    said: /row of supersessions that no file has/,
  },
  { name: 'an audit line', file: 'audit/2026-05-01.md', change: withoutLastLine, said: /as if it had never crashed/ },
  {
    name: 'an audit line that is there twice',
    file: 'audit/2026-05-01.md',
    change: (text) => text + lastLine(text),
    said: /as if it had never crashed/,
  },
  {
    name: 'a word of a memory',
    file: 'daily/2026-05-01.md',
    change: (text) => text.replace('two dogs', 'two cats'),
    said: /as if it had never crashed/,
  },
  {
    name: 'an edge of the index alone',
    harm: (root) => {
      const db = new Database(join(root, '.index/generations', readManifest(root).generation, 'memory.db'))
      db.exec(`insert into supersessions values ('a', 'b', '', 'capture', '')`)
      db.close()
    },
    said: /row of supersessions that no file has/,
  },
  {
    name: 'a file that is no plan in the outbox',
    harm: (root) => appendFileSync(join(root, '.capture-outbox/notes.txt'), '', { mode: 0o600 }),
    said: /outside of the layout/,
  },
])(
  '$name',
  async ({ file, change, harm, said }) => {
    const state = mkdtempSync(join(folder, 'state-'))
    cpSync(join(folder, 'whole'), state, { recursive: true })
    const root = storeRoot(state)
    if (file === undefined) harm(root)
    else writeFileSync(join(root, file), change(readFileSync(join(root, file), 'utf8')))
    const verified = verify({ root: state, acked: everyStep })
    await (said === undefined ? verified : expect(verified).rejects.toThrow(said))
  },
  60_000,
)
