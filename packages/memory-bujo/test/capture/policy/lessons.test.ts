import type { ToolOutcome } from '@mono-agent/memory-store'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { sawRecovery } from '../../../src/capture/policy/lessons.js'
import type { ExtractedLabel } from '../../../src/capture/types.js'
import { admit } from './admit-labels.js'
import { OWNER_TURN, RECOVERED, TRIGGER_TURN } from './support.js'

describe('lessons (CAP-9)', () => {
  const lesson: ExtractedLabel = {
    kind: 'lesson',
    scope: 'agent',
    tool: 'build',
    quote: 'it went through with --force',
  }
  const outcomes = (...list: string[]): ToolOutcome[] =>
    list.map((text) => ({ category: text.slice(1), outcome: text.startsWith('-') ? 'failed' : 'succeeded' }))
  test.each([
    ['failed, then succeeded', ['-build', '+build'], true],
    ['with others between', ['-build', '+test', '-test', '+build'], true],
    ['failed again between', ['-build', '-build', '+build'], true],
    ['and failed once more after', ['-build', '+build', '-build'], true],
    ['succeeded, then failed', ['+build', '-build'], false],
    ['never failed', ['+build', '+build'], false],
    ['never succeeded', ['-build'], false],
    ['another one succeeded', ['-build', '+test'], false],
    ['another one recovered', ['-test', '+test'], false],
    ['of another case', ['-Build', '+Build'], false],
    ['nothing ran', [], false],
  ])('%s: verified %s %s', (_name, ran, verified) => {
    const turn = { ...OWNER_TURN, toolOutcomes: outcomes(...ran) }
    const { labels } = admit([lesson], { turn, source: 'tool' })
    expect(labels).toEqual([{ kind: 'lesson', scope: verified ? 'agent' : 'conversation:web:1', verified }])
  })

  test('what a document says of a tool is not what the host saw', () => {
    const turn = { ...OWNER_TURN, toolOutcomes: RECOVERED }
    expect(admit([lesson], { turn, source: 'document' }).labels).toEqual([
      { kind: 'lesson', scope: 'conversation:web:1', verified: false },
    ])
  })

  test('a verified one of a turn without a human stays in its conversation', () => {
    const turn = { ...TRIGGER_TURN, senderToken: 'tok1', toolOutcomes: RECOVERED }
    expect(admit([lesson], { turn, source: 'tool' }).labels).toEqual([
      { kind: 'lesson', scope: 'conversation:web:1', verified: true },
    ])
  })

  test('recovery is a success after a failure, for any run of outcomes', () =>
    fc.assert(
      fc.property(
        fc.array(
          fc.record({
            category: fc.constantFrom('a', 'b'),
            outcome: fc.constantFrom('failed' as const, 'succeeded' as const),
          }),
        ),
        (ran) => {
          const naive = ran.some(
            (one, at) =>
              one.category === 'a' &&
              one.outcome === 'failed' &&
              ran.slice(at + 1).some((later) => later.category === 'a' && later.outcome === 'succeeded'),
          )
          expect(sawRecovery(ran, 'a')).toBe(naive)
        },
      ),
    ))
})
