import assert from 'node:assert/strict'
import { readBullets, readLines } from './read-root.mjs'
import { ALL_RUNS, idPrefix, turnOf } from './turns.mjs'

const RUN_OF_PREFIX = new Map(ALL_RUNS.map((runId) => [idPrefix(runId), runId]))
/** Words are what must survive a split; white space between them may have become a line's end. */
const wordsOf = (text) => text.split(/\s+/).filter(Boolean).join(' ')

/**
 * Every acknowledged turn stands in Markdown whole and exactly once, every other one whole or not at all.
 * A turn that a person reworded or removed, or was about to, is only asked not to be there twice.
 * @returns the runs that are there, each with its bullets
 */
export function checkTurns(root, acked) {
  const runs = new Map()
  for (const bullet of readBullets(root).filter(({ id }) => id.startsWith('r-'))) {
    const [, prefix, ordinal] = /^(r-[0-9a-f]{32}-)(\d+)$/.exec(bullet.id) ?? []
    const runId = RUN_OF_PREFIX.get(prefix)
    assert.ok(runId !== undefined, `a bullet of no known run: ${bullet.id}`)
    if (!runs.has(runId)) runs.set(runId, [])
    runs.get(runId).push({ ...bullet, ordinal: Number(ordinal) })
  }
  for (const runId of acked.said('turn')) {
    if (acked.has('will-remove', runId)) continue
    assert.ok(runs.has(runId), `${runId} was acknowledged and is not in Markdown`)
  }
  for (const runId of acked.said('removed')) assert.ok(!runs.has(runId), `${runId} was removed by a person and is back`)
  for (const [runId, bullets] of runs) {
    const ordinals = bullets.map(({ ordinal }) => ordinal).sort((a, b) => a - b)
    assert.deepEqual(ordinals, [...new Set(ordinals)], `${runId} is in Markdown twice`)
    assert.equal(new Set(bullets.map(({ file }) => file)).size, 1, `${runId} is spread over several days`)
    checkWords(runId, bullets, acked)
  }
  return runs
}

function checkWords(runId, bullets, acked) {
  const ordered = [...bullets].sort((a, b) => a.ordinal - b.ordinal)
  const found = wordsOf(ordered.map(({ sentence }) => sentence).join(' '))
  const original = wordsOf(turnOf(runId).summary)
  const reworded = wordsOf(rewordingOf(runId))
  if (acked.has('reworded', runId)) assert.equal(found, reworded, `the rewording of ${runId} is lost`)
  else if (acked.has('will-reword', runId)) assert.ok([original, reworded].includes(found), `${runId} is damaged`)
  else assert.equal(found, original, `${runId} is not whole`)
}

/** What a person makes of the sentence of a short turn. */
export const rewordingOf = (runId) => turnOf(runId).summary.replace('was answered', 'was answered at length')

/** Lines that a person wrote: those they were done with are there once. */
export function checkPersonsLines(root, acked) {
  const lines = readLines(root)
  for (const line of acked.said('line')) {
    assert.equal(lines.filter((each) => each === line).length, 1, `a person's line is lost or doubled: ${line}`)
  }
}
