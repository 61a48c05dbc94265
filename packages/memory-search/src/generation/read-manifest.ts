import type { FileSystem } from '@mono-agent/memory-store'
import type { Calibration } from '../calibration/calibration.js'
import type { IndexIdentity } from '../types.js'
import { loadManifest } from './manifest.js'

/** What an index was built for and is judged by, as far as others need it. */
export interface IndexManifest {
  readonly generation: string
  readonly identity: IndexIdentity
  readonly calibration: Calibration | undefined
}

/**
 * What the manifest of a root says, whatever the configuration is; undefined where there is none. Opens no database.
 * @param root  resolved path
 * @throws {SearchError} manifest_invalid, index_newer, index_obstructed  @throws {StoreError} path_unsafe, storage_failed
 */
export function readIndexManifest(fs: FileSystem, root: string): IndexManifest | undefined {
  const manifest = loadManifest(fs, root)
  if (manifest === undefined) return undefined
  const { generation, calibration } = manifest
  const { tier, provider, model, dimension, fingerprint } = manifest.identity
  const identity = {
    tier,
    ...(provider === undefined ? {} : { provider }),
    ...(model === undefined ? {} : { model }),
    ...(dimension === undefined ? {} : { dimension }),
    ...(fingerprint === undefined ? {} : { fingerprint }),
  }
  return { generation, identity, calibration }
}
