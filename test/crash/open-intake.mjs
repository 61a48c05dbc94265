import { join } from 'node:path'
import { openIntake } from '../../packages/memory-intake/dist/index.js'
import { acquireWriterLease, prepareRoot, removeOldTemporaries } from '../../packages/memory-store/dist/index.js'
import { steadyHost } from './host.mjs'
import { foldersOf } from './paths.mjs'

/** So few receipts that pruning is part of every checkpoint. */
export const LIMITS = { maxReceipts: 4 }

/**
 * The intake alone, without Markdown and index, on a root of its own.
 * @returns the intake and `close`, which also lets the lease go
 */
export async function openIntakeAlone(path, hours = 0) {
  const host = steadyHost(hours)
  const { fs } = host
  const root = await prepareRoot(fs, path)
  const lease = await acquireWriterLease(fs, root)
  try {
    const intake = await openIntake({
      ...{ root, fs, lease, now: host.now, limits: LIMITS },
      randomHex: (bytes) => Buffer.from(host.randomBytes(bytes)).toString('hex'),
    })
    removeOldTemporaries(fs, lease, foldersOf(root))
    const close = async () => {
      try {
        await intake.close()
      } finally {
        lease.release()
      }
    }
    return { intake, close }
  } catch (error) {
    lease.release()
    throw error
  }
}

export const intakeFolder = (root) => join(root, '.capture-intake')
