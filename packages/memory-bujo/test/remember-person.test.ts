import { describe, expect, test } from 'vitest'
import type { IndexedEntity } from '@mono-agent/memory-search'
import { knownPerson } from '../src/remember/person.js'

const entity = (id: string, name: string): IndexedEntity => ({
  id,
  name,
  type: id.split(':')[0] ?? '',
  createdAt: '2026-05-01T09:00:00.000Z',
})
const KNOWN = [
  entity('person:ana', 'Ana'),
  entity('person:ana-lima', 'Ana Lima'),
  entity('person:jose', 'José'),
  entity('person:kim-1', 'Kim'),
  entity('person:kim-2', 'Kim'),
  entity('project:kim', 'Heron'),
  entity('person:heron-b', 'Heron'),
  entity('project:lamp', 'Lamp'),
]
/** All whose name stands anywhere in a text, as an index may find them. */
const index = {
  entity: (id: string) => KNOWN.find((one) => one.id === id),
  entitiesNamed: (text: string, limit: number) =>
    KNOWN.filter(({ name }) => plain(text).includes(plain(name))).slice(0, limit),
}
const plain = (text: string): string => text.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase()

describe('the person that `about` means (REC-27)', () => {
  test.each([
    { about: 'person:ana', id: 'person:ana' },
    { about: ' person:ana ', id: 'person:ana' },
    { about: 'Ana', id: 'person:ana' },
    { about: 'ana', id: 'person:ana' },
    { about: 'Ana Lima', id: 'person:ana-lima' },
    { about: ' Jose ', id: 'person:jose' },
    { about: 'Heron', id: 'person:heron-b' },
  ])('$about', ({ about, id }) => {
    expect(knownPerson(index, about).id).toBe(id)
  })

  test.each([
    { name: 'an id of nobody', about: 'person:bo', code: 'person_unknown' },
    { name: 'a name of nobody', about: 'Bo', code: 'person_unknown' },
    { name: 'half a name', about: 'Lima', code: 'person_unknown' },
    { name: 'a name and more', about: 'Ana from Porto', code: 'person_unknown' },
    { name: 'nothing', about: ' ', code: 'person_unknown' },
    { name: 'a mark', about: '!', code: 'person_unknown' },
    { name: 'the id of a project', about: 'project:lamp', code: 'person_unknown' },
    { name: 'the name of a project', about: 'Lamp', code: 'person_unknown' },
    { name: 'a name of two', about: 'Kim', code: 'person_ambiguous' },
  ])('$name: $code, which names nobody', ({ about, code }) => {
    expect(() => knownPerson(index, about)).toThrow(expect.objectContaining({ code }))
    if (about.trim().length > 1) expect(() => knownPerson(index, about)).not.toThrow(new RegExp(`\\b${about}\\b`))
  })
})
