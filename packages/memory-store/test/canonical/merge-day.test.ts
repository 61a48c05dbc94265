import { describe, expect, test } from 'vitest'
import { emptyDayDocument, formatDayFile, parseDayFile, type DayDocument } from '@mono-agent/memory-store'
import type { DayText } from '../../src/canonical/day-text.js'
import { mergeDay, type LateEdit } from '../../src/canonical/merge-day.js'
import type { FileIdentity } from '../../src/disk/file-identity.js'
import { applyDayChanges } from '../../src/format/day-changes.js'
import { add, idsIn } from './open-test-days.js'

const identity = (ino: bigint): FileIdentity => ({ dev: 1n, ino, size: 1, mtimeNs: 1n, ctimeNs: 1n })
const documentOf = (...ids: string[]): DayDocument =>
  ids.reduce((document, id) => applyDayChanges(document, [add(id)]).document, emptyDayDocument('2026-05-01'))
const textOf = (document: DayDocument): string => Buffer.from(formatDayFile(document)).toString()
const withProse = (document: DayDocument, prose: string): DayDocument =>
  parseDayFile(Buffer.from(`${textOf(document)}${prose}\n`))

const OURS = identity(1n)
const current = (document: DayDocument, ino: bigint): DayText => ({ identity: identity(ino), digest: 'x', document })

describe('a late edit', () => {
  const before = documentOf('a', 'b')
  const late: LateEdit = { document: withProse(documentOf('a', 'b', 'late'), 'Late prose.'), before, ours: OURS }

  test('is the newer text as long as the file is what we published over it', () => {
    const merged = mergeDay(current(documentOf('a', 'b', 'c'), 1n), [add('c')], late)
    expect(idsIn(textOf(merged.document))).toEqual(['a', 'b', 'late', 'c'])
    expect(textOf(merged.document)).toContain('Late prose.')
    expect(merged.outcomes).toEqual([{ status: 'added', ids: ['c'] }])
  })

  test('may remove what it was made to, not what we published meanwhile', () => {
    const merged = mergeDay(current(documentOf('a', 'b', 'c'), 1n), [add('c')], { ...late, document: documentOf('b') })
    expect(idsIn(textOf(merged.document))).toEqual(['b', 'c'])
  })

  test.each([
    { name: 'the file was saved again since', edit: late, ino: 2n },
    { name: 'there had been one before', edit: { ...late, ours: undefined }, ino: 1n },
  ])('only adds its new bullets where $name', ({ edit, ino }) => {
    const theirs = withProse(documentOf('a', 'newer'), 'Newer prose.')
    const merged = mergeDay(current(theirs, ino), [add('c')], edit)
    expect(idsIn(textOf(merged.document))).toEqual(['a', 'newer', 'late', 'c'])
    expect(textOf(merged.document)).toContain('Newer prose.')
    expect(merged.outcomes).toEqual([{ status: 'added', ids: ['c'] }])
  })

  test('of no file at all changes nothing', () => {
    expect(idsIn(textOf(mergeDay(current(before, 1n), [add('c')], undefined).document))).toEqual(['a', 'b', 'c'])
  })
})
