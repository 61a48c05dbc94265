import { expect, test } from 'vitest'
import { createCanonicalQueue } from '../../src/canonical/canonical-queue.js'

test('jobs run one after the other, in the order they came', async () => {
  const queue = createCanonicalQueue()
  const log: string[] = []
  const job = (name: string) => async () => {
    log.push(`${name} begins`)
    await new Promise((resolve) => setImmediate(resolve))
    log.push(`${name} ends`)
    return name
  }
  expect(await Promise.all([queue.run(job('a')), queue.run(job('b')), queue.run(job('c'))])).toEqual(['a', 'b', 'c'])
  expect(log).toEqual(['a begins', 'a ends', 'b begins', 'b ends', 'c begins', 'c ends'])
})

test('a job that fails tells its caller and nobody else', async () => {
  const queue = createCanonicalQueue()
  const failing = queue.run(async () => {
    throw new Error('first')
  })
  const next = queue.run(async () => 'second')
  await expect(failing).rejects.toThrow('first')
  await expect(next).resolves.toBe('second')
})
