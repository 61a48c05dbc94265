import { fstatSync, writeSync } from 'node:fs'

/** Standard output or standard error. */
export type OutputStream = NodeJS.WriteStream & { readonly fd: number }

/**
 * Hands over all of `text`. To a file or device it is written here: Node's stream takes a write that a full disk cut
 * short for a whole one.
 * @throws the file system's error: part of the text may be there
 */
export function writeWhole(stream: OutputStream, text: string): void {
  if (stream.isTTY || !isFile(stream.fd)) {
    stream.write(text)
    return
  }
  const bytes = Buffer.from(text)
  for (let written = 0; written < bytes.length;) written += writeSync(stream.fd, bytes, written)
}

/**
 * Pipes and sockets make a writer wait, and only their streams know how. Asked with bigint: Node takes the last plain
 * `stat` of the process, of whatever, for that of a folder it knows, and would no longer follow links to modules after
 * one of a pipe.
 */
function isFile(fd: number): boolean {
  const stats = fstatSync(fd, { bigint: true })
  return stats.isFile() || stats.isCharacterDevice()
}
