import type { OpenFile } from './file-system.js'

/**
 * Writes all of `bytes` at `position`: a file system may take less than asked, and says why at the next call.
 * @throws the file system's error as it came; part of the bytes may have been written
 */
export function writeBytes(file: OpenFile, bytes: Uint8Array, position: number): void {
  let written = 0
  while (written < bytes.length) {
    const count = file.write(bytes.subarray(written), position + written)
    if (count === 0) {
      const stuck: NodeJS.ErrnoException = new Error('ENOSPC: the file system took no bytes and gave no reason')
      throw Object.assign(stuck, { code: 'ENOSPC', syscall: 'write' })
    }
    written += count
  }
}
