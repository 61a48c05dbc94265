import type { BodyTexts } from './body-texts.js'
import type { Connection } from './connection.js'
import { neighbours } from './context-columns.js'
import { tagText, wordWriter, WORD_SOURCE_COLUMNS, type WordColumns, type WordSource } from './full-text.js'
import { prepared } from './statements.js'

/** The words of a record as its row and the rows before it are now; undefined if it cannot be found. */
export function wordsOf(db: Connection, texts: BodyTexts): (row: number) => WordColumns | undefined {
  const source = prepared<[number], WordSource>(
    db,
    `select ${WORD_SOURCE_COLUMNS} from memories where row = ? and is_searchable = 1`,
  )
  const around = neighbours(db)
  return (row) => {
    const found = source.get(row)
    if (found === undefined) return undefined
    const [before1 = '', before2 = ''] = found.conversation_id === null ? [] : around.before(row)
    return [texts.of(found.sentence), texts.of(before1), texts.of(before2), tagText(found)]
  }
}

const isSame = (one: WordColumns | undefined, other: WordColumns | undefined): boolean =>
  one === other || (one !== undefined && other !== undefined && one.every((text, at) => text === other[at]))

/**
 * Rows whose words may be others once the caller's transaction has changed the memories. The index holds no texts: what it has
 * of a row is taken out by the words that were put in, so they are found while the memories still say them.
 */
export class StaleWords {
  readonly #former = new Map<number, WordColumns | undefined>()
  readonly #wordsOf: (row: number) => WordColumns | undefined

  constructor(
    private readonly db: Connection,
    texts: BodyTexts,
  ) {
    this.#wordsOf = wordsOf(db, texts)
  }

  get rows(): Iterable<number> {
    return this.#former.keys()
  }

  /** Call it before the row or one of the two before it changes, and for a row that has no words yet before it can be found. */
  note(row: number): void {
    if (!this.#former.has(row)) this.#former.set(row, this.#wordsOf(row))
  }

  /** Writes anew what is not what it was. In the order of the rows: FTS5 begins a new segment wherever they go back. */
  refresh(): void {
    const writer = wordWriter(this.db)
    for (const row of [...this.#former.keys()].sort((a, b) => a - b)) {
      const former = this.#former.get(row)
      const words = this.#wordsOf(row)
      if (isSame(former, words)) continue
      if (former !== undefined) writer.remove(row, former)
      if (words !== undefined) writer.write(row, words)
    }
  }
}
