import { mkdirSync, symlinkSync } from 'node:fs'
import { expect, test } from 'vitest'
import { AUTHORITY_FILES, isCanonicalPath, listCanonicalFiles, listDayFiles, nodeFileSystem } from '../../src/index.js'
import { openTestRoot } from './open-test-logs.js'

test('day files by day, then graph log and replay authority; nothing else', async () => {
  const { root, path, write } = await openTestRoot()
  expect(listCanonicalFiles(nodeFileSystem, root)).toEqual([])
  for (const directory of ['daily', 'audit']) mkdirSync(path(directory), { mode: 0o700 })
  const others = ['audit/2026-05-01.md', 'index.md', 'daily/notes.md', 'graph.jsonl.bak', '.graph.jsonl.tmp-1-1']
  const days = ['2024-11-03.md', 'daily/2026-05-01.md']
  for (const file of [...days, ...AUTHORITY_FILES, ...others]) write(file, '')
  const listed = listCanonicalFiles(nodeFileSystem, root)
  expect(listed).toEqual([...days, 'graph.jsonl', '.replay-projection-v1.json', '.replay-projection-v1.delta.jsonl'])
  expect(listed.every(isCanonicalPath)).toBe(true)
  expect(listDayFiles(nodeFileSystem, root)).toEqual(days)
})

test.each(AUTHORITY_FILES)('%s that is a link is refused', async (file) => {
  const { root, path, write } = await openTestRoot()
  write('elsewhere', '')
  symlinkSync(path('elsewhere'), path(file))
  expect(() => listCanonicalFiles(nodeFileSystem, root)).toThrow(expect.objectContaining({ code: 'path_unsafe' }))
})
