// Two ways in which editors save, both careful enough to sync.
import { closeSync, fsyncSync, openSync, readFileSync, renameSync, statSync, writeSync } from 'node:fs'
import { dirname, join } from 'node:path'

/** Writes the changed text beside the file and renames it over it. */
export function saveByRename(root, file, change) {
  const path = join(root, file)
  const beside = `${path}~`
  writeSynced(beside, 'w', change(readFileSync(path, 'utf8')))
  renameSync(beside, path)
  const folder = openSync(dirname(path), 'r')
  fsyncSync(folder)
  closeSync(folder)
}

/** Adds to the file where it lies. What a crash leaves of the addition is the person's loss, and no one else's. */
export function appendInPlace(root, file, text) {
  const path = join(root, file)
  writeSynced(path, 'r+', text, statSync(path).size)
}

function writeSynced(path, flags, text, position) {
  const descriptor = openSync(path, flags, 0o600)
  writeSync(descriptor, text, position)
  fsyncSync(descriptor)
  closeSync(descriptor)
}
