import fc from 'fast-check'
import { expect, test } from 'vitest'
import { ownerTextOf } from '../../src/policy/owner-text.js'

test.each([
  { name: 'nothing set apart', message: '[p] Hi', ownerText: undefined, text: '[p] Hi', origin: 'message' },
  { name: 'the tail', message: '[p] Hi', ownerText: 'Hi', text: 'Hi', origin: 'owner_text' },
  { name: 'the whole message', message: 'Hi', ownerText: 'Hi', text: 'Hi', origin: 'owner_text' },
  { name: 'no words of the owner', message: '[p] ', ownerText: '', text: '', origin: 'owner_text' },
  { name: 'the beginning', message: 'Hi [p]', ownerText: 'Hi', text: 'Hi [p]', origin: 'ignored' },
  { name: 'the tail but for white space', message: 'Hi ', ownerText: 'Hi', text: 'Hi ', origin: 'ignored' },
  { name: 'the tail in another case', message: '[p] Hi', ownerText: 'hi', text: '[p] Hi', origin: 'ignored' },
  {
    name: 'the tail in another form',
    message: 'caf\u00e9',
    ownerText: 'cafe\u0301',
    text: 'caf\u00e9',
    origin: 'ignored',
  },
  { name: 'more than the message', message: 'Hi', ownerText: '[p] Hi', text: 'Hi', origin: 'ignored' },
])('$name: $origin', ({ message, ownerText, text, origin }) => {
  expect(ownerTextOf(message, ownerText)).toEqual({ text, origin })
})

test('whatever is set apart, only words of the message are used', () => {
  fc.assert(
    fc.property(fc.string(), fc.option(fc.string(), { nil: undefined }), (message, ownerText) => {
      expect(message.endsWith(ownerTextOf(message, ownerText).text)).toBe(true)
    }),
  )
})
