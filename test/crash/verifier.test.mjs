// What the crash tests say is worth as much as their verifier: each check is shown a root that breaks its promise.
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { readAcknowledged } from './acknowledge.mjs'
import { checkRoot } from './check-root.mjs'
import { checkPersonsLines, checkTurns, rewordingOf } from './check-turns.mjs'
import { batchOf } from './day-changes.mjs'
import { openDayFilesAlone } from './open-day-files.mjs'
import { idPrefix, turnOf } from './turns.mjs'

const DAY = 'daily/2026-05-01.md'
let root

beforeEach(async () => {
  root = join(mkdtempSync(join(tmpdir(), 'verifier-')), 'memory')
  const { dayFiles, close } = await openDayFilesAlone(root)
  await dayFiles.apply(['short-1', 'long-3', 'short-5'].map(batchOf))
  close()
})
afterEach(() => rmSync(join(root, '..'), { recursive: true, force: true }))

const text = () => readFileSync(join(root, DAY), 'utf8')
const change = (how) => writeFileSync(join(root, DAY), how(text()))
const ACKED = ['turn short-1', 'turn long-3', 'turn short-5']
const turns = (...more) => checkTurns(root, readAcknowledged([...ACKED, ...more]))

/** The two lines of the first bullet of a run. */
function bulletOf(runId) {
  const lines = text().split('\n')
  const at = lines.findIndex((line) => line.includes(`id=${idPrefix(runId)}`))
  return `${lines[at - 1]}\n${lines[at]}\n`
}

describe('turns', () => {
  test('are found where all is well', () => {
    const runs = turns()
    expect([...runs].map(([runId, bullets]) => [runId, bullets.length > 1])).toEqual([
      ['short-1', false],
      ['long-3', true],
      ['short-5', false],
    ])
  })

  test.each([
    { name: 'a lost turn', how: (all) => all.replace(bulletOf('short-1'), ''), said: /not in Markdown/ },
    { name: 'a doubled bullet', how: (all) => all + bulletOf('short-1'), said: /twice/ },
    { name: 'a part of a long turn', how: (all) => all.replace(bulletOf('long-3'), ''), said: /not whole/ },
    { name: 'changed words', how: (all) => all.replace('was answered', 'was not answered'), said: /not whole/ },
    {
      name: 'a bullet of no run',
      how: (all) => all.replace(idPrefix('short-1'), `r-${'0'.repeat(32)}-`),
      said: /no known run/,
    },
  ])('refuses $name', ({ how, said }) => {
    change(how)
    expect(() => turns()).toThrow(said)
  })

  test('refuses half a turn that was not acknowledged', () => {
    change((all) => all.replace(bulletOf('long-3'), ''))
    expect(() => checkTurns(root, readAcknowledged([]))).toThrow(/not whole/)
  })

  test('refuses a turn that a person removed and that is back', () => {
    expect(() => turns('will-remove short-1', 'removed short-1')).toThrow(/is back/)
  })

  test('refuses a rewording that is lost, and takes either wording while it is being written', () => {
    expect(() => turns('will-reword short-1', 'reworded short-1')).toThrow(/lost/)
    turns('will-reword short-1')
    change((all) => all.replace(turnOf('short-1').summary, rewordingOf('short-1')))
    turns('will-reword short-1', 'reworded short-1')
    expect(() => turns()).toThrow(/not whole/)
  })

  test("refuses a person's line that is lost or doubled", () => {
    const acked = readAcknowledged(['line Mine.'])
    expect(() => checkPersonsLines(root, acked)).toThrow(/lost or doubled/)
    change((all) => `${all}Mine.\n`)
    checkPersonsLines(root, acked)
    change((all) => `${all}Mine.\n`)
    expect(() => checkPersonsLines(root, acked)).toThrow(/lost or doubled/)
  })
})

describe('files', () => {
  test('are accepted as the store leaves them, beside what an editor keeps', () => {
    writeFileSync(join(root, `${DAY}~`), '')
    checkRoot(root)
  })

  test.each([
    {
      name: 'a temporary',
      harm: () => writeFileSync(join(root, 'daily/.2026-05-01.md.tmp-1-7'), '', { mode: 0o600 }),
      said: /temporary/,
    },
    {
      name: 'a file outside of the layout',
      harm: () => writeFileSync(join(root, 'notes.txt'), '', { mode: 0o600 }),
      said: /layout/,
    },
    {
      name: 'a folder outside of the layout',
      harm: () => mkdirSync(join(root, 'daily/old'), { mode: 0o700 }),
      said: /layout/,
    },
    { name: 'a file that others read', harm: () => chmodSync(join(root, DAY), 0o644), said: /mode/ },
    { name: 'a folder that others enter', harm: () => chmodSync(join(root, 'daily'), 0o755), said: /mode/ },
  ])('refuses $name', ({ harm, said }) => {
    harm()
    expect(() => checkRoot(root)).toThrow(said)
  })
})
