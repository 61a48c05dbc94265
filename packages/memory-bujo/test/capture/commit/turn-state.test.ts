import { randomBytes } from 'node:crypto'
import { expect, onTestFinished, test } from 'vitest'
import { nodeFileSystem } from '@mono-agent/memory-store'
import { openIntake, turnId } from '@mono-agent/memory-intake'
import { holdRoot } from '../../../../../test/support/held-root.js'
import { turnStateOf } from '../../../src/capture/commit/turn-state.js'

test('of a real intake: unfinished while pending or dead, then settled; unknown if it never came', async () => {
  const held = await holdRoot()
  const randomHex = (bytes: number): string => randomBytes(bytes).toString('hex')
  const intake = await openIntake({ ...held, fs: nodeFileSystem, now: () => 0, randomHex })
  onTestFinished(() => intake.close())
  const { id } = await intake.admit({ runId: 'run-1', conversationId: 'c', summary: 'One.' })
  expect(id).toBe(turnId('run-1'))
  expect(await turnStateOf(intake, id)).toBe('unfinished')
  while ((await intake.fail(id, 'provider')) !== 'dead') continue
  expect(await turnStateOf(intake, id)).toBe('unfinished')
  await intake.settle([{ id, memoryIds: [], outcome: 'curated' }])
  expect(await turnStateOf(intake, id)).toBe('settled')
  expect(await turnStateOf(intake, turnId('run-2'))).toBe('unknown')
})
