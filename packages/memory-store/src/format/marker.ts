import type { MemoryStatus, MemoryType } from '../types.js'

export interface MarkerMeaning {
  readonly type: MemoryType
  readonly status: MemoryStatus
}

/** What a marker says where the metadata says nothing (FMT-3). A box is a task's; `[~]` does not tell dropped from invalidated. */
const MEANINGS: Readonly<Record<string, MarkerMeaning>> = {
  '[ ]': { type: 'task', status: 'open' },
  '[x]': { type: 'task', status: 'done' },
  '[X]': { type: 'task', status: 'done' },
  '[>]': { type: 'task', status: 'migrated' },
  '[<]': { type: 'task', status: 'scheduled' },
  '[~]': { type: 'task', status: 'dropped' },
  '◦': { type: 'event', status: 'open' },
  '–': { type: 'note', status: 'open' },
}

const OPEN_MARKERS: Readonly<Record<MemoryType, string>> = { task: '[ ]', event: '◦', note: '–' }
const CLOSED_MARKERS: Readonly<Record<Exclude<MemoryStatus, 'open'>, string>> = {
  done: '[x]',
  migrated: '[>]',
  scheduled: '[<]',
  dropped: '[~]',
  invalidated: '[~]',
}

/** The marker a person sees: of the status, or while it is open of the type. */
export function markerOf(type: MemoryType, status: MemoryStatus): string {
  return status === 'open' ? OPEN_MARKERS[type] : CLOSED_MARKERS[status]
}

export interface SentenceLine {
  /** Absent if the line has none of the markers of FMT-3. */
  readonly marker?: MarkerMeaning
  /** What follows the marker, as it stands. */
  readonly text: string
}

/** Takes a list item apart; undefined if the line is none. One marker is taken off, so a sentence may look like one. */
export function parseSentenceLine(line: string): SentenceLine | undefined {
  if (!/^[-*+] /.test(line)) return undefined
  const rest = line.slice(2)
  const marker = /^(?:\[[ xX><~]\]|[◦–])(?= |$)/.exec(rest)?.[0]
  if (marker === undefined) return { text: rest }
  return { marker: MEANINGS[marker] as MarkerMeaning, text: rest.slice(marker.length + 1) }
}
