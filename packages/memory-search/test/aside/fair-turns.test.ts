import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { EQUAL_TURN_MS, fairTurns } from '../../src/aside/fair-turns.js'

interface Shared {
  /** Milliseconds of a slice of the work, and of what others do whenever they have the turn. */
  readonly slice: number
  readonly others: number
  readonly slices: number
}

/** @returns milliseconds of each turn of the work, less the first and the last */
async function sharedOut({ slice, others, slices }: Shared) {
  let time = 0
  const turns: number[] = [0]
  const yieldTurn = fairTurns({
    now: () => time,
    nextTurn: () => {
      time += others
      turns.push(0)
      return Promise.resolve()
    },
  })
  for (let done = 0; done < slices; done++) {
    time += slice
    turns[turns.length - 1] = (turns.at(-1) as number) + slice
    await yieldTurn()
  }
  return turns.slice(1, -1)
}

describe('turns of work beside questions', () => {
  test.each([
    { name: 'alone: after each slice', slice: 2, others: 0, each: 2 },
    { name: 'beside quick ones: as long as they', slice: 2, others: 10, each: 10 },
    { name: 'a slice longer than they are', slice: 20, others: 10, each: 20 },
    { name: 'just below what is shared equally', slice: 1, others: EQUAL_TURN_MS - 1, each: EQUAL_TURN_MS - 1 },
    { name: 'the longest that is shared equally', slice: 1, others: EQUAL_TURN_MS, each: EQUAL_TURN_MS },
    { name: 'just above', slice: 1, others: EQUAL_TURN_MS + 1, each: EQUAL_TURN_MS },
    { name: 'twice as long', slice: 1, others: 2 * EQUAL_TURN_MS, each: EQUAL_TURN_MS },
    { name: 'slow ones: half as long as they', slice: 1, others: 3 * EQUAL_TURN_MS, each: 1.5 * EQUAL_TURN_MS },
    { name: 'very slow ones', slice: 10, others: 30 * EQUAL_TURN_MS, each: 15 * EQUAL_TURN_MS },
  ])('$name', async ({ slice, others, each }) => {
    const turns = await sharedOut({ slice, others, slices: 2_000 })
    expect(turns.length).toBeGreaterThan(5)
    expect(new Set(turns)).toEqual(new Set([each]))
  })

  test('are a third of the time at least, whatever others take', async () => {
    await fc.assert(
      fc.asyncProperty(fc.integer({ min: 1, max: 50 }), fc.integer({ min: 0, max: 5_000 }), async (slice, others) => {
        const turns = await sharedOut({ slice, others, slices: 6_000 })
        expect(turns.length).toBeGreaterThan(0)
        for (const turn of new Set(turns)) {
          expect(turn / (turn + others)).toBeGreaterThanOrEqual(1 / 3)
          expect(turn).toBeLessThan(others + slice + 1)
        }
      }),
    )
  })

  test('by themselves they let everything that waits have its turn', async () => {
    const yieldTurn = fairTurns()
    let others = 0
    setImmediate(() => others++)
    for (let slice = 0; slice < 3 && others === 0; slice++) await yieldTurn()
    expect(others).toBe(1)
  })
})
