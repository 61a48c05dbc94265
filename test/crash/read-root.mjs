// Reads a root without the library under test: what is wrong in its own parser must not hide here.
import { createHash } from 'node:crypto'
import { lstatSync, readFileSync, readdirSync } from 'node:fs'
import { join, relative } from 'node:path'

/** Every entry below `root`, with its path relative to it, slashes as separators. */
export function listTree(root) {
  return readdirSync(root, { recursive: true, withFileTypes: true }).map((entry) => {
    const path = join(entry.parentPath, entry.name)
    return { path: relative(root, path).replaceAll('\\', '/'), isDirectory: entry.isDirectory(), stat: lstatSync(path) }
  })
}

/** The bullets of all day files: id, sentence and file, in file order. Lines without an id are prose. */
export function readBullets(root) {
  const bullets = []
  for (const { path } of dayFiles(root)) {
    const lines = readFileSync(join(root, path), 'utf8').split('\n')
    for (const [i, line] of lines.entries()) {
      const id = /^ {2}<!--mem (?:.* )?id=(\S+)/.exec(line)?.[1]
      if (id !== undefined) bullets.push({ id, sentence: (lines[i - 1] ?? '').replace(/^- \S+ /, ''), file: path })
    }
  }
  return bullets
}

/** All lines of all day files. */
export const readLines = (root) =>
  dayFiles(root).flatMap(({ path }) => readFileSync(join(root, path), 'utf8').split('\n'))

function dayFiles(root) {
  return listTree(root).filter(({ path }) => /^daily\/\d{4}-\d\d-\d\d[.]md$/.test(path))
}

/** Path → digest of what people and replays rely on: day files, marker, .gitignore. */
export function canonicalDigests(root) {
  const files = listTree(root).filter(({ path }) => /^(daily\/.*[.]md|[.]memory-schema|[.]gitignore)$/.test(path))
  return Object.fromEntries(
    files.map(({ path }) => [
      path,
      createHash('sha256')
        .update(readFileSync(join(root, path)))
        .digest('hex'),
    ]),
  )
}
