import { describe, expect, test } from 'vitest'
import { MemoryError, StoreError, withOutcome } from '../src/index.js'

class OtherError extends MemoryError<'other'> {
  override readonly name = 'OtherError'
}

describe('withOutcome', () => {
  const cause = new Error('EIO')
  test.each([
    { name: 'one without', error: new StoreError('file_busy', 'Busy.'), outcome: 'not_written' },
    {
      name: 'one that said nothing was written',
      error: new StoreError('file_busy', 'x', { outcome: 'not_written' }),
      outcome: 'unknown',
    },
    {
      name: 'one that was in doubt',
      error: new StoreError('lease_lost', 'x', { outcome: 'unknown', cause }),
      outcome: 'not_written',
    },
    { name: 'of another package', error: new OtherError('other', 'x', { cause }), outcome: 'unknown' },
  ] as const)('$name becomes $outcome, of the same class and code', ({ error, outcome }) => {
    const said = withOutcome(error, outcome)
    expect(said).toBeInstanceOf(error.constructor)
    expect(said).toMatchObject({ code: error.code, name: error.name, outcome, cause: error.cause ?? error })
    expect((said as Error).message.startsWith(error.message)).toBe(true)
    expect((said as Error).message).not.toBe(error.message)
  })

  test('what the message says already is not said twice', () => {
    const error = new StoreError('sentence_invalid', 'Empty. Nothing was written.')
    expect(withOutcome(error, 'not_written')).toMatchObject({ message: error.message, outcome: 'not_written' })
  })

  test.each([
    ['one that says so', new StoreError('file_busy', 'x', { outcome: 'unknown' })],
    ['a bug', new TypeError('x')],
    ['no error at all', 'x'],
  ])('%s comes back as it is', (_name, error) => {
    expect(withOutcome(error, 'unknown')).toBe(error)
  })
})
