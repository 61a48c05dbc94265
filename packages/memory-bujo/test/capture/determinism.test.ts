import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, describe, expect, test } from 'vitest'
import { buildChildProgram, startChild } from '../../../../test/support/child-program.js'
import { makeTemporaryRoot } from '../../../../test/support/temporary-root.js'
import { dump } from '../../../memory-search/test/support/dump.js'

/** What tells of the process and not of the store. */
const OF_THE_PROCESS = /^(?:[.]writer-(?:lease|epoch).*|[.]index\/runtime[.]json)$/
/** SQLite's own order of pages; compared row by row. */
const DATABASE = /[.]db(?:-wal|-shm)?$/

let program: string
beforeAll(async () => {
  program = await buildChildProgram(new URL('./support/deterministic-week.program.ts', import.meta.url))
})

interface Played {
  readonly said: { readonly states: string[]; readonly left: number }
  readonly files: Readonly<Record<string, string>>
  readonly index: unknown
}

/** Plays the week in a process of its own, on a root of its own. */
async function play(env: Record<string, string>): Promise<Played> {
  const root = makeTemporaryRoot()
  const child = startChild(program, [root], { env })
  const said = JSON.parse(await child.line()) as Played['said']
  expect(await child.ended()).toBe(0)
  return { said, files: filesOf(root), index: dump(root) }
}

function filesOf(root: string): Record<string, string> {
  const paths = readdirSync(root, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(root.length + 1))
    .filter((path) => !OF_THE_PROCESS.test(path) && !DATABASE.test(path))
  return Object.fromEntries(paths.sort().map((path) => [path, readFileSync(join(root, path)).toString('latin1')]))
}

describe('same turns, same answers, same clock: the same root, byte for byte', () => {
  let first: Played
  beforeAll(async () => {
    first = await play({ TZ: 'UTC', LANG: 'C', LC_ALL: 'C' })
  })

  test('of a week that has every effect', () => {
    expect(first.said).toMatchObject({
      states: ['curated', 'curated', 'curated', 'curated', 'curated', 'curated', 'curated', 'projected'],
      left: 0,
    })
    const kinds = Object.keys(first.files).map((path) => path.replace(/[0-9a-f]{64}|(?<=ledger.)[0-9a-f]{2}$/, '<id>'))
    expect([...new Set(kinds)]).toEqual([
      '.capture-intake/catalog',
      '.capture-intake/ledger/<id>',
      '.capture-intake/log/2',
      '.capture-intake/pending/<id>.json',
      '.capture-intake/resolved/<id>.json',
      '.capture-outbox/<id>.json',
      '.gitignore',
      '.index/manifest.json',
      '.memory-schema',
      '.replay-projection-v1.delta.jsonl',
      'audit/2026-03-29.md',
      'audit/2026-05-01.md',
      'audit/2026-11-01.md',
      'daily/2026-03-29.md',
      'daily/2026-05-01.md',
      'daily/2026-11-01.md',
      'graph.jsonl',
    ])
    expect(first.files['.replay-projection-v1.delta.jsonl']).toContain('"kind":"supersede"')
    expect(first.files['daily/2026-05-01.md']).toMatch(/ rev=r-[0-9a-f]{32}-rev1 /) // the update
  })

  test.each([
    ['the same again', { TZ: 'UTC', LANG: 'C', LC_ALL: 'C' }],
    ['east of all others', { TZ: 'Pacific/Kiritimati', LANG: 'tr_TR.UTF-8', LC_ALL: 'tr_TR.UTF-8' }],
    ['west, in a zone with summer time', { TZ: 'America/Los_Angeles', LANG: 'de_DE.UTF-8', LC_ALL: 'de_DE.UTF-8' }],
    ['by half an hour, from right to left', { TZ: 'Asia/Kolkata', LANG: 'ar_EG.UTF-8', LC_ALL: 'ar_EG.UTF-8' }],
  ])('%s', async (_name, env) => {
    const again = await play(env)
    expect(again.said).toEqual(first.said)
    expect(again.files).toEqual(first.files)
    expect(again.index).toEqual(first.index)
  })
})
