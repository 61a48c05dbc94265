import { ar } from './ar.js'
import { de } from './de.js'
import { en } from './en.js'
import { es } from './es.js'
import { fr } from './fr.js'
import { hi } from './hi.js'
import { id } from './id.js'
import { it } from './it.js'
import { ja } from './ja.js'
import { ko } from './ko.js'
import { nl } from './nl.js'
import { pl } from './pl.js'
import { pt } from './pt.js'
import { ru } from './ru.js'
import { sv } from './sv.js'
import { th } from './th.js'
import { tr } from './tr.js'
import { uk } from './uk.js'
import { vi } from './vi.js'
import { zh } from './zh.js'
import type { SentenceTriple } from './sentence-triple.js'

/** The sentences of each language, by ISO 639-1 code. */
export type SentenceSet = Readonly<Record<string, readonly SentenceTriple[]>>

/**
 * What an embedding model is measured with (SEA-15): twenty languages in nine scripts, eight facts each, all written for
 * this project. No fact of a language answers the question for another one, so any two of them are an unrelated pair.
 */
export const CALIBRATION_SENTENCES = {
  ar,
  de,
  en,
  es,
  fr,
  hi,
  id,
  it,
  ja,
  ko,
  nl,
  pl,
  pt,
  ru,
  sv,
  th,
  tr,
  uk,
  vi,
  zh,
} satisfies SentenceSet
