import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { Intake } from '@mono-agent/memory-intake'
import { appendBytes, Harness, idOf, turn } from './support/harness.js'

const MAX_UNFINISHED = 4
const RUNS = ['a', 'b', 'c', 'd', 'e', 'f']
const limits = { maxUnfinished: MAX_UNFINISHED, maxReceipts: 100 }

interface Modelled {
  readonly order: number
  readonly payload: number
  state: 'pending' | 'dead' | 'resolved'
  attempts: number
  delayed: boolean
  reason?: string
}

const step = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.record({ kind: fc.constant('admit' as const), run: fc.constantFrom(...RUNS), payload: fc.nat(1) }),
  },
  {
    weight: 3,
    arbitrary: fc.record({
      kind: fc.constantFrom('settle' as const, 'resolve' as const),
      run: fc.constantFrom(...RUNS),
    }),
  },
  {
    weight: 3,
    arbitrary: fc.record({
      kind: fc.constant('fail' as const),
      run: fc.constantFrom(...RUNS),
      times: fc.constantFrom(1, 2, 15, 16),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({ kind: fc.constant('retry' as const), run: fc.option(fc.constantFrom(...RUNS)) }),
  },
  {
    weight: 5,
    arbitrary: fc.record({ kind: fc.constantFrom('checkpoint' as const, 'reopen' as const, 'crash' as const) }),
  },
  {
    weight: 2,
    arbitrary: fc.record({ kind: fc.constant('tear' as const), tail: fc.uint8Array({ minLength: 1, maxLength: 200 }) }),
  },
)
type Step = typeof step extends fc.Arbitrary<infer T> ? T : never

const codeOf = (error: unknown): string => (error as { code: string }).code

/** Plays one step on both; they must answer the same. */
async function play(harness: Harness, intake: Intake, model: Map<string, Modelled>, step: Step): Promise<Intake> {
  switch (step.kind) {
    case 'admit': {
      const answer = await intake
        .admit(turn(step.run, { summary: `payload ${step.payload}` }))
        .then(({ status }) => status, codeOf)
      const known = model.get(step.run)
      const unfinished = [...model.values()].filter(({ state }) => state !== 'resolved').length
      if (known !== undefined) expect(answer).toBe(known.payload === step.payload ? 'duplicate' : 'run_conflict')
      else if (unfinished >= MAX_UNFINISHED) expect(answer).toBe('intake_full')
      else {
        expect(answer).toBe('admitted')
        const order = model.size + 1
        model.set(step.run, { order, payload: step.payload, state: 'pending', attempts: 0, delayed: false })
      }
      return intake
    }
    case 'settle':
    case 'resolve': {
      const known = model.get(step.run)
      const job =
        step.kind === 'settle'
          ? intake.settle([{ id: idOf(step.run), memoryIds: [step.run] }])
          : intake.resolve(idOf(step.run), 'by-hand')
      const answer = await job.then(() => 'done', codeOf)
      expect(answer).toBe(known === undefined ? 'item_unknown' : 'done')
      if (known !== undefined && known.state !== 'resolved') {
        known.state = 'resolved'
        if (step.kind === 'resolve') known.reason = 'by-hand'
      }
      return intake
    }
    case 'fail': {
      for (let time = 0; time < step.times; time++) {
        const known = model.get(step.run)
        const answer = await intake.fail(idOf(step.run), 'provider').catch(codeOf)
        if (known === undefined || known.state === 'resolved') {
          expect(answer).toBe('item_unknown')
          continue
        }
        if (known.state === 'pending') {
          known.attempts++
          known.state = known.attempts === 16 ? 'dead' : 'pending'
          known.delayed = true
        }
        expect(answer).toBe(known.state)
      }
      return intake
    }
    case 'retry': {
      const wanted = step.run === null ? [...model.keys()] : [step.run]
      const expected = wanted.filter((run) => {
        const known = model.get(run)
        return known !== undefined && (known.state === 'dead' || (known.state === 'pending' && known.delayed))
      })
      const answer = await intake.retry(step.run === null ? undefined : idOf(step.run)).catch(codeOf)
      if (step.run !== null && !model.has(step.run)) expect(answer).toBe('item_unknown')
      else expect(answer).toEqual({ changed: expected.length > 0, ids: expect.any(Array) })
      for (const run of expected) Object.assign(model.get(run) ?? {}, { state: 'pending', attempts: 0, delayed: false })
      return intake
    }
    case 'checkpoint':
      await intake.checkpoint()
      return intake
    case 'reopen':
      return harness.reopen({ limits })
    case 'crash':
      return harness.crashAndOpen({ limits })
    case 'tear':
      await harness.crash()
      appendBytes(harness.lastSegment(), step.tail)
      return harness.open({ limits })
  }
}

async function compare(intake: Intake, model: ReadonlyMap<string, Modelled>): Promise<void> {
  const { items } = await intake.inspect()
  const wanted = [...model].sort(([, a], [, b]) => a.order - b.order)
  expect(items.map(({ id, state, attempts, due, reason }) => ({ id, state, attempts, due, reason }))).toEqual(
    wanted.map(([run, { state, attempts, delayed, reason }]) => ({
      id: idOf(run),
      state,
      attempts,
      due: state === 'pending' && !delayed,
      reason,
    })),
  )
  const due = wanted.filter(([, { state, delayed }]) => state === 'pending' && !delayed)
  expect((await intake.due(100)).map((item) => [item.turn.runId, item.turn.summary])).toEqual(
    due.map(([run, { payload }]) => [run, `payload ${payload}`]),
  )
  const count = (state: string) => wanted.filter(([, item]) => item.state === state).length
  expect(intake.snapshot()).toMatchObject({
    pending: count('pending'),
    dead: count('dead'),
    resolved: count('resolved'),
    due: due.length,
    unaccounted: 0,
    checkpointFailures: 0,
  })
}

test('any sequence of calls, crashes and torn tails leaves what a plain map would hold', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 25 }), async (steps) => {
      const harness = new Harness()
      let intake = await harness.open({ limits })
      const model = new Map<string, Modelled>()
      for (const each of steps) {
        intake = await play(harness, intake, model, each)
        await compare(intake, model)
      }
      await harness.close()
    }),
    { numRuns: 60 },
  )
}, 120_000)
