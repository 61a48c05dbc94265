import { crc32 } from 'node:zlib'
import { isHeadDocument, type ByteOrder, type SectionEntry, type SidecarHeader } from './head-shape.js'

export type { ByteOrder, SectionEntry, SidecarHeader } from './head-shape.js'

/**
 * Raised with every change of what the bytes mean: of this head, and of any section (order of the codes' bits, packing of
 * postings). A file of another number is never read.
 */
export const SIDECAR_FORMAT = 3

/** magic (8 bytes), format, length of the JSON, checksum of both numbers and the JSON: three little-endian uint32. */
export const PREAMBLE_BYTES = 20
const MAGIC = new TextEncoder().encode('mem-side')
const FORMAT_AT = 8
const LENGTH_AT = 12
const CHECKSUM_AT = 16

/** Far above what a full table of sections takes; a greater number is damage, and no memory is taken for it. */
const MAX_JSON_BYTES = 16 * 1024

/** Sections are the platform's typed arrays as they are: a file is for platforms of its own byte order. */
export const HOST_BYTE_ORDER: ByteOrder = new Uint8Array(new Uint16Array([1]).buffer)[0] === 1 ? 'little' : 'big'

/**
 * Why a file is not loaded: there is none; it is not what was written (torn, cut, changed); it is of another database; it
 * is of another format number or byte order, or not made by this library.
 */
export type SidecarFault = 'missing' | 'damaged' | 'foreign' | 'other_format'

/** A section and where it begins in the file. */
export interface PlacedSection extends SectionEntry {
  readonly offset: number
}

export interface SidecarHead {
  readonly header: SidecarHeader
  readonly sections: ReadonlyMap<string, PlacedSection>
}

/**
 * What stands before the sections, which follow in this order without gaps.
 * @throws {RangeError} a header or section that could not be read back, or too many
 */
export function formatSidecarHead(
  header: SidecarHeader,
  sections: readonly SectionEntry[],
  byteOrder: ByteOrder = HOST_BYTE_ORDER,
): Uint8Array {
  const document = { byteOrder, header, sections }
  const json = new TextEncoder().encode(JSON.stringify(document))
  if (!isHeadDocument(document) || json.length > MAX_JSON_BYTES) {
    throw new RangeError('The head of a sidecar file is none that could be read back.')
  }
  const head = new Uint8Array(PREAMBLE_BYTES + json.length)
  const view = new DataView(head.buffer)
  head.set(MAGIC)
  view.setUint32(FORMAT_AT, SIDECAR_FORMAT, true)
  view.setUint32(LENGTH_AT, json.length, true)
  head.set(json, PREAMBLE_BYTES)
  view.setUint32(CHECKSUM_AT, checksumOf(head), true)
  return head
}

/** Over everything but the magic and itself. */
const checksumOf = (head: Uint8Array): number =>
  crc32(head.subarray(PREAMBLE_BYTES), crc32(head.subarray(FORMAT_AT, CHECKSUM_AT)))

/**
 * How long the head is by its preamble, before anything of it is believed.
 * @param preamble  the first PREAMBLE_BYTES of the file, fewer of a shorter file
 * @returns bytes from the start of the file
 */
export function headBytes(preamble: Uint8Array): number | SidecarFault {
  if (preamble.length < PREAMBLE_BYTES || !MAGIC.every((byte, index) => preamble[index] === byte)) return 'damaged'
  const view = new DataView(preamble.buffer, preamble.byteOffset)
  if (view.getUint32(FORMAT_AT, true) !== SIDECAR_FORMAT) return 'other_format'
  const length = view.getUint32(LENGTH_AT, true)
  return length > MAX_JSON_BYTES ? 'damaged' : PREAMBLE_BYTES + length
}

/**
 * Reads the head.
 * @param head  as many bytes as `headBytes` says, fewer of a shorter file
 * @param fileBytes  length of the whole file: head and sections must make it up to the byte
 * @param identity  of the database that the file has to be of
 */
export function parseSidecarHead(
  head: Uint8Array,
  fileBytes: number,
  identity: string,
  byteOrder: ByteOrder = HOST_BYTE_ORDER,
): SidecarHead | SidecarFault {
  const length = headBytes(head)
  if (typeof length === 'string') return length
  if (head.length !== length) return 'damaged'
  if (new DataView(head.buffer, head.byteOffset).getUint32(CHECKSUM_AT, true) !== checksumOf(head)) return 'damaged'
  const document = jsonOf(head.subarray(PREAMBLE_BYTES))
  if (!isHeadDocument(document)) return 'damaged'
  const { header, sections } = document
  if (document.byteOrder !== byteOrder) return 'other_format'
  if (header.identity !== identity) return 'foreign'
  let offset = length
  const placed = new Map<string, PlacedSection>()
  for (const section of sections) {
    placed.set(section.name, { ...section, offset })
    offset += section.bytes
  }
  // A slot takes a byte at the least, so whoever takes memory by the number of slots is safe from an absurd one.
  if (offset !== fileBytes || header.slots > fileBytes) return 'damaged'
  return { header, sections: placed }
}

/** Undefined, which is no head, for bytes that are no JSON. */
function jsonOf(bytes: Uint8Array): unknown {
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes))
  } catch {
    return undefined // the checksum was right: a bug of the writer, and for the reader the same as damage
  }
}
