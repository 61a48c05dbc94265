import {
  acquireWriterLease,
  formatDayFile,
  layout,
  newBullet,
  nodeFileSystem,
  parseDayFile,
  prepareRoot,
  type Bullet,
  type FileSystem,
  type NewBulletFields,
  type WriterLease,
} from '@mono-agent/memory-store'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { openWritableIndex, type IndexIdentity, type SearchIndex } from '../../src/index.js'

export const LITE: IndexIdentity = { tier: 'lite' }

export const bullet = (fields: Partial<NewBulletFields> & { readonly sentence: string }): Bullet =>
  newBullet({ id: `m-${fields.sentence.length}`, createdAt: '2026-05-01T09:00:00.000Z', ...fields })

/** A root on the real disk with its lease; `free` removes it. */
export interface TestRoot {
  readonly path: string
  readonly fs: FileSystem
  readonly lease: WriterLease
  /** Writes a day file as a person would: in place. */
  write(file: string, bullets: readonly Bullet[]): void
  remove(file: string): void
  open(identity?: IndexIdentity): Promise<SearchIndex>
  free(): void
}

export const bytesOf = (day: string, bullets: readonly Bullet[]): Uint8Array => {
  const empty = parseDayFile(new TextEncoder().encode(`# ${day}\n\n`))
  const blocks = bullets.map((item) => ({ kind: 'bullet' as const, bullet: item, line: 0, lineEnd: '\n' as const }))
  return formatDayFile({ ...empty, blocks: [...empty.blocks, ...blocks] })
}

export async function makeRoot(): Promise<TestRoot> {
  const path = await prepareRoot(nodeFileSystem, join(mkdtempSync(join(tmpdir(), 'memory-search-')), 'root'))
  const lease = await acquireWriterLease(nodeFileSystem, path)
  const at = (file: string): string => join(path, file)
  return {
    path,
    fs: nodeFileSystem,
    lease,
    write(file, bullets) {
      mkdirSync(at(layout.daily), { recursive: true, mode: 0o700 })
      writeFileSync(at(file), bytesOf(file.slice(-13, -3), bullets), { mode: 0o600 })
    },
    remove: (file) => rmSync(at(file), { recursive: true }),
    open: (identity = LITE) => openWritableIndex({ root: path, fs: nodeFileSystem, lease, identity, now: Date.now }),
    free() {
      lease.release()
      rmSync(dirname(path), { recursive: true })
    },
  }
}
