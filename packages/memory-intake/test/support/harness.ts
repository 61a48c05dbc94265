import { createHash, randomBytes } from 'node:crypto'
import { closeSync, existsSync, ftruncateSync, openSync, readdirSync, readFileSync, statSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import {
  acquireWriterLease,
  nodeFileSystem,
  type CompletedTurn,
  type FileSystem,
  type WriterLease,
} from '@mono-agent/memory-store'
import { openIntake, type Intake, type OpenIntakeOptions } from '@mono-agent/memory-intake'
import { makeTemporaryRoot } from '../../../../test/support/temporary-root.js'

export const START = Date.parse('2026-05-01T09:00:00.000Z')

export const turn = (runId: string, more: Partial<CompletedTurn> = {}): CompletedTurn => ({
  runId,
  conversationId: 'web:1',
  summary: `Summary of ${runId}.`,
  ...more,
})

export const idOf = (runId: string): string => createHash('sha256').update(runId).digest('hex')

type Options = Partial<Omit<OpenIntakeOptions, 'root' | 'lease'>>

/** One root, opened, crashed and reopened at will, with a clock and timers that stand still. */
export class Harness {
  now = START
  readonly timers = new Set<() => void>()
  readonly errors: unknown[] = []
  #lease: WriterLease | undefined
  #intake: Intake | undefined

  constructor(
    readonly fs: FileSystem = nodeFileSystem,
    readonly root = makeTemporaryRoot(),
  ) {}

  get lease(): WriterLease {
    if (this.#lease === undefined) throw new Error('not open')
    return this.#lease
  }

  async open(options: Options = {}): Promise<Intake> {
    this.#lease = await acquireWriterLease(this.fs, this.root)
    try {
      this.#intake = await openIntake({
        root: this.root,
        fs: this.fs,
        lease: this.#lease,
        now: () => this.now,
        randomHex: (bytes) => randomBytes(bytes).toString('hex'),
        startTimer: (_ms, run) => {
          this.timers.add(run)
          return () => this.timers.delete(run)
        },
        onBackgroundError: (error) => void this.errors.push(error),
        ...options,
      })
      return this.#intake
    } catch (error) {
      this.#lease.release()
      throw error
    }
  }

  async close(): Promise<void> {
    await this.#intake?.close()
    this.#lease?.release()
    this.#intake = undefined
  }

  /** The process ends here: nothing more is written, what is on disk stays. */
  async crash(): Promise<void> {
    this.#lease?.release()
    await this.#intake?.close()
    this.#intake = undefined
    this.errors.length = 0
  }

  async reopen(options: Options = {}): Promise<Intake> {
    await this.close()
    return this.open(options)
  }

  async crashAndOpen(options: Options = {}): Promise<Intake> {
    await this.crash()
    return this.open(options)
  }

  /** Lets the armed timers run out. */
  elapse(): void {
    for (const run of [...this.timers]) {
      this.timers.delete(run)
      run()
    }
  }

  path(...parts: string[]): string {
    return join(this.root, '.capture-intake', ...parts)
  }

  names(...parts: string[]): string[] {
    return existsSync(this.path(...parts)) ? readdirSync(this.path(...parts)).sort() : []
  }

  /** Every file under the root but the lease and the epoch, with its bytes: what a refusal must leave alone. */
  bytes(): Record<string, string> {
    const files: Record<string, string> = {}
    for (const name of readdirSync(this.root, { recursive: true, encoding: 'utf8' }).sort()) {
      const path = join(this.root, name)
      if (name.startsWith('.writer') || !statSync(path).isFile()) continue
      files[name] = createHash('sha256').update(readFileSync(path)).digest('hex')
    }
    return files
  }

  segments(): number[] {
    return this.names('log')
      .map(Number)
      .sort((a, b) => a - b)
  }

  lastSegment(): string {
    return this.path('log', String(this.segments().at(-1)))
  }
}

export function cutFile(path: string, length: number): void {
  const file = openSync(path, 'r+')
  ftruncateSync(file, length)
  closeSync(file)
}

export function appendBytes(path: string, bytes: string | Uint8Array): void {
  const file = openSync(path, 'a')
  writeSync(file, bytes as Uint8Array)
  closeSync(file)
}

/** What the promise is rejected with; fails the test if it is not. */
export async function rejection(
  promise: Promise<unknown>,
): Promise<{ code?: string; outcome?: string; message: string }> {
  try {
    await promise
  } catch (error) {
    return error as { code?: string; message: string }
  }
  throw new Error('It was not rejected.')
}
