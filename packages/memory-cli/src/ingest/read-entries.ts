import { Readable } from 'node:stream'
import { parser } from 'stream-json'
import { streamArray } from 'stream-json/streamers/stream-array.js'
import { CliError } from '../errors.js'
import { parseChatGptConversation } from './chatgpt.js'
import type { IngestFormat } from './detect-format.js'
import type { Entry } from './entry.js'
import { splitLines } from './lines.js'
import { parseMessagesLine } from './messages.js'
import { parseTurnLine } from './turns.js'

export interface ReadOptions {
  readonly format: IngestFormat
  /** `--conversation`. */
  readonly conversation?: string
  /** Stands for the conversation of `messages` lines that name none, when `--conversation` does not. */
  readonly inputName: string
}

/** Reads the entries of a file one after the other; never holds more than one line or one conversation. */
export async function* readEntries(chunks: AsyncIterable<Uint8Array>, options: ReadOptions): AsyncGenerator<Entry> {
  if (options.format === 'chatgpt') yield* readChatGptExport(chunks)
  else yield* readLines(chunks, options)
}

async function* readLines(chunks: AsyncIterable<Uint8Array>, options: ReadOptions): AsyncGenerator<Entry> {
  const defaultConversation = options.conversation ?? options.inputName
  for await (const line of splitLines(chunks)) {
    if ('fault' in line) yield { kind: 'bad', place: { line: line.number }, code: line.fault }
    else if (options.format === 'turns') yield parseTurnLine(line.text, line.number, options.conversation)
    else yield* parseMessagesLine(line.text, line.number, { defaultConversation })
  }
}

async function* readChatGptExport(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Entry> {
  const source = Readable.from(decodeUtf8(chunks))
  const tokens = parser.asStream()
  const conversations = streamArray.asStream()
  source.on('error', (error) => tokens.destroy(error))
  tokens.on('error', (error) => conversations.destroy(error))
  source.pipe(tokens).pipe(conversations)
  try {
    for await (const item of conversations as AsyncIterable<{ key: number; value: unknown }>) {
      yield* parseChatGptConversation(item.value, item.key + 1)
    }
  } catch (error) {
    if (error instanceof CliError) throw error
    // The parser's message may quote the file: only the fact is told.
    throw new CliError(
      'input_broken',
      'The export is no whole JSON array: from some place on it cannot be read. What came before is admitted. ' +
        'Export it again and run the command again: nothing is doubled.',
    )
  } finally {
    source.destroy()
  }
}

/** Text of a UTF-8 file; bytes that are none end the reading instead of becoming replacement characters. */
async function* decodeUtf8(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<string> {
  const decoder = new TextDecoder('utf-8', { fatal: true })
  for await (const chunk of chunks) yield decoder.decode(chunk, { stream: true })
  yield decoder.decode()
}
