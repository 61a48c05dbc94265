import { describe, expect, test } from 'vitest'
import { errnoError } from '../../../../test/support/faulty-file-system.js'
import { errnoOf, storageError } from '../../src/disk/storage-error.js'
import { StoreError } from '../../src/errors.js'

const path = '/home/ana/memory/daily/2026-05-01.md'

describe('storageError', () => {
  test.each([
    { errno: 'ENOSPC', mend: 'free some space' },
    { errno: 'EDQUOT', mend: 'free some space' },
    { errno: 'EIO', mend: 'check it' },
    { errno: 'EACCES', mend: 'must belong to the user' },
    { errno: 'EPERM', mend: 'must belong to the user' },
    { errno: 'EROFS', mend: 'for writing' },
    { errno: 'EMFILE', mend: 'too many open files' },
    { errno: 'ENFILE', mend: 'too many open files' },
    { errno: 'EWHATEVER', mend: 'See the cause' },
  ])('$errno names itself and its mend, and no absolute path', ({ errno, mend }) => {
    const cause = errnoError(errno, { operation: 'file.write', path })
    const error = storageError(cause, 'write', path, 'not_written')
    expect(error).toMatchObject({ name: 'StoreError', code: 'storage_failed', outcome: 'not_written', cause })
    expect(error.message).toContain(errno)
    expect(error.message).toContain(mend)
    expect(error.message).toContain('2026-05-01.md')
    expect(error.message).not.toContain('/home')
  })

  test('the outcome is told in words, and left out where there is none', () => {
    const cause = errnoError('EIO', { operation: 'file.read', path })
    expect(storageError(cause, 'write', path, 'unknown').message).toContain('may be found')
    expect(storageError(cause, 'write', path, 'not_written').message).toContain('Nothing was written')
    const read = storageError(cause, 'read', path)
    expect(read).toMatchObject({ outcome: undefined })
    expect(read.message).not.toMatch(/written|found/)
  })

  test('errors of this library and bugs come back as they are', () => {
    const own = new StoreError('file_busy', 'busy')
    const bug = new TypeError('x is not a function')
    expect(storageError(own, 'write', path)).toBe(own)
    expect(storageError(bug, 'write', path)).toBe(bug)
    expect(errnoOf(bug)).toBeUndefined()
  })
})
