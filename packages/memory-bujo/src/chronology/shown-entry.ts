import { checkSentence, dayOfFile, type ChronologyEntry } from '@mono-agent/memory-store'
import type { ChronologyRecord } from '@mono-agent/memory-search'
import { standingOf } from '../recall/currentness.js'
import type { Vantage } from '../recall/types.js'

/** Stands for text that is no sentence of FMT-5: what nobody could see, or what would break a line, is not passed on. */
export const WITHHELD_TEXT = '[text withheld: unsafe characters]'
/** Stands for an id that holds more than letters, digits and `. _ : -`, or over 128 of them: it could say something. */
export const WITHHELD_ID = '[id withheld]'

const PLAIN_ID = /^[A-Za-z0-9][A-Za-z0-9._:-]{0,127}$/

/**
 * What the chronology tells of a record: never its session, speaker, path, salience or labels (REC-24).
 * @throws {RangeError} a record that no day file holds: the index has none
 */
export function entryOf({ moment, memory }: ChronologyRecord, vantage: Vantage): ChronologyEntry {
  const { id, text, type, status, createdAt, attribution, file } = memory
  const day = dayOfFile(file)
  if (day === undefined) throw new RangeError('A record of the chronology stands in no day file.')
  return {
    id: PLAIN_ID.test(id) ? id : WITHHELD_ID,
    at: new Date(moment).toISOString(),
    createdAt,
    text: checkSentence(text) === undefined ? text : WITHHELD_TEXT,
    type,
    status,
    currentness: standingOf(memory, vantage).state,
    ...(attribution === undefined ? {} : { attribution }),
    day,
  }
}
