import { crc32 } from 'node:zlib'
import { z } from 'zod'

/**
 * Raised with every change of what the bytes mean: of this head, and of any section (order of the codes' bits, packing of
 * postings). A file of another number is never read.
 */
export const SIDECAR_FORMAT = 2

/** magic (8 bytes), format, length of the JSON, checksum of both numbers and the JSON: three little-endian uint32. */
export const PREAMBLE_BYTES = 20
const MAGIC = new TextEncoder().encode('mem-side')
const FORMAT_AT = 8
const LENGTH_AT = 12
const CHECKSUM_AT = 16

/** Far above what a table of MAX_SECTIONS takes; a greater number is damage, and no memory is taken for it. */
const MAX_JSON_BYTES = 16 * 1024
const MAX_SECTIONS = 32

export type ByteOrder = 'little' | 'big'

/** Sections are the platform's typed arrays as they are: a file is for platforms of its own byte order. */
export const HOST_BYTE_ORDER: ByteOrder = new Uint8Array(new Uint16Array([1]).buffer)[0] === 1 ? 'little' : 'big'

/**
 * Why a file is not loaded: there is none; it is not what was written (torn, cut, changed); it is of another database; it
 * is of another format number or byte order, or not made by this library.
 */
export type SidecarFault = 'missing' | 'damaged' | 'foreign' | 'other_format'

const count = z.int().min(0)

const headerSchema = z.strictObject({
  /** Of the database that it was made from. */
  identity: z.string().min(1).max(200),
  /** Number of the last change of the database that it holds, and the mark of the epoch in which that was made. */
  change: count,
  mark: z.string().min(1).max(200),
  /** Slots 0..slots-1 are in the sections. */
  slots: count,
  /** Of the vectors; absent where there are none. */
  dimension: z.int().min(1).max(65_536).exactOptional(),
  /** Vectors that there were when the mean of their codes was taken. */
  meanOf: count.exactOptional(),
})

/** What a sidecar file says of itself. */
export type SidecarHeader = Readonly<z.infer<typeof headerSchema>>

const sectionSchema = z.strictObject({
  name: z.string().regex(/^[a-z][A-Za-z0-9]{0,31}$/),
  /** Length in the file, a multiple of `element`. */
  bytes: count,
  /** Width of a value, bytes. */
  element: z.union([z.literal(1), z.literal(2), z.literal(4), z.literal(8)]),
  /** CRC-32 of the bytes. */
  checksum: z.int().min(0).max(0xffff_ffff),
})

export type SectionEntry = Readonly<z.infer<typeof sectionSchema>>

const headSchema = z.strictObject({
  byteOrder: z.enum(['little', 'big']),
  header: headerSchema,
  sections: z
    .array(sectionSchema)
    .max(MAX_SECTIONS)
    .refine((sections) => new Set(sections.map(({ name }) => name)).size === sections.length, 'a name stands twice')
    .refine((sections) => sections.every(({ bytes, element }) => bytes % element === 0), 'a value is cut'),
})

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
 * @throws {z.ZodError} a header or section that could not be read back  @throws {RangeError} too long
 */
export function formatSidecarHead(
  header: SidecarHeader,
  sections: readonly SectionEntry[],
  byteOrder: ByteOrder = HOST_BYTE_ORDER,
): Uint8Array {
  const json = new TextEncoder().encode(JSON.stringify(headSchema.parse({ byteOrder, header, sections })))
  if (json.length > MAX_JSON_BYTES) throw new RangeError('The head of a sidecar file is too long.')
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
  const parsed = headSchema.safeParse(jsonOf(head.subarray(PREAMBLE_BYTES)))
  if (!parsed.success) return 'damaged'
  const { header, sections } = parsed.data
  if (parsed.data.byteOrder !== byteOrder) return 'other_format'
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
