/** What a calibration was found by. */
export interface CalibrationBasis {
  /** The bundled sentences, or this store: by labelled queries, or by pairs of its own memories (OPS-18). */
  readonly source: 'sentences' | 'queries' | 'pairs'
  /** Of the sentences: ISO 639-1 codes of the languages that the floors rest on. */
  readonly languages?: readonly string[] | undefined
}

/**
 * What the scores of one embedding model mean (SEA-15). The noise floor is compared with cosines. The other floors and
 * distances are compared with the evidence of a hit: its score over `1 + lexicalWeight`, which brings what words and anchors
 * added back to the scale of a cosine; beside a strong model it is the score. All are 0..1.
 */
export interface Calibration {
  /** A cosine below it is no evidence that two texts belong together. */
  readonly noiseFloor: number
  /** The best hit must reach it, or automatic context shows nothing; what it is shown with may be lower (REC-14). */
  readonly automaticFloor: number
  /** Automatic context shows nothing further than this below the best. */
  readonly automaticWindow: number
  /** If the best hit of a deliberate recall reaches it, hits below it are dropped (REC-3); if not, evidence is insufficient (REC-5). */
  readonly deliberateFloor: number
  /** A hit further than this below the best one is dropped (REC-3). */
  readonly tail: number
  /** What full lexical evidence adds to a score: 0 for a strong model, up to 1 for a weak one (SEA-13). */
  readonly lexicalWeight: number
  /** Absent from what the library ships for the default model. */
  readonly basis?: CalibrationBasis | undefined
}
