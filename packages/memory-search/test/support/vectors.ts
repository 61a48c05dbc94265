import { sha256Hex, type Bullet } from '@mono-agent/memory-store'
import type { Calibration } from '../../src/calibration/calibration.js'
import type { EmbeddingProvider } from '../../src/embedding/embedding-provider.js'
import { buildIndex, type IndexIdentity, type RebuildReport, type SearchIndex } from '../../src/index.js'
import type { TestRoot } from './roots.js'

/** Enough that vectors of ten thousand texts are all but orthogonal to each other. */
export const DIMENSION = 128

export const JOURNAL: IndexIdentity = {
  tier: 'journal',
  provider: 'test',
  model: 'hash',
  dimension: DIMENSION,
  fingerprint: 'hash-128',
}

/** The default model's, and a weak one's. */
export const STRONG: Calibration = {
  noiseFloor: 0.5,
  automaticFloor: 0.62,
  automaticWindow: 0.04,
  deliberateFloor: 0.65,
  tail: 0.15,
  lexicalWeight: 0,
}
export const WEAK: Calibration = { ...STRONG, noiseFloor: 0.3, lexicalWeight: 1 }

export function unit(values: readonly number[]): Float32Array {
  const length = Math.sqrt(values.reduce((sum, value) => sum + value * value, 0))
  return Float32Array.from(values, (value) => value / length)
}

/** A vector that says nothing about its text: two texts are as near as chance has it. The same on every platform. */
export function hashVector(text: string, dimension = DIMENSION): Float32Array {
  const values: number[] = []
  for (let block = 0; values.length < dimension; block++) {
    const bytes = Buffer.from(sha256Hex(`${block}:${text}`), 'hex')
    for (const byte of bytes) if (values.length < dimension) values.push(byte - 127.5)
  }
  return unit(values)
}

/** Of three dimensions, so that many texts are near each other by chance. */
export const coarseVector = (text: string): Float32Array => {
  const vector = new Float32Array(DIMENSION)
  vector.set(hashVector(text, 3))
  return vector
}

export interface CountingProvider extends EmbeddingProvider {
  /** Every text that was asked for, in order. */
  readonly asked: string[]
  /** Batches that are answered before the service fails for good; set it again to let it recover. */
  batches: number
}

export function hashProvider(vectorOf: (text: string) => Float32Array = hashVector): CountingProvider {
  const asked: string[] = []
  return {
    id: 'test:hash',
    identity: { provider: 'test', model: 'hash', dimension: DIMENSION, fingerprint: 'hash-128' },
    asked,
    batches: Infinity,
    embed(texts) {
      if (this.batches <= 0) return Promise.reject(new Error('killed'))
      this.batches--
      asked.push(...texts)
      return Promise.resolve(texts.map((text) => vectorOf(text)))
    },
  }
}

export interface JournalOptions {
  readonly embed?: EmbeddingProvider
  readonly calibration?: Calibration
  readonly identity?: IndexIdentity
}

export const build = (
  root: TestRoot,
  { embed = hashProvider(), calibration = STRONG, identity = JOURNAL }: JournalOptions = {},
): Promise<RebuildReport> =>
  buildIndex({
    root: root.path,
    fs: root.fs,
    lease: root.lease,
    identity,
    now: Date.now,
    vectors: { embed, calibrate: () => Promise.resolve(calibration) },
  })

/** Embeds everything that waits, as a queue does. @returns the texts that were asked for */
export function drain(index: SearchIndex, vectorOf: (text: string) => Float32Array = hashVector): string[] {
  const asked: string[] = []
  for (;;) {
    const waiting = index.missingVectors(0, 32)
    if (waiting.length === 0) return asked
    const texts = new Map(waiting.map(({ contentHash, text }) => [contentHash, text]))
    asked.push(...texts.values())
    index.writeVectors([...texts].map(([contentHash, text]) => ({ contentHash, vector: vectorOf(text) })))
  }
}

/** Day files of these bullets, by file. */
export function writeAll(root: TestRoot, files: ReadonlyMap<string, readonly Bullet[]>): void {
  for (const [file, bullets] of files) root.write(file, bullets)
}
