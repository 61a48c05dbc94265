import { describe, expect, test } from 'vitest'
import type { RememberRequest } from '../src/index.js'
import { parseRequest } from '../src/remember/request.js'

const TEXT = 'Ana moved.'

describe('the form of a Remember (REC-27)', () => {
  test.each([
    { name: 'text alone', request: {}, detail: undefined },
    { name: 'a conversation', request: { conversationId: 'web:1' }, detail: undefined },
    { name: 'fields that are undefined', request: { about: undefined, replaceable: undefined }, detail: undefined },
    { name: '`replaceable: false`, which asks for nothing', request: { replaceable: false }, detail: undefined },
    { name: 'a person', request: { about: 'Ana' }, detail: { about: 'Ana', isReplaceable: false } },
    { name: 'a target', request: { supersedes: 'm-1' }, detail: { supersedes: 'm-1', isReplaceable: false } },
    { name: '`replaceable`', request: { replaceable: true }, detail: { isReplaceable: true } },
    {
      name: 'all of it',
      request: { about: 'Ana', supersedes: 'm-1', replaceable: true },
      detail: { about: 'Ana', supersedes: 'm-1', isReplaceable: true },
    },
  ])('$name', ({ request, detail }) => {
    expect(parseRequest({ text: TEXT, ...request } as RememberRequest, 'bujo').detail).toEqual(detail)
  })

  test.each([
    { name: 'no object', request: 'Ana moved.', said: 'A Remember must be a plain object' },
    { name: 'no text', request: {}, said: 'text must be a string' },
    { name: 'a text that is none', request: { text: 7 }, said: 'text must be a string' },
    { name: 'a conversation that is none', request: { text: TEXT, conversationId: 7 }, said: 'conversationId must be' },
    { name: 'a person that is none', request: { text: TEXT, about: ['Ana'] }, said: 'about must be a string' },
    { name: 'a target that is none', request: { text: TEXT, supersedes: null }, said: 'supersedes must be a string' },
    { name: 'a flag that is none', request: { text: TEXT, replaceable: 'yes' }, said: 'replaceable must be a boolean' },
    { name: 'a field that is none', request: { text: TEXT, superseeds: 'm-1' }, said: '"superseeds" is no field' },
    { name: 'a long one', request: { text: TEXT, ['x'.repeat(100)]: 1 }, said: `"${'x'.repeat(64)}" is no field` },
  ])('$name is a TypeError that names the field', ({ request, said }) => {
    expect(() => parseRequest(request as RememberRequest, 'bujo')).toThrow(TypeError)
    expect(() => parseRequest(request as RememberRequest, 'bujo')).toThrow(said)
  })

  const DETAILS = [{ about: 'Ana' }, { supersedes: 'm-1' }, { replaceable: true }, { replaceable: false }]
  test.each(
    (['lite', 'journal'] as const).flatMap((tier) =>
      DETAILS.map((detail) => ({ tier, detail, field: Object.keys(detail)[0] })),
    ),
  )('$tier refuses $detail and names it', ({ tier, detail, field }) => {
    expect(() => parseRequest({ text: TEXT, ...detail }, tier)).toThrow(
      expect.objectContaining({ code: 'unsupported_in_tier', message: expect.stringContaining(field ?? '') as string }),
    )
    expect(parseRequest({ text: TEXT, conversationId: 'web:1' }, tier)).toEqual({ text: TEXT, conversationId: 'web:1' })
  })
})
