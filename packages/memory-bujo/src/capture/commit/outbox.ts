import {
  checkOwned,
  ensureDirectory,
  errnoOf,
  layout,
  listNames,
  parseTemporaryName,
  publishFile,
  readPinned,
  storageError,
  syncDirectories,
  type FileSystem,
  type WriterLease,
} from '@mono-agent/memory-store'
import { join } from 'node:path'
import { BujoError } from '../../errors.js'
import { formatPlan, parsePlan } from './plan-format.js'
import type { OutboxPlan, RememberPlan } from './plan-types.js'

const PLAN_NAME = /^([0-9a-f]{64})\.json$/

export interface OutboxParts {
  /** Resolved path of the root. */
  readonly root: string
  readonly fs: FileSystem
  readonly lease: WriterLease
}

/** The plans of a root: at most one a turn, and at most one that is being carried out. */
export class Outbox {
  constructor(private readonly parts: OutboxParts) {}

  /** Ids of the plans. @throws {BujoError} outbox_invalid: something else is there */
  list(): string[] {
    const { fs, root } = this.parts
    return planIds(fs, root)
  }

  /** Whether the turn has a plan, sound or not. */
  has(id: string): boolean {
    const { fs, root } = this.parts
    return checkOwned(fs, join(root, layout.plan(id)), 'file') !== undefined
  }

  /** @returns undefined if there is none of this id  @throws {BujoError} outbox_invalid */
  load(id: string): OutboxPlan | undefined {
    const { fs, root } = this.parts
    const read = readPinned(fs, join(root, layout.plan(id)))
    if (read === undefined) return undefined
    const plan = parsePlan(read.bytes)
    if (plan === undefined || plan.id !== id) throw outboxInvalid('a plan is damaged, or of another version')
    return plan
  }

  /** All plans, whole. @throws {BujoError} outbox_invalid: one is damaged, or more than one is being carried out */
  loadAll(): OutboxPlan[] {
    const plans = this.list().flatMap((id) => this.load(id) ?? [])
    const underWay = plans.filter(({ stage }) => stage !== 'retained').length
    if (underWay > 1) throw outboxInvalid(`${underWay} plans are being carried out at once`)
    return plans
  }

  /** From when it resolves on, the plan outlives a crash; one of its id that was there before is replaced. */
  async publish(plan: OutboxPlan): Promise<void> {
    const { fs, lease, root } = this.parts
    const directory = join(root, layout.outbox)
    lease.assertHeld()
    if (checkOwned(fs, directory, 'directory') === undefined) await ensureDirectory(fs, directory)
    await publishFile(fs, lease, join(root, layout.plan(plan.id)), formatPlan(plan))
  }

  /**
   * Takes the plan of a settled turn away; one that has none is left at that. Without a flush: should the name come back
   * after a power loss, recovery finds that its turn is settled and removes it again.
   */
  remove(id: string): void {
    const { fs, lease, root } = this.parts
    const path = join(root, layout.plan(id))
    lease.assertHeld()
    try {
      fs.remove(path)
    } catch (error) {
      if (errnoOf(error) !== 'ENOENT') throw storageError(error, 'remove', path)
    }
  }

  /**
   * Takes the plan of a Remember away, for good when it resolves: no receipt would tell a later recovery that it is done,
   * and by then the lines that it speaks of may be others.
   * @throws {StoreError} storage_failed: it is certain to be there still, or nothing more is written
   */
  async removeDurably(plan: RememberPlan): Promise<void> {
    const { fs, root } = this.parts
    try {
      this.remove(plan.id)
      await syncDirectories(fs, [join(root, layout.outbox)])
    } catch (error) {
      await this.publish(plan) // a name that may or may not come back is worse than one that is there
      throw error
    }
  }
}

/**
 * Ids of the plans, by name alone; for callers without a lease as well. What a writer is about to publish, and
 * what a killed one left of that, is no plan.
 * @throws {BujoError} outbox_invalid  @throws {StoreError} path_unsafe, storage_failed
 */
export function planIds(fs: FileSystem, root: string): string[] {
  const directory = join(root, layout.outbox)
  if (checkOwned(fs, directory, 'directory') === undefined) return []
  return listNames(fs, directory).flatMap((name) => {
    // Hidden files are nobody's plan: what a file manager leaves behind must not stop curation.
    if (parseTemporaryName(name) !== undefined || name.startsWith('.')) return []
    const id = PLAN_NAME.exec(name)?.[1]
    if (id === undefined) throw outboxInvalid('a file there is not named like a plan')
    return [id]
  })
}

/** @param reason  without the name of a run, path or content */
export function outboxInvalid(reason: string): BujoError {
  return new BujoError(
    'outbox_invalid',
    `The outbox of planned writes cannot be trusted: ${reason}. It was left as it is, and no turn is curated until it is ` +
      'mended; turns are admitted all the same. Bring the file back from a backup, or move it away knowingly.',
  )
}
