import type { WordColumns } from '../sqlite/full-text.js'

/*
 * What a full-text index holds, as one sum, whatever the order in which its parts are seen: as FTS5 proves an index that
 * keeps its texts, for one that keeps none. Of each word at each place of a record a number is made that depends on all of
 * it, weighed by two hashes of the word, and added modulo 2^32. It finds damage, and words of what is not there; it is no
 * proof against whom would forge one.
 */

const [ROW, PLACE] = [7_368_787, 3_245_263]
const [OTHER_ROW, OTHER_PLACE] = [2_750_161, 9_369_319]
/** Primes below 2^26: their product is a whole number that a double still holds. */
const [MODULUS, OTHER_MODULUS] = [67_108_859, 67_108_837]
const LANE = 4_294_967_291

/** Columns as a place counts them. */
const COLUMNS = ['body', 'before1', 'before2', 'tags'] as const

/**
 * Of each word of `word_instances`, in the order of the words: the word, how often it stands anywhere, and the sum of the
 * numbers of its places modulo 2^32. SQLite adds them up: handed out one by one they take six times as long.
 */
export const SUMS_OF_WORDS = `
  select term, count(*), sum((((doc * ${ROW} + place * ${PLACE}) % ${MODULUS}) *
      ((doc * ${OTHER_ROW} + place * ${OTHER_PLACE}) % ${OTHER_MODULUS})) % ${LANE}) % 4294967296
    from (select term, doc, offset * ${COLUMNS.length} + ${columnNumber()} as place from temp.word_instances) group by term`

/** The vocabulary behind it, which SQLite keeps for a connection alone. */
export const WORD_INSTANCES = 'create virtual table temp.word_instances using fts5vocab (main, memory_words, instance)'

export type SumOfWord = readonly [word: string, count: number, sum: number]

function columnNumber(): string {
  return `case col ${COLUMNS.map((name, at) => `when '${name}' then ${at}`).join(' ')} end`
}

function numberOf(row: number, place: number): number {
  const one = (row * ROW + place * PLACE) % MODULUS
  const other = (row * OTHER_ROW + place * OTHER_PLACE) % OTHER_MODULUS
  return (one * other) % LANE
}

/** FNV-1a over UTF-16 units, odd: a number that differs is still another one once it is weighed. */
function hashOf(word: string, seed: number): number {
  let hash = seed
  for (let at = 0; at < word.length; at++) hash = Math.imul(hash ^ word.charCodeAt(at), 16_777_619)
  return hash | 1
}

const [SEED, OTHER_SEED] = [-2_128_831_035, 1_540_483_477]

export class WordSum {
  #words = 0
  #lane = 0
  #otherLane = 0

  /** The words of a record: tokens parted by one space. @param row  below 2^29 */
  addRecord(row: number, columns: WordColumns): void {
    columns.forEach((text, column) => {
      if (text === '') return
      text.split(' ').forEach((word, offset) => {
        this.#add(word, 1, numberOf(row, offset * COLUMNS.length + column))
      })
    })
  }

  /** All places of a word, as the index has them. */
  addWord([word, count, sum]: SumOfWord): void {
    this.#add(word, count, sum)
  }

  equals(other: WordSum): boolean {
    return this.#words === other.#words && this.#lane === other.#lane && this.#otherLane === other.#otherLane
  }

  #add(word: string, count: number, sum: number): void {
    this.#words += count
    this.#lane = (this.#lane + Math.imul(hashOf(word, SEED), sum)) | 0
    this.#otherLane = (this.#otherLane + Math.imul(hashOf(word, OTHER_SEED), sum)) | 0
  }
}
