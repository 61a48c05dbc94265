import { isDay } from './instant.js'

/** A path relative to the root, with `/`. */
export type RootPath = string

function checkDay(day: string): string {
  if (!isDay(day)) throw new RangeError('A day is written YYYY-MM-DD.')
  return day
}

function checkHex(text: string, digits: number, what: string): string {
  if (!new RegExp(`^[0-9a-f]{${digits}}$`).test(text))
    throw new RangeError(`${what} is ${digits} lower-case hex digits.`)
  return text
}

function checkCount(count: number, what: string): number {
  if (!Number.isSafeInteger(count) || count < 0) throw new RangeError(`${what} is a whole number from 0.`)
  return count
}

const GENERATION = /^[A-Za-z0-9][A-Za-z0-9_-]{0,63}$/

function checkGeneration(name: string): string {
  if (!GENERATION.test(name)) throw new RangeError('A generation is named by 1..64 letters, digits, - and _.')
  return name
}

export type IntakeState = 'pending' | 'dead' | 'resolved'

/** Every place in a root. Functions throw a RangeError for what names no file of theirs. */
export const layout = {
  daily: 'daily',
  dayFile: (day: string): RootPath => `daily/${checkDay(day)}.md`,
  /** Where the oldest stores kept their days; read too, and never made. */
  olderDayFile: (day: string): RootPath => `${checkDay(day)}.md`,
  audit: 'audit',
  auditFile: (day: string): RootPath => `audit/${checkDay(day)}.md`,
  graph: 'graph.jsonl',
  replaySnapshot: '.replay-projection-v1.json',
  replayDelta: '.replay-projection-v1.delta.jsonl',
  indexPage: 'index.md',
  futureLog: 'future-log.md',
  intake: '.capture-intake',
  catalog: '.capture-intake/catalog',
  log: '.capture-intake/log',
  logSegment: (number: number): RootPath => `.capture-intake/log/${checkCount(number, 'A log segment')}`,
  ledger: '.capture-intake/ledger',
  ledgerShard: (byte: string): RootPath => `.capture-intake/ledger/${checkHex(byte, 2, 'A shard')}`,
  intakeState: (state: IntakeState): RootPath => `.capture-intake/${state}`,
  intakeItem: (state: IntakeState, id: string): RootPath =>
    `.capture-intake/${state}/${checkHex(id, 64, 'A turn id')}.json`,
  outbox: '.capture-outbox',
  plan: (id: string): RootPath => `.capture-outbox/${checkHex(id, 64, 'A turn id')}.json`,
  index: '.index',
  manifest: '.index/manifest.json',
  runtime: '.index/runtime.json',
  /** Vectors of a rebuild that has not yet switched. */
  vectorStaging: '.index/rebuild-vectors.db',
  generations: '.index/generations',
  generation: (name: string): RootPath => `.index/generations/${checkGeneration(name)}`,
  database: (generation: string): RootPath => `.index/generations/${checkGeneration(generation)}/memory.db`,
  /** What recall keeps in memory of that database, to be loaded instead of made anew. */
  sidecar: (generation: string): RootPath => `.index/generations/${checkGeneration(generation)}/memory.sidecar`,
  schemaMarker: '.memory-schema',
  writerLease: '.writer-lease',
  writerEpoch: '.writer-epoch',
  maintenance: '.maintenance',
  gitignore: '.gitignore',
} as const

const DAY = '\\d{4}-\\d\\d-\\d\\d'
const DAY_FILE = new RegExp(`^(?:daily/)?(${DAY})\\.md$`)

/** The day of a canonical day file, older layout included; undefined for any other path. */
export function dayOfFile(path: RootPath): string | undefined {
  const day = DAY_FILE.exec(path)?.[1]
  return day !== undefined && isDay(day) ? day : undefined
}

/** True for the files whose content is the truth and makes the fingerprint (FMT-10). */
export function isCanonicalPath(path: RootPath): boolean {
  return (
    dayOfFile(path) !== undefined ||
    path === layout.graph ||
    path === layout.replaySnapshot ||
    path === layout.replayDelta
  )
}

/** What `.gitignore` of a root holds: only canonical files are kept, so that a checkout cannot rewind intake. */
export const GITIGNORE = [
  '/*',
  '!/.gitignore',
  '!/daily/',
  '!/graph.jsonl',
  '!/.replay-projection-v1.*',
  '!/????-??-??.md',
  '.*.tmp-*',
  '',
].join('\n')
