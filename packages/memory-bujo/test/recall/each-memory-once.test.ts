import type { ContextBlock } from '@mono-agent/memory-store'
import { expect, test } from 'vitest'
import { eachMemoryOnce } from '../../src/recall/each-memory-once.js'

/** A block with a line for each list of ids. */
const block = (kind: ContextBlock['kind'], ...lines: readonly (readonly string[])[]): ContextBlock => ({
  kind,
  heading: kind,
  lines: lines.map((memoryIds) => ({ text: `- ${memoryIds.join(' ')}`, memoryIds })),
})

test.each([
  {
    name: 'profile before background before lines',
    given: [block('profile', ['a']), block('background', ['a'], ['b']), block('relevant', ['b'], ['c'])],
    kept: [block('profile', ['a']), block('background', ['b']), block('relevant', ['c'])],
  },
  {
    name: 'a block that has nothing of its own goes',
    given: [block('background', ['a']), block('relevant', ['a'])],
    kept: [block('background', ['a'])],
  },
  {
    name: 'a card tells facts alone',
    given: [block('profile', ['a']), block('person', ['a']), block('relevant', ['a'], ['b'])],
    kept: [block('profile', ['a']), block('person', ['a']), block('relevant', ['b'])],
  },
  {
    name: 'a line of two stays for the one that was not told',
    given: [block('background', ['a']), block('relevant', ['a', 'b'])],
    kept: [block('background', ['a']), block('relevant', ['a', 'b'])],
  },
  {
    name: 'lines of no memory stay',
    given: [block('background', []), block('relevant', [])],
    kept: [block('background', []), block('relevant', [])],
  },
])('$name', ({ given, kept }) => {
  expect(eachMemoryOnce(given)).toEqual(kept)
})
