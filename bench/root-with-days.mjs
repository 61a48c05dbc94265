// A root whose day files are written straight, as a projection would leave them: what the benches of the search begin with.
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import {
  acquireWriterLease,
  applyDayChanges,
  emptyDayDocument,
  formatDayFile,
  newBullet,
  nodeFileSystem,
  prepareRoot,
} from '../packages/memory-store/dist/index.js'

/**
 * Lends `work` a new root and takes it away again.
 * @param days  an iterable of `[YYYY-MM-DD, fields of the bullets of that day]`
 * @param work  gets `root` and `options`, with which `openWritableIndex` opens the root's index
 */
export async function withRootOfDays(days, work) {
  const base = mkdtempSync(join(tmpdir(), 'bench-search-'))
  try {
    const root = await prepareRoot(nodeFileSystem, join(base, 'root'))
    mkdirSync(join(root, 'daily'), { mode: 0o700 })
    for (const [day, fields] of days) {
      const { document } = applyDayChanges(emptyDayDocument(day), [{ kind: 'add', bullets: fields.map(newBullet) }])
      writeFileSync(join(root, 'daily', `${day}.md`), formatDayFile(document), { mode: 0o600 })
    }
    const lease = await acquireWriterLease(nodeFileSystem, root)
    const options = { root, fs: nodeFileSystem, lease, identity: { tier: 'lite' }, now: Date.now }
    const result = await work(options)
    lease.release()
    return result
  } finally {
    rmSync(base, { recursive: true })
  }
}
