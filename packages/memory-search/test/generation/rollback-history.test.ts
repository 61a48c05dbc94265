import type { Bullet } from '@mono-agent/memory-store'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { openWritableIndex, SearchError } from '../../src/index.js'
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
import { newRoot } from '../support/scenario.js'

const QUERIES = ['tea', 'green tea Ana', 'pottery 42', '猫']
const FILES = ['daily/2026-05-01.md', 'daily/2026-05-02.md'] as const
const names = fc.constantFrom<ConfigurationName>('lite', 'journal', 'wide', 'bujo')

const step = fc.oneof(
  { weight: 3, arbitrary: fc.record({ kind: fc.constant('rebuild' as const), name: names }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('rollback' as const), name: names }) },
  /** With the configuration of what was kept. */
  { weight: 4, arbitrary: fc.record({ kind: fc.constant('rollback' as const), name: fc.constant('kept' as const) }) },
  {
    weight: 2,
    arbitrary: fc.record({
      kind: fc.constant('edit' as const),
      file: fc.constantFrom(...FILES),
      words: fc.array(fc.constantFrom('tea', 'green', 'pottery', '猫', 'Ana', '42'), { minLength: 1, maxLength: 4 }),
      /** The writer, which retires first; else a person, whose edit a later catch-up may find. */
      isWriter: fc.boolean(),
    }),
  },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('open' as const) }) },
)

type Step = typeof step extends fc.Arbitrary<infer T> ? T : never

interface Remembered {
  readonly name: ConfigurationName
  readonly answers: Answers
  readonly source: string
  /** Whether it holds what the day files said when it was kept. */
  readonly isOffered: boolean
}

/** What a rollback has to do, told without looking at the disk. */
class Model {
  readonly files = new Map<string, Bullet[]>()
  present: ConfigurationName = 'lite'
  /** The day files as the present index holds them. */
  indexed = ''
  previous: Remembered | undefined
  private next = 0

  get source(): string {
    return JSON.stringify([...this.files].sort())
  }

  edit(file: string, words: readonly string[]): readonly Bullet[] {
    const list = [...(this.files.get(file) ?? []), bullet({ id: `m-${this.next++}`, sentence: words.join(' ') })]
    this.files.set(file, list)
    return list
  }

  replaced(by: ConfigurationName, answers: Answers): void {
    this.previous = { name: this.present, answers, source: this.source, isOffered: this.indexed === this.source }
    this.present = by
    this.indexed = this.source
  }

  retire(): void {
    if (this.previous !== undefined) this.previous = { ...this.previous, isOffered: false }
  }

  meant(name: ConfigurationName | 'kept'): ConfigurationName {
    return name === 'kept' ? (this.previous?.name ?? 'lite') : name
  }

  /** What a rollback to this configuration says, or undefined if it has to succeed. */
  refusal(to: ConfigurationName): string | undefined {
    if (this.previous?.isOffered !== true) return 'rollback_unavailable'
    if (this.previous.name !== to) return 'configured_identity_mismatch'
    return this.previous.source === this.source ? undefined : 'source_changed'
  }
}

async function play(root: TestRoot, model: Model, action: Step): Promise<void> {
  const answers = answersOf(root, model.present, QUERIES)
  if (action.kind === 'rebuild') {
    const report = await rebuildAs(root, action.name)
    model.replaced(action.name, answers)
    expect(report.previous?.isOffered).toBe(model.previous?.isOffered)
  } else if (action.kind === 'edit') {
    if (action.isWriter) {
      const index = await openWritableIndex(optionsOf(root, model.present))
      await index.retirePrevious()
      index.close()
      model.retire()
    }
    root.write(action.file, model.edit(action.file, action.words))
  } else if (action.kind === 'open') {
    const index = await openWritableIndex(optionsOf(root, model.present))
    const isChanged = (await index.catchUp()).filesRead > 0
    index.close()
    expect(isChanged).toBe(model.indexed !== model.source)
    if (isChanged) model.retire()
    model.indexed = model.source
  } else {
    const to = model.meant(action.name)
    const refusal = model.refusal(to)
    const { previous } = model
    const told = await rollBackTo(root, to).then(
      () => undefined,
      (error: unknown) => (error instanceof SearchError ? error.code : error),
    )
    expect(told).toBe(refusal)
    if (refusal !== undefined || previous === undefined) {
      expect(answersOf(root, model.present, QUERIES)).toEqual(answers)
      return
    }
    model.replaced(to, answers)
    expect(answersOf(root, to, QUERIES)).toEqual(previous.answers)
  }
}

test('whatever happens, a rollback gives the exact old answers or says why not', { timeout: 300_000 }, async () => {
  let rolledBack = 0
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 4, maxLength: 14 }), async (history) => {
      const root = await newRoot()
      const model = new Model()
      for (const file of FILES) root.write(file, model.edit(file, ['Ana', 'tea']))
      await rebuildAs(root, 'lite')
      model.indexed = model.source
      for (const action of history) {
        if (action.kind === 'rollback' && model.refusal(model.meant(action.name)) === undefined) rolledBack++
        await play(root, model, action)
        expect(generationsOf(root)).toEqual(namedGenerations(root))
        expect(manifestOf(root.path).previous?.isOffered).toBe(model.previous?.isOffered)
        expect(manifestOf(root.path).identity).toEqual(optionsOf(root, model.present).identity)
      }
    }),
    { numRuns: 25 },
  )
  expect(rolledBack).toBeGreaterThan(10)
})
