import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { holdRoot, type HeldRoot } from '../../../../test/support/held-root.js'
import { manualClock, type ManualClock } from '../../../../test/support/manual-clock.js'
import { openDayFiles, type DayFiles, type DayFilesOptions } from '../../src/canonical/day-files.js'
import { nodeFileSystem, type FileSystem } from '../../src/disk/file-system.js'
import { newBullet, type Bullet } from '@mono-agent/memory-store'
import type { DayChange } from '@mono-agent/memory-store'

export const FILE = 'daily/2026-05-01.md'

export function bullet(id: string, sentence = `Sentence of ${id}.`): Bullet {
  return newBullet({ id, sentence, createdAt: '2026-05-01T09:00:00.000Z' })
}

export const add = (...ids: string[]): DayChange => ({ kind: 'add', bullets: ids.map((id) => bullet(id)) })

export interface TestDays extends HeldRoot {
  readonly path: string
  readonly clock: ManualClock
  readonly days: DayFiles
  /** The same root, known to nobody: as after a restart, but under the same lease. */
  reopen(options?: Partial<DayFilesOptions>): DayFiles
  text(): string
  /** Saves in place, as some editors do; `change` gets the text as it is. */
  save(change: (text: string) => string): void
}

export async function openTestDays(fs: FileSystem = nodeFileSystem): Promise<TestDays> {
  const held = await holdRoot()
  const { root, lease } = held
  const path = join(root, FILE)
  const clock = manualClock()
  const { sleep, monotonicNow } = clock
  const reopen = (options: Partial<DayFilesOptions> = {}): DayFiles =>
    openDayFiles({ root, fs, lease, sleep, monotonicNow, ...options })
  const text = (): string => readFileSync(path, 'utf8')
  const save = (change: (text: string) => string): void => writeFileSync(path, change(text()))
  return { ...held, path, clock, days: reopen(), reopen, text, save }
}

/** Writes a day file as it could have been found. */
export function writeDay(root: string, file: string, content: string): void {
  mkdirSync(join(root, 'daily'), { recursive: true })
  writeFileSync(join(root, file), content, { mode: 0o600 })
}

/** Ids in the file, in order. */
export function idsIn(text: string): string[] {
  return [...text.matchAll(/<!--mem id=(\S+)/g)].map((match) => match[1] ?? '')
}
