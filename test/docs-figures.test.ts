import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { MAX_AUTOMATIC_BYTES, MAX_RELEVANT_BYTES } from '../packages/memory-bujo/src/recall/compose-context.js'
import { MAX_SHEET_BYTES, MAX_SHEET_ENTITIES, MAX_SHEET_FACTS } from '../packages/memory-bujo/src/recall/fact-sheet.js'
import { GUIDANCE_RANKS } from '../packages/memory-bujo/src/recall/guidance-floor.js'
import { MAX_GUIDANCE_LINES } from '../packages/memory-bujo/src/recall/guidance.js'
import {
  HOP_ENTITIES,
  HOP_HITS,
  HOP_MEMORIES,
  HOP_SEEDS,
  HOP_SHARE,
} from '../packages/memory-bujo/src/recall/one-hop.js'
import { MAX_PROFILE_CODE_POINTS } from '../packages/memory-bujo/src/recall/owner-profile.js'
import { MAX_CARD_LINES } from '../packages/memory-bujo/src/recall/person-card.js'
import { MAX_LINE_TEXT_BYTES, MAX_RELEVANT_LINES } from '../packages/memory-bujo/src/recall/possibly-relevant.js'
import { MAX_ENDED_VECTORS } from '../packages/memory-bujo/src/recall/rank-direct.js'
import { DEFAULT_HITS, MAX_HITS } from '../packages/memory-bujo/src/recall/recall-request.js'
import { RECENCY_HALF_LIFE_DAYS, RECENCY_SHARE } from '../packages/memory-bujo/src/recall/recency.js'
import { WEAK_MODEL_SLACK } from '../packages/memory-bujo/src/recall/tail-cut.js'
import { MAX_RANGE_DAYS } from '../packages/memory-bujo/src/chronology/civil-range.js'
import { MAX_ENTRIES } from '../packages/memory-bujo/src/chronology/snapshot.js'
import { MAX_SNAPSHOTS } from '../packages/memory-host/src/journal/journal-snapshots.js'
import { MAX_PAGE_BYTES } from '../packages/memory-host/src/journal/page.js'
import { MAX_SHORT_TEXT } from '../packages/memory-host/src/policy/automatic-gate.js'
import { MAX_PAGE_ENTRIES } from '../packages/memory-host/src/tools/journal.js'
import { MAX_HITS_BYTES, MAX_SECTION_BYTES } from '../packages/memory-host/src/tools/recall-result.js'
import { RECALL_LIMIT } from '../packages/memory-host/src/tools/recall.js'
import { MAX_LOOKUPS } from '../packages/memory-host/src/turn/lookups.js'
import { MAX_LINES, MAX_SESSIONS } from '../packages/memory-host/src/turn/sessions.js'
import { FOLLOW_AT_ONCE } from '../packages/memory-search/src/aside/open-rankings.js'
import { ASIDE_FROM, SIDECAR_ASIDE_FROM } from '../packages/memory-search/src/aside/rank-aside.js'
import { IDLE_MS } from '../packages/memory-search/src/aside/ranking-thread.js'
import { followAtOnce } from '../packages/memory-search/src/aside/sidecar-of-thread.js'
import { NOMIC_CALIBRATION } from '../packages/memory-search/src/calibration/shipped.js'
import { MIN_LISTED } from '../packages/memory-search/src/search/judge-hybrid.js'
import { SAMPLE } from '../packages/memory-search/src/sidecar/build-memory.js'
import {
  MEAN_GROWTH,
  MIN_UNSEALED,
  SIDECAR_FROM,
  UNSEALED_SHARE,
} from '../packages/memory-search/src/sidecar/sidecar.js'
import { SMALL, WEIGHED_ALL } from '../packages/memory-search/src/sidecar/sidecar-source.js'
import { SlotTable } from '../packages/memory-search/src/sidecar/slot-table.js'
import { MAX_CACHED_BYTES } from '../packages/memory-search/src/sidecar/vector-cache.js'
import {
  APART_FROM_FIRST,
  APART_FROM_LAST,
  FIRST,
  MAX_WEIGHED,
  MIN_WEIGHED,
  MOST_TIED,
  WEIGHED_FOR_EACH,
} from '../packages/memory-search/src/sidecar/weigh-nearest.js'
import { BLOCK_CODES, codeBytes, POSITION_BYTES } from '../packages/memory-search/src/sidecar/vectors/code-layout.js'
import { MAX_TOKENS } from '../packages/memory-search/src/sidecar/words/fresh-words.js'
import { VECTOR_PAGE_BYTES } from '../packages/memory-search/src/sqlite/connection.js'
import { CANDIDATES } from '../packages/memory-search/src/sqlite/lexical-candidates.js'

