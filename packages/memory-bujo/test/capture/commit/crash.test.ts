import { readdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { describe, expect, test } from 'vitest'
import { TURN_ID } from './support/captures.js'
import { makeCommitRoot, type CommitRoot } from './support/commit-root.js'
import { capture, seed } from './support/full-capture.js'
import { mortal, type Mortal } from './support/mortal.js'

/** One process: opens, recovers, captures what is not settled, and closes or dies. */
async function run(root: CommitRoot, process?: Mortal, { captures = true } = {}): Promise<void> {
  const opened = await root.open(process?.fs, process?.step)
  try {
    await opened.recover()
    if (captures && root.turns.get(TURN_ID) === undefined) await opened.capture(() => capture)
  } catch (error) {
    if (process?.isDead() !== true) throw error // whatever the dying process made of it
  } finally {
    opened.close()
  }
}

const untouched = await makeCommitRoot(seed)
const whole = mortal({ at: () => false })
await run(untouched, whole)
const expected = untouched.state() as { canonical: object }

test('what a capture leaves is as pinned', () => {
  const golden = fileURLToPath(new URL('golden/carried-out.json', import.meta.url))
  expect(expected.canonical).toEqual(JSON.parse(readFileSync(golden, 'utf8')))
})

test('the same decisions on the same root give the same root, byte for byte', async () => {
  const root = await makeCommitRoot(seed)
  await run(root)
  expect(root.state()).toEqual(expected)
})

describe.each([
  { name: 'before', isAfter: false },
  { name: 'right after, a write cut in half', isAfter: true },
])('killed $name', ({ isAfter }) => {
  const points = Array.from({ length: whole.steps() }, (_, n) => n + 1)

  test(`each of the ${points.length} steps, and opened again: as if nothing had happened`, async () => {
    let planned = 0
    for (const point of points) {
      const root = await makeCommitRoot(seed)
      const process = mortal({ at: (step) => step === point, isAfter })
      await run(root, process)
      expect(process.isDead()).toBe(true)
      const isPlanned = readdirSync(root.at('.capture-outbox')).includes(`${TURN_ID}.json`)
      if (isPlanned) planned++
      await run(root, undefined, { captures: !isPlanned }) // from the plan on, nothing is decided again
      expect({ point, state: root.state() }).toEqual({ point, state: expected })
    }
    expect(planned).toBeGreaterThan(points.length / 2)
  }, 120_000)

  test('and killed again, and again, while it recovers', async () => {
    for (const point of points.filter((_, at) => at % 9 === 0)) {
      const root = await makeCommitRoot(seed)
      await run(root, mortal({ at: (step) => step === point, isAfter }))
      for (let again = 1; again < 100; again += 17) {
        await run(root, mortal({ at: (step) => step === again, isAfter }), { captures: false })
      }
      await run(root)
      expect({ point, state: root.state() }).toEqual({ point, state: expected })
    }
  }, 120_000)
})
