import type {
  BuiltInMemoryStore,
  MemoryConfig,
  MemoryError,
  MemoryReader,
  ReaderOptions,
} from '@mono-agent/memory-bujo'
import type { Writable } from 'node:stream'
import type { StoreNotes } from './output/store-notes.js'
import type { Style } from './output/text.js'

/** The world around the command: streams, clock, environment. Tests inject it; `main.ts` wires the process. */
export interface CommandHost {
  readonly out: (text: string) => void
  readonly err: (text: string) => void
  readonly standardInput: AsyncIterable<Uint8Array>
  /** Stdout as a stream, for a command that speaks a protocol there. From the first call on, its failures are that command's. */
  readonly standardOutput: () => Writable
  readonly env: Readonly<Record<string, string | undefined>>
  readonly cwd: string
  readonly now: () => number
  readonly isOutTerminal: boolean
  readonly isErrTerminal: boolean
  /** From the first call on, a first SIGINT or SIGTERM aborts this instead of ending the process. */
  readonly interruption: () => AbortSignal
}

/** One finished command: the same content for programs and for people. */
export interface CommandResult {
  /** Printed alone on stdout with `--json`. */
  readonly json: unknown
  /** Printed on stdout without `--json`; may be empty. */
  readonly text: string
  /** Lines for stderr, in both forms. */
  readonly diagnostics?: readonly string[]
  /** Default 0. */
  readonly exitCode?: number
}

/** What a command works with: the parsed configuration, and doors to the store that close by themselves. */
export interface Session {
  readonly config: MemoryConfig
  /** False for a store that is named by `--path` alone: of its switches nobody knows. */
  readonly hasConfiguration: boolean
  /** What readers and operators of the configured store are opened with. */
  readonly access: ReaderOptions
  readonly host: CommandHost
  readonly style: Style
  readonly isJson: boolean
  /** Opens for reading: beside a running agent or not, and never creates anything. */
  readonly withReader: <T>(work: (reader: MemoryReader) => Promise<T>) => Promise<T>
  /** Opens for writing. @throws {StoreError} `writer_active` beside a running agent */
  readonly withStore: <T>(work: (store: BuiltInMemoryStore, notes: StoreNotes) => Promise<T>) => Promise<T>
}

/** Runs the body of a command with a session; misconfiguration, errors and output are its affair. */
export type Execute = (body: (session: Session) => Promise<CommandResult>, options?: ExecuteOptions) => Promise<void>

export interface ExecuteOptions {
  /** What to say instead of failing, for a command that reports on the configuration. */
  readonly whenMisconfigured?: (error: MemoryError) => CommandResult
  /** Stdout belongs to a protocol: what the command has to say goes to stderr. */
  readonly speaksProtocol?: boolean
}
