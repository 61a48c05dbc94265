import type { Connection } from '../sqlite/connection.js'
import { prepared } from '../sqlite/statements.js'
import { dimensionOf, fromBlob } from '../sqlite/vector-rows.js'
import { CodeMatrix, type PossibleRow } from './code-matrix.js'

/** Vectors read between two yields: about ten milliseconds. */
const SLICE = 200

/**
 * Every write to the vectors of this connection leaves the row number here, within its own transaction, so that following
 * costs what changed and not what there is. Temporary: nothing of it reaches the file.
 */
const CHANGE_LOG = `
  create temp table if not exists changed_vectors (row integer primary key);
  create temp trigger if not exists vector_inserted after insert on main.memory_vectors
    begin insert or ignore into changed_vectors values (new.row); end;
  create temp trigger if not exists vector_updated after update on main.memory_vectors
    begin insert or ignore into changed_vectors values (old.row), (new.row); end;
  create temp trigger if not exists vector_removed after delete on main.memory_vectors
    begin insert or ignore into changed_vectors values (old.row); end;
`

interface StoredVector {
  readonly row: number
  readonly vector: Buffer
}

/** The vectors of an index in memory, as codes, kept as the database is: for the writer, whose capture asks again and again. */
export class NearVectors {
  #matrix: CodeMatrix | undefined
  #isFollowing = false
  #loadedUpTo = 0
  #version: unknown

  constructor(private readonly db: Connection) {}

  /** Reads all vectors, in slices; what is written meanwhile is followed. Without it the first question reads them. */
  async load(yieldTurn: () => Promise<void>): Promise<void> {
    this.#begin()
    while (this.#loadSlice()) await yieldTurn()
  }

  /**
   * Rows whose vector may reach the floor, the highest bound first.
   * @returns undefined where there is no matrix: no WebAssembly with SIMD, or too many vectors
   */
  above(vector: Float32Array, floor: number): PossibleRow[] | undefined {
    this.#begin()
    while (this.#loadSlice());
    this.#follow()
    return this.#matrix?.above(vector, floor)
  }

  /** Anew after another connection wrote: of its changes there is no log. */
  #begin(): void {
    const version = this.db.pragma('data_version', { simple: true })
    if (this.#isFollowing && version === this.#version) return
    const dimension = dimensionOf(this.db)
    this.#matrix = dimension === undefined ? undefined : CodeMatrix.create(dimension)
    this.#loadedUpTo = 0
    this.#version = version
    if (this.#isFollowing) return
    this.db.exec(CHANGE_LOG)
    this.#isFollowing = true
  }

  /** @returns whether there may be more */
  #loadSlice(): boolean {
    if (this.#matrix === undefined) return false
    const rows = prepared<[number, number], StoredVector>(
      this.db,
      'select row, vector from memory_vectors where row > ? order by row limit ?',
    ).all(this.#loadedUpTo, SLICE)
    for (const { row, vector } of rows) this.#set(row, vector)
    this.#loadedUpTo = rows.at(-1)?.row ?? this.#loadedUpTo
    return rows.length === SLICE
  }

  #follow(): void {
    const changed = prepared<[], number>(this.db, 'select row from changed_vectors').pluck().all()
    if (changed.length === 0) return
    const read = prepared<[number], Buffer>(this.db, 'select vector from memory_vectors where row = ?').pluck()
    for (const row of changed) {
      const vector = read.get(row)
      if (vector === undefined) this.#matrix?.remove(row)
      else this.#set(row, vector)
    }
    prepared(this.db, 'delete from changed_vectors').run()
  }

  #set(row: number, vector: Buffer): void {
    if (this.#matrix?.set(row, fromBlob(vector)) === false) this.#matrix = undefined
  }
}
