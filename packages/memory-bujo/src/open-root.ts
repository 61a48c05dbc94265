import {
  acquireWriterLease,
  GITIGNORE,
  layout,
  LAYOUT_DIRECTORIES,
  onDisk,
  prepareRoot,
  publishFile,
  removeOldTemporaries,
  syncDirectories,
  type FileSystem,
  type WriterLease,
} from '@mono-agent/memory-store'
import { openIntake, type Intake, type IntakeSnapshot } from '@mono-agent/memory-intake'
import {
  buildIndex,
  checkIndexIdentity,
  checkRollback,
  openWritableIndex,
  prepareRebuild,
  type IndexIdentity,
} from '@mono-agent/memory-search'
import { join } from 'node:path'
import { BujoError } from './errors.js'
import type { Host } from './host.js'

export interface OpenRoot {
  /** Resolved path. */
  readonly root: string
  readonly lease: WriterLease
  readonly intake: Intake
}

export interface OpenRootOptions {
  /** As the user gave it. */
  readonly path: string
  readonly identity: IndexIdentity
  readonly host: Host
  /** Refuse a root that is not there instead of making it. */
  readonly mustExist?: boolean
  /** The index will be built anew: what it was built for, and what is in its place, is no hindrance. */
  readonly rebuildsIndex?: boolean
  /** The index before the present one will be gone back to: that one has to be for this identity, not the present one. */
  readonly rollsIndexBack?: boolean
  readonly onIntakeChange?: (snapshot: IntakeSnapshot) => void
  readonly onBackgroundError?: (error: unknown) => void
}

/**
 * The first half of every opening for writing, in the order of the durability design: ownership, lease and epoch, index
 * identity, intake with its recovery, debris. Admission is possible when it resolves.
 * @throws {StoreError} `writer_active`, `path_unsafe`
 * @throws {SearchError} `configured_identity_mismatch`, `index_obstructed`, `index_newer`
 * @throws {IntakeError} `intake_invalid`  @throws {BujoError} `root_missing`
 */
export async function openRoot(options: OpenRootOptions): Promise<OpenRoot> {
  const { path, identity, host, onIntakeChange, onBackgroundError } = options
  const { fs } = host
  if (options.mustExist === true && onDisk('look at', path, () => fs.lstat(path)) === undefined) {
    throw new BujoError(
      'root_missing',
      `There is no store at ${path}. Nothing was created. Check the path, or open it once for writing.`,
    )
  }
  const root = await prepareRoot(fs, path)
  const lease = await acquireWriterLease(fs, root)
  try {
    // Found is not durable: names that a killed process left in the cache only are flushed before they are built on.
    await syncDirectories(fs, [root, join(root, layout.daily), join(root, layout.audit), join(root, layout.outbox)])
    if (options.rebuildsIndex === true) prepareRebuild({ root, fs, lease })
    else if (options.rollsIndexBack === true) checkRollback({ root, fs, identity })
    else checkIndexIdentity({ root, fs, identity })
    const intake = await openIntake({
      root,
      fs,
      lease,
      now: host.now,
      randomHex: (bytes) => Buffer.from(host.randomBytes(bytes)).toString('hex'),
      ...(host.intakeLimits === undefined ? {} : { limits: host.intakeLimits }),
      prepareNewRoot: async () => {
        await publishGitignore(fs, lease, root)
        // A new root gets its empty generation before the marker says that it is no longer new (OPS-5).
        if (identity.tier === 'lite') (await openWritableIndex({ root, fs, lease, identity, now: host.now })).close()
        else await buildIndex({ root, fs, lease, identity, now: host.now })
      },
      ...(onIntakeChange === undefined ? {} : { onChange: onIntakeChange }),
      ...(onBackgroundError === undefined ? {} : { onBackgroundError }),
    })
    try {
      removeOldTemporaries(fs, lease, [root, ...LAYOUT_DIRECTORIES.map((directory) => join(root, directory))])
    } catch (error) {
      await intake.close()
      throw error
    }
    return { root, lease, intake }
  } catch (error) {
    lease.release()
    throw error
  }
}

/** Written once (FMT): one that is there is a person's, or was published by a creation that was cut. */
async function publishGitignore(fs: FileSystem, lease: WriterLease, root: string): Promise<void> {
  const path = join(root, layout.gitignore)
  if (onDisk('look at', path, () => fs.lstat(path)) !== undefined) return
  await publishFile(fs, lease, path, new TextEncoder().encode(GITIGNORE))
}

/** The second half backwards: a last checkpoint, then the lease. */
export async function closeRoot({ intake, lease }: OpenRoot): Promise<void> {
  try {
    await intake.close()
  } finally {
    lease.release()
  }
}
