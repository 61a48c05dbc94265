import Database from 'better-sqlite3'
import type { WordColumns } from '../../../src/sqlite/full-text.js'
import { COLUMN_WEIGHTS } from '../../../src/sqlite/schema.js'

/** Records in SQLite's own full-text index, with the statement that makes the table of the index: what is right. */
export class FullTextTable {
  readonly #db = new Database(':memory:')

  constructor() {
    this.#db.exec(`
      create virtual table memory_words using fts5 (body, before1, before2, tags, tokenize = 'ascii');
      create virtual table word_frequencies using fts5vocab (memory_words, row);`)
  }

  write(row: number, columns: WordColumns): void {
    this.remove(row)
    this.#db
      .prepare('insert into memory_words (rowid, body, before1, before2, tags) values (?, ?, ?, ?, ?)')
      .run(row, ...columns)
  }

  remove(row: number): void {
    this.#db.prepare('delete from memory_words where rowid = ?').run(row)
  }

  /** bm25 of every record that holds one of the words, by row. */
  bm25(words: readonly string[]): Map<number, number> {
    const found = this.#db
      .prepare(`select rowid, -bm25(memory_words, ${COLUMN_WEIGHTS}) from memory_words where memory_words match ?`)
      .raw()
      .all(words.map((word) => `"${word}"`).join(' OR ')) as [number, number][]
    return new Map(found)
  }

  frequency(word: string): number {
    return (
      (this.#db.prepare('select doc from word_frequencies where term = ?').pluck().get(word) as number | undefined) ?? 0
    )
  }

  /** Rows that hold the word in any column. */
  rowsWith(word: string): number[] {
    return this.#db
      .prepare('select rowid from memory_words where memory_words match ? order by rowid')
      .pluck()
      .all(`"${word}"`) as number[]
  }

  close(): void {
    this.#db.close()
  }
}
