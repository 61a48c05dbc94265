import { closeSync, openSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { Worker } from 'node:worker_threads'
import { beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { buildChildProgram, startChild, type ChildProgram } from '../../../../test/support/child-program.js'
import { holdRoot } from '../../../../test/support/held-root.js'
import { makeTemporaryRoot } from '../../../../test/support/temporary-root.js'
import { nodeFileSystem } from '../../src/disk/file-system.js'
import { acquireWriterLease } from '../../src/disk/writer-lease.js'

let program: string
let workerProgram: string

beforeAll(async () => {
  const [main, worker] = ['./programs/hold-lease.ts', './programs/hold-lease-worker.ts']
  program = await buildChildProgram(new URL(main, import.meta.url))
  workerProgram = await buildChildProgram(new URL(worker, import.meta.url))
})

function start(root: string, nodeArgs: readonly string[] = []): ChildProgram {
  const child = startChild(program, [root], { nodeArgs })
  onTestFinished(() => child.kill())
  return child
}

describe('two processes', () => {
  test('the second writer fails at once, in either order, until the first lets go', async () => {
    const root = makeTemporaryRoot()
    const first = start(root)
    expect(await first.line()).toBe('held 1')
    expect(await start(root).line()).toBe('writer_active')
    await expect(acquireWriterLease(nodeFileSystem, root)).rejects.toMatchObject({ code: 'writer_active' })
    first.say('release')
    expect(await first.line()).toBe('released')
    const lease = await acquireWriterLease(nodeFileSystem, root)
    expect(lease.epoch).toBe(2)
    expect(await start(root).line()).toBe('writer_active')
    lease.release()
  })

  test('a killed writer leaves the root free, without waiting', async () => {
    const root = makeTemporaryRoot()
    for (let epoch = 1; epoch <= 3; epoch++) {
      const child = start(root)
      expect(await child.line()).toBe(`held ${epoch}`)
      await child.kill()
    }
    const lease = await acquireWriterLease(nodeFileSystem, root)
    expect(lease.epoch).toBe(4)
    lease.release()
  })

  test('of 20 that start at once, one wins', async () => {
    const root = makeTemporaryRoot()
    const children = Array.from({ length: 20 }, () => start(root))
    const said = await Promise.all(children.map((child) => child.line()))
    expect(said.filter((line) => line.startsWith('held'))).toEqual(['held 1'])
    expect(said.filter((line) => line === 'writer_active')).toHaveLength(19)
  })

  test('a lease that nobody references any more is still held: garbage collection would free the lock', async () => {
    const root = makeTemporaryRoot()
    const holder = start(root, ['--expose-gc'])
    expect(await holder.line()).toBe('held 1')
    holder.say('forget')
    expect(await holder.line()).toBe('forgotten')
    expect(await start(root).line()).toBe('writer_active')
  })

  test('a writer whose lock file was deleted notices the next writer', async () => {
    const root = makeTemporaryRoot()
    const first = start(root)
    expect(await first.line()).toBe('held 1')
    rmSync(join(root, '.writer-lease'))
    expect(await start(root).line()).toBe('held 2')
    first.say('check')
    expect(await first.line()).toBe('lease_lost')
  })

  test('a writer that reads its own lease file loses the lock, and notices the next writer', async () => {
    const { root, lease } = await holdRoot()
    closeSync(openSync(join(root, '.writer-lease'), 'r'))
    expect(await start(root).line()).toBe('held 2')
    expect(() => lease.assertHeld()).toThrow(expect.objectContaining({ code: 'lease_lost' }))
  })
})

describe('worker threads', () => {
  const say = (worker: Worker): Promise<unknown> => new Promise((resolve) => worker.once('message', resolve))

  test('a thread is refused while another one writes, and frees the root when it is terminated', async () => {
    const root = makeTemporaryRoot()
    const holder = new Worker(workerProgram, { workerData: root })
    onTestFinished(async () => void (await holder.terminate()))
    expect(await say(holder)).toBe('held 1')
    await expect(acquireWriterLease(nodeFileSystem, root)).rejects.toMatchObject({ code: 'writer_active' })
    await holder.terminate()
    const lease = await acquireWriterLease(nodeFileSystem, root)
    expect(lease.epoch).toBe(2)
    const refused = new Worker(workerProgram, { workerData: root })
    onTestFinished(async () => void (await refused.terminate()))
    expect(await say(refused)).toBe('writer_active')
    expect(() => lease.assertHeld()).not.toThrow()
    expect(await start(root).line()).toBe('writer_active')
    lease.release()
  })
})
