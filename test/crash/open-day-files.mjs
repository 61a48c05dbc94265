import {
  acquireWriterLease,
  openDayFiles,
  prepareRoot,
  removeOldTemporaries,
} from '../../packages/memory-store/dist/index.js'
import { steadyHost } from './host.mjs'
import { foldersOf } from './paths.mjs'

/** Day files alone, without intake and index. @returns them and `close`, which lets the lease go */
export async function openDayFilesAlone(path) {
  const { fs, monotonicNow, ...host } = steadyHost()
  const sleep = (ms) => host.sleep(ms, { keepsProcessAlive: true })
  const root = await prepareRoot(fs, path)
  const lease = await acquireWriterLease(fs, root)
  removeOldTemporaries(fs, lease, foldersOf(root))
  return { dayFiles: openDayFiles({ root, fs, lease, sleep, monotonicNow }), close: () => lease.release() }
}
