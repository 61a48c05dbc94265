/*
 * What the JSON of a head has to be. Checked by hand: a schema library takes a thread a hundred milliseconds to load, which
 * is more than all else that the thread of rankings does until it answers, and it would have it for this alone.
 */

const MAX_SECTIONS = 32
const MAX_TEXT = 200
const MAX_DIMENSION = 65_536

export type ByteOrder = 'little' | 'big'

/** What a sidecar file says of itself. */
export interface SidecarHeader {
  /** Of the database that it was made from. */
  readonly identity: string
  /** Number of the last change of the database that it holds, and the mark of the epoch in which that was made. */
  readonly change: number
  readonly mark: string
  /** Slots 0..slots-1 are in the sections. */
  readonly slots: number
  /** Of the vectors; absent where there are none. */
  readonly dimension?: number
  /** Vectors that there were when the mean of their codes was taken. */
  readonly meanOf?: number
}

export interface SectionEntry {
  readonly name: string
  /** Length in the file, a multiple of `element`. */
  readonly bytes: number
  /** Width of a value, bytes. */
  readonly element: 1 | 2 | 4 | 8
  /** CRC-32 of the bytes. */
  readonly checksum: number
}

export interface HeadDocument {
  readonly byteOrder: ByteOrder
  readonly header: SidecarHeader
  readonly sections: readonly SectionEntry[]
}

type Check = (value: unknown) => boolean

const isWhole =
  (least: number, most: number): Check =>
  (value) =>
    Number.isSafeInteger(value) && (value as number) >= least && (value as number) <= most
const isCount = isWhole(0, Number.MAX_SAFE_INTEGER)
const isText: Check = (value) => typeof value === 'string' && value.length >= 1 && value.length <= MAX_TEXT
const isName: Check = (value) => typeof value === 'string' && /^[a-z][A-Za-z0-9]{0,31}$/.test(value)

/** An object of these keys and no others, each of which is there unless it may be left out. */
function hasShape(
  value: unknown,
  required: ReadonlyMap<string, Check>,
  optional?: ReadonlyMap<string, Check>,
): boolean {
  if (typeof value !== 'object' || value === null) return false
  if (![...required.keys()].every((key) => Object.hasOwn(value, key))) return false
  return Object.entries(value).every(([key, field]) => (required.get(key) ?? optional?.get(key))?.(field) === true)
}

const HEADER = new Map<string, Check>([
  ['identity', isText],
  ['change', isCount],
  ['mark', isText],
  ['slots', isCount],
])
const OF_VECTORS = new Map<string, Check>([
  ['dimension', isWhole(1, MAX_DIMENSION)],
  ['meanOf', isCount],
])
const SECTION = new Map<string, Check>([
  ['name', isName],
  ['bytes', isCount],
  ['element', (value) => value === 1 || value === 2 || value === 4 || value === 8],
  ['checksum', isWhole(0, 0xffff_ffff)],
])

/** Each name stands once, and no value is cut. */
function areSections(value: unknown): boolean {
  if (!Array.isArray(value) || value.length > MAX_SECTIONS) return false
  if (!value.every((section) => hasShape(section, SECTION))) return false
  const sections = value as readonly SectionEntry[]
  const names = new Set(sections.map(({ name }) => name))
  return names.size === sections.length && sections.every(({ bytes, element }) => bytes % element === 0)
}

const DOCUMENT = new Map<string, Check>([
  ['byteOrder', (value) => value === 'little' || value === 'big'],
  ['header', (value) => hasShape(value, HEADER, OF_VECTORS)],
  ['sections', areSections],
])

/** Whether a value, such as one that was parsed from JSON, is what a head holds: no key more, no value out of its bounds. */
export const isHeadDocument = (value: unknown): value is HeadDocument => hasShape(value, DOCUMENT)
