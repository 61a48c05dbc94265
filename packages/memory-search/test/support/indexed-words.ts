import type { Connection } from '../../src/sqlite/connection.js'

export type IndexedWords = [body: string, before1: string, before2: string, tags: string]

const COLUMNS = ['body', 'before1', 'before2', 'tags']

interface Instance {
  readonly term: string
  readonly doc: number
  readonly col: string
  readonly offset: number
}

/** What the full-text index holds, record by record, put together from its vocabulary: it keeps no texts. */
export function indexedWords(db: Connection): Map<number, IndexedWords> {
  db.exec('create virtual table temp.instances_of_tests using fts5vocab (main, memory_words, instance)')
  try {
    const found = new Map<number, string[][]>()
    for (const row of db.prepare<[], number>('select rowid from memory_words').pluck().iterate()) {
      found.set(row, [[], [], [], []])
    }
    for (const { term, doc, col, offset } of db.prepare<[], Instance>('select * from instances_of_tests').iterate()) {
      const words = found.get(doc)?.[COLUMNS.indexOf(col)]
      if (words === undefined) throw new Error(`The index holds words of row ${doc}, and no such row.`)
      words[offset] = term
    }
    return new Map([...found].map(([row, columns]) => [row, columns.map((words) => words.join(' ')) as IndexedWords]))
  } finally {
    db.exec('drop table temp.instances_of_tests')
  }
}
