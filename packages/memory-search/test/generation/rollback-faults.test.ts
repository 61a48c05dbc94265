import { acquireWriterLease, layout, MemoryError, nodeFileSystem, type FileSystem } from '@mono-agent/memory-store'
import { cpSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { openWritableIndex } from '../../src/index.js'
import { faultyFileSystem, type Fault } from '../../../../test/support/faulty-file-system.js'
import { makeTemporaryRoot } from '../../../../test/support/temporary-root.js'
import { manifestOf } from '../support/dump.js'
import {
  answersOf,
  generationsOf,
  namedGenerations,
  optionsOf,
  rebuildAs,
  rollBackTo,
  type Answers,
  type ConfigurationName,
} from '../support/rollbacks.js'
import { bullet, type TestRoot } from '../support/roots.js'
import { newRoot, DAY } from '../support/scenario.js'

const QUERIES = ['tea', 'who has a cat', 'Ana']
const ERRNOS = ['ENOSPC', 'EIO', 'EMFILE', 'EACCES'] as const

/** A lite index of a day, and what is worked on: a copy of the root as a process found it. */
async function prepare(...configurations: readonly ConfigurationName[]): Promise<TestRoot> {
  const root = await newRoot()
  const sentences = ['Morgan prefers green tea.', 'Ana has a cat that drinks tea.', 'The class costs 40 euros.']
  root.write(
    DAY,
    sentences.map((sentence, at) => bullet({ id: `m-${at}`, sentence })),
  )
  for (const name of configurations) await rebuildAs(root, name)
  return root
}

/** Runs `work` as a writer of its own in a copy of `origin`. @returns the copy, and what the work threw */
async function runIn<T>(
  origin: TestRoot,
  fs: FileSystem,
  work: (root: TestRoot) => Promise<T>,
): Promise<{ readonly path: string; readonly error: unknown }> {
  const path = makeTemporaryRoot()
  cpSync(origin.path, path, { recursive: true })
  rmSync(join(path, layout.writerLease), { force: true })
  return { path, error: await workIn(origin, path, fs, work) }
}

async function workIn<T>(origin: TestRoot, path: string, fs: FileSystem, work: (root: TestRoot) => Promise<T>) {
  const lease = await acquireWriterLease(nodeFileSystem, path)
  try {
    await work({ ...origin, path, fs, lease })
    return undefined
  } catch (error) {
    return error
  } finally {
    lease.release()
  }
}

interface Job {
  readonly name: string
  readonly work: (root: TestRoot) => Promise<unknown>
  readonly before: ConfigurationName
  readonly after: ConfigurationName
}

const JOBS: readonly Job[] = [
  { name: 'a rebuild', before: 'lite', after: 'journal', work: (root) => rebuildAs(root, 'journal') },
  { name: 'a rollback', before: 'wide', after: 'lite', work: (root) => rollBackTo(root, 'lite') },
]

const startOf = (job: Job): Promise<TestRoot> => (job.before === 'lite' ? prepare('lite') : prepare('lite', 'wide'))

const KINDS: readonly { kind: string; fault: (nth: number) => Fault; isKill?: boolean }[] = [
  { kind: 'fails', fault: (nth) => ({ nth, errno: ERRNOS[nth % ERRNOS.length] ?? 'EIO' }) },
  { kind: 'fails after its effect', fault: (nth) => ({ nth, errno: 'EIO', afterEffect: true }) },
  { kind: 'is the last one before a kill', fault: (nth) => ({ nth, times: Infinity, errno: 'EIO' }), isKill: true },
]

describe.each(JOBS)('$name of which one call of the file system after the other', (job) => {
  test.each(KINDS)(
    '$kind: the index is the old one or the new one, whole, and the next try succeeds',
    { timeout: 300_000 },
    async ({ fault, isKill = false }) => {
      const origin = await startOf(job)
      const answers = new Map<ConfigurationName, Answers>()
      answers.set(job.before, answersOf(origin, job.before, QUERIES))
      const counting = faultyFileSystem(nodeFileSystem)
      const undisturbed = await runIn(origin, counting.fs, job.work)
      expect(undisturbed.error).toBeUndefined()
      answers.set(job.after, answersOf({ ...origin, path: undisturbed.path }, job.after, QUERIES))
      const ends = { before: 0, after: 0 }

      for (let nth = 1; nth <= counting.calls.length; nth++) {
        const faulty = faultyFileSystem(nodeFileSystem)
        faulty.inject(fault(nth))
        const { path, error } = await runIn(origin, faulty.fs, job.work)
        if (error !== undefined && !isKill) {
          expect(error, String((error as Error).stack)).toBeInstanceOf(MemoryError)
          expect((error as Error).message).not.toContain(path)
        }
        const root: TestRoot = { ...origin, path }
        const isAfter = manifestOf(path).identity.tier !== optionsOf(root, job.before).identity.tier
        ends[isAfter ? 'after' : 'before']++
        if (error === undefined) expect(isAfter).toBe(true)
        const name = isAfter ? job.after : job.before
        expect(answersOf(root, name, QUERIES)).toEqual(answers.get(name))

        // The next opening removes what no manifest names; then the job can be done, or undone.
        const next = await workIn(origin, path, nodeFileSystem, async (own) => {
          ;(await openWritableIndex(optionsOf(own, name))).close()
          expect(generationsOf(own)).toEqual(namedGenerations(own))
          await (isAfter ? rollBackTo(own, job.before) : job.work(own))
        })
        expect(next).toBeUndefined()
        const done = isAfter ? job.before : job.after
        expect(answersOf(root, done, QUERIES)).toEqual(answers.get(done))
        expect(generationsOf(root)).toEqual(namedGenerations(root))
        rmSync(path, { recursive: true })
      }
      expect(ends.before).toBeGreaterThan(0)
      expect(ends.after).toBeGreaterThan(0)
    },
  )
})

test('retiring the offer: after a fault at any call it is retired or the day files may not be written', async () => {
  const origin = await prepare('lite', 'lite')
  const retire = async (root: TestRoot): Promise<void> => {
    const index = await openWritableIndex({ ...optionsOf(root, 'lite') })
    try {
      await index.retirePrevious()
    } finally {
      index.close()
    }
  }
  const counting = faultyFileSystem(nodeFileSystem)
  await runIn(origin, counting.fs, retire)
  let refusals = 0
  for (let nth = 1; nth <= counting.calls.length; nth++) {
    const faulty = faultyFileSystem(nodeFileSystem)
    faulty.inject({ nth, errno: 'EIO' })
    const { path, error } = await runIn(origin, faulty.fs, retire)
    if (error === undefined) expect(manifestOf(path).previous?.isOffered).toBe(false)
    else refusals++
    rmSync(path, { recursive: true })
  }
  expect(refusals).toBeGreaterThan(0)
})
