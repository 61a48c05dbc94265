import { nodeFileSystem, type FileSystem } from '@mono-agent/memory-store'
import fc from 'fast-check'
import { join } from 'node:path'
import { makeTemporaryRoot } from '../../../../../test/support/temporary-root.js'
import { publishSidecarFile, type PublishSidecarOptions } from '../../../src/sidecar/file/publish-sidecar.js'
import { loadSidecarFile, type SectionArray } from '../../../src/sidecar/file/sidecar-file.js'
import type { SidecarHeader } from '../../../src/sidecar/file/sidecar-format.js'

export const HEADER: SidecarHeader = { identity: 'g1-0:abc', change: 7, mark: 'nonce', slots: 3, dimension: 4 }

export type Sections = Readonly<Record<string, SectionArray>>

/** Of every width, one that is empty, and two of the same length. */
export const SECTIONS = {
  rows: Uint32Array.of(1, 2, 3),
  others: Uint32Array.of(3, 2, 1),
  lengths: Uint16Array.of(5, 6, 7),
  recordedAt: Float64Array.of(1.5, -0, Infinity),
  gains: Float32Array.of(0.25, 0.5, 1),
  empty: new Uint32Array(0),
  codes: Uint8Array.of(255, 0, 9),
} satisfies Sections

export const newPath = (): string => join(makeTemporaryRoot(), 'memory.sidecar')

/** A lease that is held, of a writer of its own. */
export function heldLease(epoch = 1): PublishSidecarOptions['lease'] {
  let serial = 0
  return {
    assertHeld: () => undefined,
    temporaryName: (path) => join(path, '..', `.memory.sidecar.tmp-${epoch}-${serial++}`),
  }
}

export const publish = (
  path: string,
  sections: Sections = SECTIONS,
  header: SidecarHeader = HEADER,
  options: Partial<PublishSidecarOptions> & { readonly fs?: FileSystem } = {},
): Promise<void> => {
  const { fs = nodeFileSystem, ...rest } = options
  return publishSidecarFile(fs, path, header, sections, { lease: heldLease(), ...rest })
}

/** Reads back every section of `like`; a fault instead. */
export const readBack = (path: string, like: Sections = SECTIONS, identity = HEADER.identity, fs = nodeFileSystem) =>
  loadSidecarFile(fs, path, { identity }, (file) => {
    const sections: Record<string, SectionArray> = {}
    for (const [name, section] of Object.entries(like)) {
      sections[name] = file.take(name, section.constructor as Uint8ArrayConstructor)
    }
    return { header: file.header, sections }
  })

const text = fc.string({ minLength: 1, maxLength: 200, unit: 'binary' })

export const headers: fc.Arbitrary<SidecarHeader> = fc
  .record(
    {
      identity: text,
      change: fc.maxSafeNat(),
      mark: text,
      slots: fc.nat({ max: 20 }), // a head alone is longer
      dimension: fc.integer({ min: 1, max: 65_536 }),
      meanOf: fc.maxSafeNat(),
    },
    { requiredKeys: ['identity', 'change', 'mark', 'slots'] },
  )
  .map(({ dimension, meanOf, ...header }) => ({
    ...header,
    ...(dimension === undefined ? {} : { dimension }),
    ...(meanOf === undefined ? {} : { meanOf }),
  }))

const arrays: fc.Arbitrary<SectionArray> = fc.oneof(
  fc.uint8Array({ maxLength: 40 }),
  fc.uint16Array({ maxLength: 40 }),
  fc.uint32Array({ maxLength: 40 }),
  fc.int32Array({ maxLength: 40 }),
  fc.float32Array({ maxLength: 40 }),
  fc.float64Array({ maxLength: 40 }),
  fc.bigUint64Array({ maxLength: 40 }),
)

export const sectionsOf: fc.Arbitrary<Sections> = fc.dictionary(fc.stringMatching(/^[a-z][A-Za-z0-9]{0,31}$/), arrays, {
  maxKeys: 8,
  noNullPrototype: true,
})
