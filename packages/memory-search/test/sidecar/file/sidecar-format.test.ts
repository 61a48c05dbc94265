import fc from 'fast-check'
import { crc32 } from 'node:zlib'
import { describe, expect, test } from 'vitest'
import {
  formatSidecarHead,
  headBytes,
  HOST_BYTE_ORDER,
  parseSidecarHead,
  PREAMBLE_BYTES,
  SIDECAR_FORMAT,
  type SectionEntry,
} from '../../../src/sidecar/file/sidecar-format.js'
import { HEADER, headers } from './sidecar-files.js'

const ENTRIES: readonly SectionEntry[] = [
  { name: 'rows', bytes: 12, element: 4, checksum: 0xffff_ffff },
  { name: 'codes', bytes: 3, element: 1, checksum: 0 },
]

const entries: fc.Arbitrary<SectionEntry[]> = fc.uniqueArray(
  fc
    .record({
      name: fc.stringMatching(/^[a-z][A-Za-z0-9]{0,31}$/),
      values: fc.nat({ max: 2 ** 40 }),
      element: fc.constantFrom(1 as const, 2 as const, 4 as const, 8 as const),
      checksum: fc.nat({ max: 0xffff_ffff }),
    })
    .map(({ name, values, element, checksum }) => ({ name, bytes: values * element, element, checksum })),
  { selector: ({ name }) => name, maxLength: 32 },
)

/** Bytes of a head whose JSON and preamble are given, with the right checksum: what no writer of this library makes. */
function craft(document: unknown, { format = SIDECAR_FORMAT, length = undefined as number | undefined } = {}) {
  const json = document instanceof Uint8Array ? document : Buffer.from(JSON.stringify(document))
  const head = new Uint8Array(PREAMBLE_BYTES + json.length)
  head.set(Buffer.from('mem-side'))
  head.set(json, PREAMBLE_BYTES)
  const view = new DataView(head.buffer)
  view.setUint32(8, format, true)
  view.setUint32(12, length ?? json.length, true)
  view.setUint32(16, crc32(json, crc32(head.subarray(8, 16))), true)
  return head
}

const sound = { byteOrder: HOST_BYTE_ORDER, header: HEADER, sections: ENTRIES }
const bytesOf = (head: Uint8Array): number => head.length + 15

test('a head parses back the same, its sections one behind the other', () =>
  fc.assert(
    fc.property(headers, entries, (header, sections) => {
      const head = formatSidecarHead(header, sections)
      expect(headBytes(head.subarray(0, PREAMBLE_BYTES))).toBe(head.length)
      const parsed = parseSidecarHead(
        head,
        head.length + sections.reduce((sum, { bytes }) => sum + bytes, 0),
        header.identity,
      )
      let offset = head.length
      const placed = sections.map((section) => {
        offset += section.bytes
        return [section.name, { ...section, offset: offset - section.bytes }] as const
      })
      expect(parsed).toEqual({ header, sections: new Map(placed) })
    }),
  ))

test('the bytes of format 3 are these', () => {
  const head = formatSidecarHead(HEADER, ENTRIES, 'little')
  const json =
    '{"byteOrder":"little","header":{"identity":"g1-0:abc","change":7,"mark":"nonce","slots":3,"dimension":4},' +
    '"sections":[{"name":"rows","bytes":12,"element":4,"checksum":4294967295},{"name":"codes","bytes":3,"element":1,"checksum":0}]}'
  expect(Buffer.from(head.subarray(PREAMBLE_BYTES)).toString()).toBe(json)
  expect(Buffer.from(head.subarray(0, PREAMBLE_BYTES)).toString('hex')).toBe(
    `${Buffer.from('mem-side').toString('hex')}03000000e70000008e833a30`,
  )
})

test('a crafted head that is sound is read: what the next cases refuse is refused for their own reason', () => {
  const head = craft(sound)
  expect(parseSidecarHead(head, bytesOf(head), HEADER.identity)).toMatchObject({ header: HEADER })
})

