import { createHash, type Hash } from 'node:crypto'
import type { Connection } from '../sqlite/connection.js'
import { schemaVersionOf } from '../sqlite/schema.js'
import { schemaObjects } from './validate.js'

/** What a row may cost before the event loop gets its turn: a millisecond or two of hashing. */
const SLICE_BYTES = 512 * 1024
const SLICE_ROWS = 200

type Value = null | bigint | number | string | Buffer

/** SHA-256 over rows so that different rows never look alike: each value with its type, texts and blobs with their length. */
class RowHash {
  readonly #hash: Hash = createHash('sha256')
  #rows = 0
  #bytes = 0

  constructor(private readonly yieldTurn: () => Promise<void>) {}

  section(title: string): void {
    this.#hash.update(`\n# ${title}\n`)
  }

  /** The statement's rows in its order. Its connection must be left alone meanwhile. */
  async rows(rows: Iterable<readonly Value[]>): Promise<void> {
    for (const row of rows) {
      this.#row(row)
      if (++this.#rows < SLICE_ROWS && this.#bytes < SLICE_BYTES) continue
      this.#rows = this.#bytes = 0
      await this.yieldTurn()
    }
  }

  digest(): string {
    return this.#hash.digest('hex')
  }

  #row(values: readonly Value[]): void {
    let text = ''
    for (const value of values) {
      if (value === null) text += 'n;'
      else if (typeof value === 'bigint') text += `i${value};`
      else if (typeof value === 'number') text += `r${value};`
      else if (typeof value === 'string') text += `t${value.length}:${value};`
      else {
        this.#add(`${text}b${value.byteLength}:`)
        this.#add(value)
        text = ';'
      }
    }
    this.#add(`${text}\n`)
  }

  #add(part: string | Buffer): void {
    this.#bytes += part.length
    this.#hash.update(part)
  }
}

/** Rows as SQLite holds them: whole numbers as `bigint`, so that 1 and 1.0 differ. */
const rowsOf = (db: Connection, sql: string, ...values: readonly string[]): IterableIterator<readonly Value[]> =>
  db
    .prepare<unknown[], readonly Value[]>(sql)
    .raw()
    .safeIntegers()
    .iterate(...values)

const quoted = (name: string): string => `"${name.replaceAll('"', '""')}"`

/**
 * Counts of what was read, and the log of changes with its epochs: all grow without anything that answers a query being
 * another one (REC-13, SEA-19).
 */
const UNSAID = ['access_counts', 'changed_rows', 'epochs']

/** Every table that holds rows of what the index says, those behind the full text included. */
const tablesOf = (db: Connection): string[] =>
  db
    .prepare<[string], string>(
      `select name from pragma_table_list
         where schema = 'main' and type in ('table', 'shadow') and name not like 'sqlite\\_%' escape '\\'
           and name not in (select value from json_each(?)) order by name`,
    )
    .pluck()
    .all(JSON.stringify(UNSAID))

/** The order of a table's own tree: rows are read as they lie. */
function orderOf(db: Connection, table: string): string {
  const key = db
    .prepare<[string], string>('select name from pragma_table_info(?) where pk > 0 order by pk')
    .pluck()
    .all(table)
  return key.length === 0 ? 'rowid' : key.map(quoted).join(', ')
}

/**
 * What a database says, whole (OPS-3): SHA-256 over its schema and every row of every table, full text and vectors included,
 * in the order of their keys. Left out are the generation's own name, since a copy gets another one, the counts of what was
 * read, and which rows changed when. Two databases of one commitment answer every query alike, with the same scores.
 * @param yieldTurn  called between slices; nobody else may use the connection meanwhile
 * @returns 64 lower-case hex digits
 */
export async function commitmentOf(db: Connection, yieldTurn: () => Promise<void>): Promise<string> {
  const hash = new RowHash(yieldTurn)
  hash.section(`schema ${schemaVersionOf(db)} ${JSON.stringify(schemaObjects(db))}`)
  for (const table of tablesOf(db)) {
    hash.section(table)
    const where = table === 'index_identity' ? ` where key <> 'generation'` : ''
    await hash.rows(rowsOf(db, `select * from ${quoted(table)}${where} order by ${orderOf(db, table)}`))
  }
  return hash.digest()
}

/**
 * What a database took from the day files: the files by their digests, and all fields of all memories by file and line. Row
 * numbers, words and vectors are left out: indexes of different tiers that were made of the same files have the same payload.
 * @returns 64 lower-case hex digits
 */
export async function payloadOf(db: Connection, yieldTurn: () => Promise<void>): Promise<string> {
  const hash = new RowHash(yieldTurn)
  hash.section('files')
  await hash.rows(rowsOf(db, 'select path, size, digest from files order by path'))
  const columns = db
    .prepare<[], string>(`select name from pragma_table_info('memories') where name <> 'row' order by cid`)
    .pluck()
    .all()
  hash.section(`memories ${columns.join(' ')}`)
  const select = `select ${columns.map(quoted).join(', ')} from memories where file = ? order by position`
  // File by file, which an index serves: sorting all rows at once would hold the event loop.
  for (const file of db.prepare<[], string>('select distinct file from memories order by file').pluck().all()) {
    await hash.rows(rowsOf(db, select, file))
  }
  return hash.digest()
}