const workspace = fileURLToPath(new URL('..', import.meta.url))

/** A page as one line, so that it does not matter where a sentence breaks. */
const textOf = (page: string): string => readFileSync(join(workspace, page), 'utf8').replaceAll(/\s+/g, ' ')

const count = (value: number): string => value.toLocaleString('en')
const kib = (bytes: number): string => `${bytes / 1_024} KiB`
const mib = (bytes: number): string => `${bytes / 1_024 ** 2} MiB`
/** Small numbers, as prose spells them. */
const word = (value: number): string =>
  ['zero', 'one', 'two', 'three', 'four', 'five', 'six', 'seven', 'eight'][value] ?? String(value)

/** What one more slot takes, room aside: of the table, with the place of its row, which is private; and of codes. */
const { rows, lengths, recordedAt, before, kinds, live } = new SlotTable()
const slotBytes = [rows, lengths, recordedAt, before, kinds, live].reduce(
  (sum, { BYTES_PER_ELEMENT }) => sum + BYTES_PER_ELEMENT,
  Uint32Array.BYTES_PER_ELEMENT,
)
const codedBytes = codeBytes(768, BLOCK_CODES) / BLOCK_CODES + 2 * Float32Array.BYTES_PER_ELEMENT

const { noiseFloor, automaticFloor, automaticWindow, deliberateFloor, tail } = NOMIC_CALIBRATION

