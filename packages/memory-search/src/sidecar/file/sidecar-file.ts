import { onDisk, openOwned, type FileSystem, type OpenFile } from '@mono-agent/memory-store'
import { crc32 } from 'node:zlib'
import {
  headBytes,
  parseSidecarHead,
  PREAMBLE_BYTES,
  type PlacedSection,
  type SidecarFault,
  type SidecarHead,
  type SidecarHeader,
} from './sidecar-format.js'

/** What a section is read into and written from. */
export type SectionArray =
  Uint8Array | Uint16Array | Uint32Array | Int32Array | Float32Array | Float64Array | BigUint64Array | BigInt64Array

interface ArrayKind<T extends SectionArray> {
  new (length: number): T
  readonly BYTES_PER_ELEMENT: number
}

/** Read and summed up at once while it is in the processor's cache. */
const READ_SLICE_BYTES = 1024 * 1024

/** The file is not what was written; nothing read from it so far may be used. `loadSidecarFile` makes it a value. */
export class SidecarDamage extends Error {
  override readonly name = 'SidecarDamage'
}

/** An open sidecar file whose head was found right. Its sections are read one by one, each whole or not at all. */
export interface SidecarFile {
  readonly header: SidecarHeader
  /**
   * Bytes of a section. Never more than the file has, so memory may be taken by it.
   * @throws {SidecarDamage} there is none of this name
   */
  size(name: string): number
  /**
   * Fills `into`, which has exactly the section's length and width of values: for a buffer whose size came from the header
   * anything else means that head and sections do not belong together.
   * @throws {SidecarDamage} also after `into` was written to: it must not be used then
   * @throws {StoreError} storage_failed
   */
  read(name: string, into: SectionArray): void
  /** `read` into an array of its own. */
  take<T extends SectionArray>(name: string, kind: ArrayKind<T>): T
  close(): void
}

class OpenSidecar implements SidecarFile {
  readonly header: SidecarHeader

  constructor(
    private readonly file: OpenFile,
    private readonly path: string,
    private readonly head: SidecarHead,
  ) {
    this.header = head.header
  }

  size(name: string): number {
    return this.section(name).bytes
  }

  read(name: string, into: SectionArray): void {
    const { offset, bytes, element, checksum } = this.section(name)
    if (into.byteLength !== bytes || into.BYTES_PER_ELEMENT !== element) throw new SidecarDamage()
    const target = new Uint8Array(into.buffer, into.byteOffset, into.byteLength)
    let sum = 0
    for (let at = 0; at < target.length; at += READ_SLICE_BYTES) {
      const slice = target.subarray(at, at + READ_SLICE_BYTES)
      if (readAt(this.file, this.path, slice, offset + at) < slice.length) throw new SidecarDamage()
      sum = crc32(slice, sum)
    }
    if (sum !== checksum) throw new SidecarDamage()
  }

  take<T extends SectionArray>(name: string, kind: ArrayKind<T>): T {
    const section = this.section(name)
    if (section.element !== kind.BYTES_PER_ELEMENT) throw new SidecarDamage()
    const into = new kind(section.bytes / section.element)
    this.read(name, into)
    return into
  }

  close(): void {
    onDisk('close', this.path, () => this.file.close())
  }

  private section(name: string): PlacedSection {
    const section = this.head.sections.get(name)
    if (section === undefined) throw new SidecarDamage()
    return section
  }
}

/** @returns the bytes read: fewer than asked for at the end of the file only */
function readAt(file: OpenFile, path: string, into: Uint8Array, position: number): number {
  return onDisk('read', path, () => {
    let done = 0
    while (done < into.length) {
      const count = file.read(into.subarray(done), position + done)
      if (count === 0) break
      done += count
    }
    return done
  })
}

function readHead(file: OpenFile, path: string, identity: string): SidecarHead | SidecarFault {
  const fileBytes = onDisk('look at', path, () => file.stat()).size
  const preamble = new Uint8Array(PREAMBLE_BYTES)
  const length = headBytes(preamble.subarray(0, readAt(file, path, preamble, 0)))
  if (typeof length === 'string') return length
  const head = new Uint8Array(length)
  return parseSidecarHead(head.subarray(0, readAt(file, path, head, 0)), fileBytes, identity)
}

/**
 * Opens a sidecar file and reads its head. What is replaced meanwhile is read to its end as it was.
 * @param path  absolute; its directory was looked at
 * @returns what must be closed, or why there is nothing to load
 * @throws {StoreError} path_unsafe: a link, a directory, another owner; storage_failed
 */
export function openSidecarFile(
  fs: FileSystem,
  path: string,
  expected: { readonly identity: string },
): SidecarFile | { readonly fault: SidecarFault } {
  const file = openOwned(fs, path, 'read')
  if (file === undefined) return { fault: 'missing' }
  let head: SidecarHead | SidecarFault = 'damaged'
  try {
    head = readHead(file, path, expected.identity)
  } finally {
    if (typeof head === 'string') file.close()
  }
  return typeof head === 'string' ? { fault: head } : new OpenSidecar(file, path, head)
}

/**
 * Opens a sidecar file, has `load` make something of it, and closes it. Damage that `load` comes upon is a value like all
 * other faults, and nothing that it made is returned.
 * @throws {StoreError} as `openSidecarFile`, and what `load` throws
 */
export function loadSidecarFile<T>(
  fs: FileSystem,
  path: string,
  expected: { readonly identity: string },
  load: (file: SidecarFile) => T,
): { readonly loaded: T } | { readonly fault: SidecarFault } {
  const file = openSidecarFile(fs, path, expected)
  if ('fault' in file) return file
  try {
    return { loaded: load(file) }
  } catch (error) {
    // Sections that are whole but do not fit together are damage as well: their parts say so with a RangeError.
    if (error instanceof SidecarDamage || error instanceof RangeError) return { fault: 'damaged' }
    throw error
  } finally {
    file.close()
  }
}
