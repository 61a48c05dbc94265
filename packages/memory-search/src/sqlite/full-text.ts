import { analyze } from '../query/analyzer.js'
import { ftsText } from '../query/match-expression.js'
import { memoryTags } from '../query/tags.js'
import type { Connection } from './connection.js'
import { prepared } from './statements.js'

/** What the words of a record are made of. */
export interface WordSource {
  readonly row: number
  readonly sentence: string
  readonly created_at: string
  readonly occurred_at: string | null
  readonly speaker: string | null
  readonly conversation_id: string | null
}

export const WORD_SOURCE_COLUMNS = 'row, sentence, created_at, occurred_at, speaker, conversation_id'

/** The four columns of `memory_words`. */
export type WordColumns = readonly [body: string, before1: string, before2: string, tags: string]

export const bodyText = (sentence: string): string => ftsText(analyze(sentence))

export function tagText(source: Omit<WordSource, 'row' | 'sentence'>): string {
  return ftsText(
    memoryTags({
      createdAt: source.created_at,
      occurredAt: source.occurred_at ?? undefined,
      speaker: source.speaker ?? undefined,
      conversationId: source.conversation_id ?? undefined,
    }),
  )
}

export interface WordWriter {
  write(row: number, columns: WordColumns): void
  /** @param columns  what was written: the index holds no texts, and anything else would leave words of no record in it */
  remove(row: number, columns: WordColumns): void
}

export function wordWriter(db: Connection): WordWriter {
  const insert = prepared<unknown[], unknown>(
    db,
    'insert into memory_words (rowid, body, before1, before2, tags) values (?, ?, ?, ?, ?)',
  )
  const remove = prepared<unknown[], unknown>(
    db,
    `insert into memory_words (memory_words, rowid, body, before1, before2, tags) values ('delete', ?, ?, ?, ?, ?)`,
  )
  return {
    write: (row, columns) => void insert.run(row, ...columns),
    remove: (row, columns) => void remove.run(row, ...columns),
  }
}
