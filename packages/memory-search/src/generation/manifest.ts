import { layout, publishFile, readPinned, type FileSystem, type WriterLease } from '@mono-agent/memory-store'
import { join } from 'node:path'
import { z } from 'zod'
import { searchError } from '../errors.js'
import { checkIndexPath } from './index-paths.js'

export const MANIFEST_VERSION = 1

const identitySchema = z.strictObject({
  tier: z.enum(['lite', 'journal', 'bujo']),
  provider: z.string().exactOptional(),
  model: z.string().exactOptional(),
  dimension: z.int().positive().exactOptional(),
  fingerprint: z.string().exactOptional(),
})

const share = z.number().min(0).max(1)
const calibrationSchema = z.strictObject({
  noiseFloor: share,
  automaticFloor: share,
  automaticWindow: share,
  deliberateFloor: share,
  tail: share,
  lexicalWeight: share,
  basis: z
    .strictObject({
      source: z.enum(['sentences', 'queries', 'pairs']),
      languages: z.array(z.string()).readonly().optional(),
    })
    .optional(),
})

const generationName = z.string().regex(/^[A-Za-z0-9][A-Za-z0-9_-]{0,63}$/)
const digest = z.string().regex(/^[0-9a-f]{64}$/)

const previousSchema = z.strictObject({
  generation: generationName,
  identity: identitySchema,
  analyzer: z.string(),
  schemaVersion: z.int().positive(),
  /** When the index was built, not when it was kept. */
  createdAt: z.iso.datetime(),
  calibration: calibrationSchema.optional(),
  /** `commitmentOf` its database. */
  commitment: digest,
  /** `recordedSource` of the files both it and its successor were made from; counts only while it is offered. */
  source: digest,
  /** False from the first change of a day file on, or if it never was what the day files say. */
  isOffered: z.boolean(),
})

const manifestSchema = z.strictObject({
  version: z.literal(MANIFEST_VERSION),
  generation: generationName,
  identity: identitySchema,
  /** `ANALYZER` of the writer that made the words. */
  analyzer: z.string(),
  schemaVersion: z.int().positive(),
  /** RFC 3339, UTC. */
  createdAt: z.iso.datetime(),
  /** Of the embedding model; absent in lite, and until it was measured (SEA-15). */
  calibration: calibrationSchema.optional(),
  /** The index before this one, kept to go back to (OPS-3). */
  previous: previousSchema.optional(),
})

/** An index that was kept. */
export type PreviousIndex = z.infer<typeof previousSchema>

/** Names the generation that counts (OPS-1) and the one that was kept; its rename is the commit point of a build. */
export type Manifest = z.infer<typeof manifestSchema>

/** Reads a manifest's bytes. @throws {SearchError} manifest_invalid; index_newer: of a version that is not known here */
export function parseManifest(bytes: Uint8Array): Manifest {
  let value: unknown
  try {
    value = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes))
  } catch (error) {
    throw searchError('manifest_invalid', 'no JSON', error)
  }
  const { version } = (typeof value === 'object' && value !== null ? value : {}) as { version?: unknown }
  if (typeof version === 'number' && version > MANIFEST_VERSION) {
    throw searchError('index_newer', `manifest version ${version}, known ${MANIFEST_VERSION}`)
  }
  const parsed = manifestSchema.safeParse(value)
  if (!parsed.success) {
    const where = parsed.error.issues.map(({ path, code }) => `${path.join('.') || 'manifest'}: ${code}`)
    throw searchError('manifest_invalid', where.slice(0, 3).join('; '))
  }
  return parsed.data
}

export const formatManifest = (manifest: Manifest): Uint8Array =>
  new TextEncoder().encode(`${JSON.stringify(manifest, null, 2)}\n`)

/** Undefined if there is none. @throws {SearchError} manifest_invalid, index_newer, index_obstructed  @throws {StoreError} */
export function loadManifest(fs: FileSystem, root: string): Manifest | undefined {
  if (checkIndexPath(fs, root, layout.index, 'directory') === undefined) return undefined
  if (checkIndexPath(fs, root, layout.manifest, 'file') === undefined) return undefined
  const read = readPinned(fs, join(root, layout.manifest))
  return read === undefined ? undefined : parseManifest(read.bytes)
}

export async function publishManifest(
  fs: FileSystem,
  lease: WriterLease,
  root: string,
  manifest: Manifest,
): Promise<void> {
  await publishFile(fs, lease, join(root, layout.manifest), formatManifest(manifest))
}
