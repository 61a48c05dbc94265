import {
  checkOwned,
  flushed,
  onDisk,
  removeOldTemporaries,
  storageError,
  writeBytes,
  type FileSystem,
  type OpenFile,
  type WriterLease,
} from '@mono-agent/memory-store'
import { dirname } from 'node:path'
import { crc32 } from 'node:zlib'
import type { SectionArray } from './sidecar-file.js'
import { formatSidecarHead, type SectionEntry, type SidecarHeader } from './sidecar-format.js'

/** What publication needs of the lease. A thread that holds none itself makes one of the epoch that it was told. */
export type SidecarPublisher = Pick<WriterLease, 'assertHeld' | 'temporaryName'>

export interface PublishSidecarOptions {
  readonly lease: SidecarPublisher
  /** Ends the publication before its rename; what it had written is removed. */
  readonly signal?: AbortSignal
  /** Lets others have their turn; by default one turn of the event loop. */
  readonly yieldTurn?: () => Promise<void>
}

/** Writes are synchronous: a slice takes a few milliseconds, after which others have their turn. */
const SLICE_BYTES = 4 * 1024 * 1024

const nextTurn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve))

/** No temporary of a live publication has it. */
const NO_EPOCH = -1

/**
 * Removes what killed publications left beside `path`, of whatever epoch: a thread that was ended leaves one of the present.
 * Not while a publication is under way.
 * @throws {StoreError} storage_failed, lease_lost
 */
export function removeSidecarTemporaries(
  fs: FileSystem,
  lease: Pick<SidecarPublisher, 'assertHeld'>,
  path: string,
): number {
  return removeOldTemporaries(fs, { epoch: NO_EPOCH, assertHeld: () => lease.assertHeld() }, [dirname(path)])
}

/**
 * Replaces the sidecar file at `path` whole: a reader finds the former one or this one, after a power loss as well (FMT-11).
 * Temporaries of killed publications are removed first. One publication at a time; of two at once one fails, and what has
 * the name is whole all the same.
 * @param sections  in this order in the file; they stay as they are until the promise is settled
 * @throws {StoreError} storage_failed (disk full and the like): outcome `not_written` while the former file is in place and
 *   nothing else is left, else `unknown`; lease_lost, path_unsafe  @throws the signal's reason
 */
export async function publishSidecarFile(
  fs: FileSystem,
  path: string,
  header: SidecarHeader,
  sections: Readonly<Record<string, SectionArray>>,
  options: PublishSidecarOptions,
): Promise<void> {
  const { lease, signal } = options
  signal?.throwIfAborted()
  lease.assertHeld()
  checkOwned(fs, path, 'file')
  removeSidecarTemporaries(fs, lease, path)
  const breathe = breathing(options)
  const entries = await entriesOf(sections, breathe)
  const head = formatSidecarHead(header, entries)
  const temporary = lease.temporaryName(path)
  const file = onDisk('create', path, () => fs.open(temporary, 'create'), 'not_written')
  let isInPlace = false
  try {
    await writeAll(file, path, head, sections, entries, breathe)
    lease.assertHeld() // a writer that was replaced must not replace what its successor wrote
    onDisk('replace', path, () => fs.rename(temporary, path), 'unknown')
    isInPlace = true
  } finally {
    if (!isInPlace) discard(fs, temporary)
  }
  await flushed('flush the directory of', path, () => fs.syncDirectory(dirname(path)))
}

const breathing =
  ({ signal, yieldTurn = nextTurn }: PublishSidecarOptions) =>
  async (): Promise<void> => {
    await yieldTurn()
    signal?.throwIfAborted()
  }

async function entriesOf(
  sections: Readonly<Record<string, SectionArray>>,
  breathe: () => Promise<void>,
): Promise<SectionEntry[]> {
  const entries: SectionEntry[] = []
  for (const [name, section] of Object.entries(sections)) {
    const checksum = await sumUp(section, () => breathe())
    const element = section.BYTES_PER_ELEMENT as SectionEntry['element']
    entries.push({ name, bytes: section.byteLength, element, checksum })
  }
  return entries
}

/** Checksum of a section, each slice of which `visit` sees, one after the other. */
async function sumUp(section: SectionArray, visit: (slice: Uint8Array, at: number) => Promise<void>): Promise<number> {
  const bytes = new Uint8Array(section.buffer, section.byteOffset, section.byteLength)
  let sum = 0
  for (let at = 0; at < bytes.length; at += SLICE_BYTES) {
    const slice = bytes.subarray(at, at + SLICE_BYTES)
    sum = crc32(slice, sum)
    await visit(slice, at)
  }
  return sum
}

/** Writes, flushes and closes the temporary. */
async function writeAll(
  file: OpenFile,
  path: string,
  head: Uint8Array,
  sections: Readonly<Record<string, SectionArray>>,
  entries: readonly SectionEntry[],
  breathe: () => Promise<void>,
): Promise<void> {
  try {
    try {
      writeBytes(file, head, 0)
      let offset = head.length
      for (const { name, bytes, checksum } of entries) {
        const written = await sumUp(sections[name] as SectionArray, async (slice, at) => {
          writeBytes(file, slice, offset + at)
          await breathe()
        })
        // A bug of the caller. With its checksum of before the file would be damaged, with a new one a mix of two states.
        if (written !== checksum) throw new Error('A section of the sidecar changed while it was written.')
        offset += bytes
      }
      await file.sync() // before the rename: a name must never point at bytes not yet on disk
    } finally {
      file.close()
    }
    await breathe()
  } catch (error) {
    throw storageError(error, 'write', path, 'not_written')
  }
}

/** That it stays is no loss: the next publication removes it. */
function discard(fs: FileSystem, temporary: string): void {
  try {
    fs.remove(temporary)
  } catch {
    // Gone already, or on a disk that refuses everything: the error that led here is the one to tell.
  }
}
