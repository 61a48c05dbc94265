import { describe, expect, test } from 'vitest'
import { fairTurns, LONGEST_TURN_MS } from '../../src/aside/fair-turns.js'

/** Work in slices of `slice` ms, beside others that take `others` ms whenever they have the turn. @returns who had how long */
async function sharedOut({ slice, others, slices }: { slice: number; others: number; slices: number }) {
  let time = 0
  const own: number[] = [0]
  const yieldTurn = fairTurns({
    now: () => time,
    nextTurn: () => {
      time += others
      own.push(0)
      return Promise.resolve()
    },
  })
  for (let done = 0; done < slices; done++) {
    time += slice
    own[own.length - 1] = (own.at(-1) as number) + slice
    await yieldTurn()
  }
  return { turns: own.length - 1, longest: Math.max(...own) }
}

describe('turns of work beside questions', () => {
  test.each([
    { name: 'alone: after each slice', slice: 2, others: 0, slices: 50, turns: 50, longest: 2 },
    { name: 'beside quick ones: as long as they', slice: 2, others: 10, slices: 50, turns: 10, longest: 10 },
    { name: 'a slice longer than they are', slice: 20, others: 10, slices: 50, turns: 50, longest: 20 },
    {
      name: 'just below the longest turn',
      slice: 1,
      others: LONGEST_TURN_MS - 1,
      slices: 991,
      turns: 11,
      longest: LONGEST_TURN_MS - 1,
    },
    {
      name: 'the longest turn',
      slice: 1,
      others: LONGEST_TURN_MS,
      slices: 1_001,
      turns: 11,
      longest: LONGEST_TURN_MS,
    },
    {
      name: 'beside slow ones: no longer than the longest turn',
      slice: 1,
      others: 10 * LONGEST_TURN_MS,
      slices: 1_001,
      turns: 11,
      longest: LONGEST_TURN_MS,
    },
  ])('$name', async ({ slice, others, slices, turns, longest }) => {
    expect(await sharedOut({ slice, others, slices })).toEqual({ turns, longest })
  })

  test('what it is by itself lets everything that waits have its turn', async () => {
    const yieldTurn = fairTurns()
    let others = 0
    setImmediate(() => others++)
    while (others === 0) await yieldTurn()
    expect(others).toBe(1)
  })
})
