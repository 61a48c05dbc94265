import { join } from 'node:path'
import { readManifest } from './check-vectors.mjs'

const IS_COPY = /[/]memory[.]sidecar$/
/** Far more than a sealing takes; without it a workload whose store never seals would not end. */
const PATIENCE_MS = 20_000

/** Where the sealed copy of the index in use is. */
export const sealedCopyOf = (root) => join(root, '.index/generations', readManifest(root).generation, 'memory.sidecar')

/**
 * Sees when a store has sealed its sidecar.
 * @returns `over`, what is put over its file system; `during(work)`, which does the work and resolves when a copy has been
 *   sealed since it was begun
 */
export function watchSealing() {
  let isNamed = false
  let tell = () => undefined
  return {
    over: (fs) => ({
      ...fs,
      rename(from, to) {
        fs.rename(from, to)
        isNamed ||= IS_COPY.test(to)
      },
      async syncDirectory(path) {
        await fs.syncDirectory(path)
        if (!isNamed) return
        isNamed = false
        tell()
      },
    }),
    async during(work) {
      let timer
      const sealed = new Promise((resolve, reject) => {
        tell = resolve
        timer = setTimeout(() => reject(new Error('The store does not seal its sidecar.')), PATIENCE_MS)
      })
      await Promise.all([sealed, work()])
      clearTimeout(timer)
    },
  }
}
