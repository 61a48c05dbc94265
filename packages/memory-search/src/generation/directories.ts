import { flushed, layout, MemoryError, onDisk, type FileSystem, type WriterLease } from '@mono-agent/memory-store'
import { join } from 'node:path'
import { checkIndexPath, removeTree } from './index-paths.js'

/** The directories of the index that are missing are made; `syncIndexDirectories` makes them durable. */
export function makeGenerationDirectory(fs: FileSystem, root: string, generation: string): void {
  for (const path of [layout.index, layout.generations, layout.generation(generation)]) {
    const directory = join(root, path)
    if (checkIndexPath(fs, root, path, 'directory') === undefined) {
      onDisk('make', directory, () => fs.makeDirectory(directory), 'not_written')
    }
  }
}

/** What SQLite puts beside a database. */
const JOURNALS = ['-wal', '-shm', '-journal'] as const

/**
 * Whether the database of a generation is there. SQLite would follow links, so every name on the way to it is checked, and
 * those of its journals.
 * @throws {SearchError} index_obstructed  @throws {StoreError} path_unsafe: a link or another owner; storage_failed
 */
export function hasDatabase(fs: FileSystem, root: string, generation: string): boolean {
  for (const path of [layout.index, layout.generations, layout.generation(generation)]) {
    if (checkIndexPath(fs, root, path, 'directory') === undefined) return false
  }
  const database = layout.database(generation)
  for (const suffix of JOURNALS) checkIndexPath(fs, root, `${database}${suffix}`, 'file')
  return checkIndexPath(fs, root, database, 'file') !== undefined
}

/** Why SQLite could not go on, if something took a place of this generation meanwhile. */
export function obstructionOf(fs: FileSystem, root: string, generation: string): MemoryError | undefined {
  try {
    hasDatabase(fs, root, generation)
    return undefined
  } catch (error) {
    if (error instanceof MemoryError) return error
    throw error
  }
}

/** An empty file of our own (0600) for SQLite to fill: left to itself it would choose the mode. */
export function createDatabaseFile(fs: FileSystem, path: string): void {
  onDisk('create', path, () => fs.open(path, 'create').close(), 'not_written')
}

/**
 * Makes a finished database and every name on the way to it durable, from the inside out, so that the manifest never
 * points at what is not on disk. Only when no connection to it is open: closing a descriptor would free its locks.
 */
export async function syncGeneration(fs: FileSystem, root: string, generation: string): Promise<void> {
  const database = join(root, layout.database(generation))
  const file = onDisk('open', database, () => fs.open(database, 'write'))
  try {
    await flushed('flush', database, () => file.sync())
  } finally {
    onDisk('close', database, () => file.close())
  }
  for (const path of [layout.generation(generation), layout.generations, layout.index, '']) {
    const directory = join(root, path)
    await flushed('flush', directory, () => fs.syncDirectory(directory))
  }
}

interface NamesGenerations {
  readonly generation: string
  readonly previous?: { readonly generation: string } | undefined
}

const namesOf = (manifest: NamesGenerations | undefined): readonly (string | undefined)[] => [
  manifest?.generation,
  manifest?.previous?.generation,
]

/**
 * A name no generation of this root has, and none that the manifest still names without it being there: the epoch is this
 * writer's alone.
 */
export function newGenerationName(
  fs: FileSystem,
  root: string,
  lease: WriterLease,
  present: NamesGenerations | undefined,
): string {
  const named = namesOf(present)
  for (let serial = 0; ; serial++) {
    const name = `g${lease.epoch}-${serial}`
    const path = join(root, layout.generation(name))
    if (!named.includes(name) && onDisk('look at', path, () => fs.lstat(path)) === undefined) return name
  }
}

/** Removes every generation but those a manifest names (design §7): what was cut, and former ones. */
export function removeOtherGenerations(fs: FileSystem, root: string, manifest: NamesGenerations | undefined): void {
  const named = namesOf(manifest)
  const generations = join(root, layout.generations)
  if (checkIndexPath(fs, root, layout.generations, 'directory') === undefined) return
  for (const name of onDisk('list', generations, () => fs.list(generations))) {
    if (!named.includes(name)) removeTree(fs, join(generations, name))
  }
}

/** Takes back a build that failed. What cannot be removed is left: no manifest names it, so the next opening removes it. */
export function discardGeneration(fs: FileSystem, root: string, generation: string): void {
  try {
    removeTree(fs, join(root, layout.generation(generation)))
  } catch (error) {
    if (!(error instanceof MemoryError)) throw error
  }
}