describe('is refused', () => {
  const { identity } = HEADER
  test.each([
    { name: 'the next format', head: craft(sound, { format: SIDECAR_FORMAT + 1 }), fault: 'other_format' },
    { name: 'the former format', head: craft(sound, { format: SIDECAR_FORMAT - 1 }), fault: 'other_format' },
    {
      name: 'another byte order',
      head: craft({ ...sound, byteOrder: HOST_BYTE_ORDER === 'little' ? 'big' : 'little' }),
      fault: 'other_format',
    },
    { name: 'another database', head: craft({ ...sound, header: { ...HEADER, identity: 'g1-0:abd' } }), fault: 'foreign' },
    { name: 'no JSON', head: craft(Buffer.from('{')), fault: 'damaged' },
    { name: 'no UTF-8', head: craft(Buffer.from(JSON.stringify(sound).replace('nonce', '\xff'), 'latin1')), fault: 'damaged' },
    { name: 'an unknown key', head: craft({ ...sound, more: 1 }), fault: 'damaged' },
    { name: 'an unknown key of the header', head: craft({ ...sound, header: { ...HEADER, more: 1 } }), fault: 'damaged' },
    { name: 'a key that every object has', head: craft({ ...sound, header: { ...HEADER, constructor: 1 } }), fault: 'damaged' },
    { name: 'no document', head: craft(null), fault: 'damaged' },
    { name: 'a list for a header', head: craft({ ...sound, header: [] }), fault: 'damaged' },
    { name: 'a text for sections', head: craft({ ...sound, sections: '' }), fault: 'damaged' },
    { name: 'no checksum', head: craft({ ...sound, sections: [{ name: 'rows', bytes: 12, element: 4 }] }), fault: 'damaged' },
    { name: 'no mark', head: craft({ ...sound, header: { ...HEADER, mark: '' } }), fault: 'damaged' },
    { name: 'a change before the first', head: craft({ ...sound, header: { ...HEADER, change: -1 } }), fault: 'damaged' },
    { name: 'an unsafe number of slots', head: craft({ ...sound, header: { ...HEADER, slots: 2 ** 53 } }), fault: 'damaged' },
    { name: 'more slots than bytes', head: craft({ ...sound, header: { ...HEADER, slots: 4e9 } }), fault: 'damaged' },
    { name: 'no dimensions', head: craft({ ...sound, header: { ...HEADER, dimension: 0 } }), fault: 'damaged' },
    { name: 'a negative length', head: craft({ ...sound, sections: [{ ...ENTRIES[0], bytes: -4 }] }), fault: 'damaged' },
    { name: 'an absurd length', head: craft({ ...sound, sections: [{ ...ENTRIES[0], bytes: 2 ** 52 }] }), fault: 'damaged' },
    { name: 'a length that cuts a value', head: craft({ ...sound, sections: [{ ...ENTRIES[0], bytes: 15 }] }), fault: 'damaged' },
    { name: 'a width of no value', head: craft({ ...sound, sections: [{ ...ENTRIES[0], element: 3 }] }), fault: 'damaged' },
    { name: 'a name twice', head: craft({ ...sound, sections: [ENTRIES[0], { ...ENTRIES[1], name: 'rows' }] }), fault: 'damaged' },
    { name: 'a name that is none', head: craft({ ...sound, sections: [{ ...ENTRIES[0], name: '__proto__' }] }), fault: 'damaged' },
    { name: 'more sections than there are', head: craft({ ...sound, sections: Array.from({ length: 33 }, (_, at) => ({ name: `s${at}`, bytes: 0, element: 1, checksum: 0 })) }), fault: 'damaged' },
    { name: 'a length of the head that is absurd', head: craft(sound, { length: 0xffff_ffff }), fault: 'damaged' },
    { name: 'a length of the head that is short', head: craft(sound, { length: 10 }), fault: 'damaged' },
  ])('$name: $fault', ({ head, fault }) => {
    expect(parseSidecarHead(head, bytesOf(head), identity)).toBe(fault)
  }) // prettier-ignore

  test.each([-1, 1])('a file that is %i bytes longer than its sections', (more) => {
    const head = craft(sound)
    expect(parseSidecarHead(head, bytesOf(head) + more, identity)).toBe('damaged')
  })

  test('a preamble that is cut, at every length', () => {
    const head = craft(sound)
    for (let length = 0; length < PREAMBLE_BYTES; length++) expect(headBytes(head.subarray(0, length))).toBe('damaged')
  })
})

test.each([
  { name: 'a name that is none', header: HEADER, sections: [{ ...(ENTRIES[0] as SectionEntry), name: 'No' }] },
  { name: 'an empty identity', header: { ...HEADER, identity: '' }, sections: [] },
  { name: 'half a slot', header: { ...HEADER, slots: 0.5 }, sections: [] },
])('$name is not written at all', ({ header, sections }) => {
  expect(() => formatSidecarHead(header, sections)).toThrow()
})