test.each([
  ['automatic-context', `${count(MAX_AUTOMATIC_BYTES)} bytes all of it`],
  ['automatic-context', `≤ ${count(MAX_RELEVANT_BYTES)} bytes with heading, ≤ ${MAX_RELEVANT_LINES} lines`],
  ['automatic-context', `a text ≤ ${MAX_LINE_TEXT_BYTES} bytes`],
  ['automatic-context', `≤ ${MAX_PROFILE_CODE_POINTS} code points, heading included`],
  ['automatic-context', `≤ ${MAX_CARD_LINES} lines each`],
  ['automatic-context', `≤ ${MAX_GUIDANCE_LINES} lines, a text`],
  ['automatic-context', `at most ${MAX_SHORT_TEXT} code points of text`],
  ['automatic-context', `the best memory reaches ${automaticFloor}. Then what is within ${automaticWindow} of it`],
  ['automatic-context', `From the first ${word(GUIDANCE_RANKS)} memories, those at ${noiseFloor} or more`],
  ['recall', `1–${MAX_HITS}, ${DEFAULT_HITS} by default`],
  ['recall', `more than ${tail} below the best goes; if the best reaches ${deliberateFloor}`],
  ['recall', `(up to ${word(MAX_SHEET_ENTITIES)})`],
  ['recall', `Up to ${MAX_SHEET_FACTS === 12 ? 'twelve' : String(MAX_SHEET_FACTS)} of each entity`],
  ['recall', `${count(MAX_SHEET_BYTES)} bytes in all`],
  ['recall', `The first ${word(HOP_HITS)} direct hits tell the entities in question, at most ${HOP_SEEDS}`],
  ['recall', `At most ${word(HOP_ENTITIES)} such entities and ${word(HOP_MEMORIES)} memories`],
  ['recall', `Each is worth ${HOP_SHARE} of the hit`],
  ['recall', `at most ${RECENCY_SHARE} of a score, half after ${RECENCY_HALF_LIFE_DAYS} days`],
  ['recall', `the words of up to ${MAX_ENDED_VECTORS} such memories`],
  ['recall', `${RECALL_LIMIT === 10 ? 'Ten' : String(RECALL_LIMIT)} hits at most, ${kib(MAX_HITS_BYTES)} of lines`],
  ['recall', `${kib(MAX_SECTION_BYTES)} a section`],
  ['ranking', `give way by up to ${WEAK_MODEL_SLACK} × w`],
  ['chronology', `both included, at most ${MAX_RANGE_DAYS}`],
  ['chronology', `at most ${count(MAX_ENTRIES)} entries`],
  ['chronology', `at most ${MAX_PAGE_ENTRIES})`],
  ['chronology', `A page has at most ${kib(MAX_PAGE_BYTES)}`],
  ['chronology', `at most ${word(MAX_SNAPSHOTS)} ranges`],
  ['embedding', `of at most ${MAX_SESSIONS} sessions and ${MAX_LINES} lines of each`],
  ['limits', `| lookups that a turn keeps | ${MAX_LOOKUPS} |`],
  ['architecture', `From ${count(SIDECAR_FROM)} memories on they come from the sidecar`],
  ['architecture', `From ${count(SIDECAR_ASIDE_FROM)} memories on, rankings and their sidecar`],
  ['architecture', `From ${count(ASIDE_FROM)} memories on it also makes`],
  ['architecture', `pages have ${kib(VECTOR_PAGE_BYTES)}`],
  ['fast-recall', `| fewer than ${count(SIDECAR_FROM)} | the reference path`],
  ['fast-recall', `| ${count(SIDECAR_FROM)} to ${count(SIDECAR_ASIDE_FROM - 1)} | the sidecar | the event loop`],
  ['fast-recall', `| ${count(SIDECAR_ASIDE_FROM)} and more | the sidecar | the thread of rankings`],
  ['fast-recall', `from ${count(ASIDE_FROM)} memories on in the thread`],
  ['fast-recall', `whether it still counts | ${slotBytes} |`],
  ['fast-recall', `two terms of correction | ${codedBytes} at 768 dimensions`],
  [
    'fast-recall',
    `of at most ${count(SMALL)} memories, the vectors that were read are kept besides, up to ${mib(MAX_CACHED_BYTES)}`,
  ],
  ['embedding', `up to ${mib(MAX_CACHED_BYTES)} of vectors in a store of at most ${count(SMALL)} memories`],
  ['fast-recall', `${FOLLOW_AT_ONCE} memories on the event loop, in the thread ${count(followAtOnce(0))}`],
  ['fast-recall', `over ${count(MOST_TIED)}, that`],
  ['fast-recall', `after ${word(IDLE_MS / 60_000)} minutes without a question`],
  ['fast-recall', `When more than ${MIN_UNSEALED} places have come or gone`],
  ['fast-recall', `${WEIGHED_FOR_EACH} for each that is looked for, ${MIN_WEIGHED} at least`],
  [
    'fast-recall',
    `more than ${APART_FROM_FIRST} standard errors below the ${{ 10: 'tenth' }[FIRST]} and ${APART_FROM_LAST} below the last place`,
  ],
  ['fast-recall', `or ${count(MAX_WEIGHED)} are read`],
  ['fast-recall', `Where at most ${WEIGHED_ALL} memories pass a filter`],
  ['fast-recall', `of up to ${count(SAMPLE)} vectors`],
  ['fast-recall', `blocks of ${BLOCK_CODES}`],
  ['fast-recall', `one shuffle looks up ${POSITION_BYTES} codes`],
  ['ranking', `Candidates are the best ${CANDIDATES} by bm25`],
  ['ranking', `twice as many as are asked for, ${MIN_LISTED} at least and ${CANDIDATES} at most`],
  ['ranking', `Stores of ${SIDECAR_FROM} memories and more find all of them in memory`],
  [
    'limits',
    `| ${SIDECAR_FROM - 1}; from ${SIDECAR_FROM} on it is asked in memory, from ${count(SIDECAR_ASIDE_FROM)} on`,
  ],
  ['limits', `${count(MAX_TOKENS)} words a memory`],
  ['limits', `| the thread of rankings | ${IDLE_MS / 60_000} minutes without a question |`],
  [
    'embedding',
    `Recall of ${SIDECAR_FROM} memories and more is answered from memory, of ${count(SIDECAR_ASIDE_FROM)} and more`,
  ],
])('docs/%s.md says "%s", as the code does', (page, words) => {
  expect(textOf(`docs/${page}.md`)).toContain(words)
})

test('docs/fast-recall.md names shares as the code has them', () => {
  const page = textOf('docs/fast-recall.md')
  expect(UNSEALED_SHARE).toBe(1 / 64)
  expect(page).toContain('a sixty-fourth of all if that is more')
  expect(followAtOnce(1_000_000) / 1_000_000).toBe(1 / 32)
  expect(page).toContain('a thirty-second of all')
  expect(page).toContain(`each time it is ${word(MEAN_GROWTH)} times as large`)
})
