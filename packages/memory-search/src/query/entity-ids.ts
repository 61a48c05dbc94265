import { lazyPattern } from './lazy-pattern.js'
import { DICTIONARY } from './script-runs.js'

/** As FMT-7 spells the id of an entity; not in the middle of a longer word. */
const ID = lazyPattern(String.raw`(?<![A-Za-z0-9_.:-])[a-z][a-z0-9_-]{0,31}:[\p{L}\p{M}\p{N}._-]{1,128}`, 'gu')
/** An id may end in a mark, and so may a sentence. */
const LAST_MARKS = /[._-]+$/u
/** Where words are not parted by spaces the sentence goes on after an id (`person:anaに会う`). */
const GLUED = lazyPattern(`(?<=[^:${DICTIONARY}\\p{sc=Hangul}])[${DICTIONARY}\\p{sc=Hangul}].*$`, 'su')

/** Something in a text that may be an id. */
export interface PossibleId {
  readonly at: number
  /** The longest reading first. */
  readonly readings: readonly string[]
}

/** What in a text may be the id of an entity, such as `person:ana-lopez`, spelled exactly. */
export const possibleIds = (text: string): PossibleId[] =>
  Array.from(text.matchAll(ID()), ({ 0: whole, index }) => {
    const own = whole.replace(GLUED(), '')
    return { at: index, readings: [...new Set([whole, own, own.replace(LAST_MARKS, '')])] }
  })
