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
import { ASIDE_FROM } from '../packages/memory-search/src/aside/rank-aside.js'
import { NOMIC_CALIBRATION } from '../packages/memory-search/src/calibration/shipped.js'

const workspace = fileURLToPath(new URL('..', import.meta.url))

/** A page as one line, so that it does not matter where a sentence breaks. */
const textOf = (page: string): string => readFileSync(join(workspace, page), 'utf8').replaceAll(/\s+/g, ' ')

const count = (value: number): string => value.toLocaleString('en')
const kib = (bytes: number): string => `${bytes / 1_024} KiB`
/** Small numbers, as prose spells them. */
const word = (value: number): string =>
  ['zero', 'one', 'two', 'three', 'four', 'five', 'six', 'seven', 'eight'][value] ?? String(value)

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
  ['architecture', `From ${count(ASIDE_FROM)} memories on`],
])('docs/%s.md says "%s", as the code does', (page, words) => {
  expect(textOf(`docs/${page}.md`)).toContain(words)
})
