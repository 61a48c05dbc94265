import { sameIdentity, type FileIdentity, type FileSystem } from '@mono-agent/memory-store'
import type { RecordedFile } from '../sqlite/file-table.js'
import { digestOf } from './day-sources.js'

/** A file changed within this span of being recorded may have changed again without another time stamp. */
const RACY_NS = 2_000_000_000n
const NS_PER_MS = 1_000_000n

/** The look of a file that says nothing: recorded so soon after its change that a later one could look the same (§10). */
export const isRacy = ({ identity, recordedAt }: RecordedFile): boolean =>
  BigInt(recordedAt) * NS_PER_MS < identity.mtimeNs + RACY_NS

/** PURE: whether a look is enough to know that a file is as it was recorded, or that it has to be read. */
export const mustRead = (found: FileIdentity, recorded: RecordedFile | undefined): boolean =>
  recorded === undefined || !sameIdentity(found, recorded.identity) || isRacy(recorded)

/** True if a file that must be read does differ: a copied or touched file with the same bytes does not. */
export const differs = (fs: FileSystem, root: string, path: string, recorded: RecordedFile | undefined): boolean =>
  digestOf(fs, root, path) !== recorded?.digest
