import assert from 'node:assert/strict'
import { isLayoutDirectory, isLayoutPath } from '../../packages/memory-store/dist/index.js'
import { listTree } from './read-root.mjs'

/** What an editor of a person leaves beside a day file is theirs. */
const isEditorsOwn = (path) => path.startsWith('daily/') && path.endsWith('~')

/** After an opening: only files of the layout, owner-only modes, nothing temporary. */
export function checkRoot(root) {
  for (const { path, isDirectory, stat } of listTree(root)) {
    if (isEditorsOwn(path)) continue
    assert.ok(!/[.]tmp-/.test(path), `a temporary was left: ${path}`)
    assert.ok(isDirectory ? isLayoutDirectory(path) : isLayoutPath(path), `outside of the layout: ${path}`)
    assert.ok(isDirectory ? stat.isDirectory() : stat.isFile(), `neither file nor directory: ${path}`)
    assert.equal((stat.mode & 0o777).toString(8), isDirectory ? '700' : '600', `mode of ${path}`)
  }
}
