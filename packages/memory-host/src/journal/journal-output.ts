import { z } from 'zod'
import { toolError } from '../tools/failed-result.js'

const instant = (meaning: string) => z.string().describe(`${meaning} RFC 3339.`)

const entry = z.strictObject({
  id: z.string().describe('Id of the memory; a fixed marker where it held unsafe characters.'),
  at: instant('When it was: the time of the occurrence where that is known, else of the recording.'),
  recordedAt: instant('When it was recorded.'),
  day: z.string().describe('The day file that holds it, `YYYY-MM-DD`.'),
  type: z.enum(['note', 'event', 'task']),
  status: z.enum(['open', 'done', 'migrated', 'scheduled', 'dropped', 'invalidated']),
  currentness: z.enum(['current', 'superseded', 'ended']).describe('When the range was read.'),
  attribution: z.enum(['user-stated', 'document', 'assistant-inferred', 'unknown']).optional(),
  text: z.string().describe('Untrusted evidence, in one line; a fixed marker where it held unsafe characters.'),
})

/** What `MemoryJournal` gives back as data; no field but `error` where the call failed. */
export const journalOutput = z.strictObject({
  range: z
    .strictObject({
      fromDate: z.string(),
      throughDate: z.string(),
      timeZone: z.string(),
      from: instant('First instant of the range, UTC,'),
      before: instant('First instant after it, UTC,'),
    })
    .optional()
    .describe('What was asked for, and the half-open interval that it means.'),
  entries: z.array(entry).optional().describe('Oldest first.'),
  coverage: z
    .strictObject({
      complete: z.boolean().describe('Whether the whole range was scanned.'),
      stoppedBy: z
        .enum(['entries', 'bytes'])
        .optional()
        .describe('Why not: the range has more than 1,000 entries, or more than 2 MiB of them.'),
      found: z.int().describe('Entries of the scanned part.'),
      shownBefore: z.int().describe('How many of them earlier pages showed.'),
    })
    .optional(),
  noData: z.literal(true).optional().describe('The whole range was scanned, and nothing is recorded in it.'),
  nextCursor: z.string().optional().describe('For the next page; absent on the last one.'),
  error: toolError.optional(),
})

export type JournalOutput = z.output<typeof journalOutput>
export type JournalEntry = NonNullable<JournalOutput['entries']>[number]
