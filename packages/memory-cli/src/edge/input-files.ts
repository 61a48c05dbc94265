import { createReadStream, readFileSync, statSync } from 'node:fs'
import { CliError } from '../errors.js'

/** A file of the user, never one of the store: links are followed, nothing is locked. */
export interface InputFile {
  readonly chunks: AsyncIterable<Uint8Array>
  /** Bytes, where the size is known before reading; for progress only. */
  readonly size?: number
}

/** The text of a file, or undefined where there is none. @throws the file system's error for every other reason */
export function readTextFile(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8')
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return undefined
    throw error
  }
}

/**
 * Opens a file, or standard input for `-`, as a stream of bytes.
 * @throws {CliError} `input_unreadable`, also while reading
 */
export function openInputFile(path: string, standardInput: AsyncIterable<Uint8Array>): InputFile {
  if (path === '-') return { chunks: standardInput }
  try {
    const stats = statSync(path)
    if (stats.isDirectory()) throw Object.assign(new Error('a folder'), { code: 'EISDIR' })
    return { chunks: readChunks(path), ...(stats.isFile() ? { size: stats.size } : {}) }
  } catch (error) {
    throw unreadable(error)
  }
}

async function* readChunks(path: string): AsyncGenerator<Uint8Array> {
  try {
    for await (const chunk of createReadStream(path, { highWaterMark: 256 * 1024 })) yield chunk as Uint8Array
  } catch (error) {
    throw unreadable(error)
  }
}

function unreadable(error: unknown): CliError {
  return new CliError(
    'input_unreadable',
    `The file to ingest cannot be read (${errorCode(error) ?? 'unknown cause'}). What was admitted before stays. ` +
      'Mend the cause and run the command again: it goes on.',
    { cause: error },
  )
}

export function errorCode(error: unknown): string | undefined {
  const code = error instanceof Error ? (error as NodeJS.ErrnoException).code : undefined
  return typeof code === 'string' ? code : undefined
}
