import {
  identityOf,
  parseDayFile,
  sha256Hex,
  type Bullet,
  type DayFileState,
  type MemoryLabel,
} from '@mono-agent/memory-store'
import fc from 'fast-check'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { buildIndex } from '../src/index.js'
import { dump } from './support/dump.js'
import { bullet, LITE, type TestRoot } from './support/roots.js'
import { newRoot } from './support/scenario.js'

const FILES = ['2026-05-03.md', 'daily/2026-05-01.md', 'daily/2026-05-02.md', 'daily/2026-05-04.md']
const QUERIES = ['tea', 'green tea Ana', 'pottery on 2 May 2026', 'tea pottery marathon Bob', 'Ana', '猫']

/** One thing that a writer or a person does to a day file; numbers are taken modulo what there is. */
const action = fc.record({
  kind: fc.constantFrom('add', 'insert', 'edit', 'drop', 'remove', 'move', 'swap', 'copy', 'delete-file', 'catch-up'),
  file: fc.nat(FILES.length - 1),
  other: fc.nat(FILES.length - 1),
  at: fc.nat(30),
  words: fc.array(fc.constantFrom('tea', 'green', 'pottery', 'marathon', '猫', 'Zoë', 'painting', '42'), {
    minLength: 1,
    maxLength: 6,
  }),
  speaker: fc.constantFrom(undefined, 'Ana', 'Bob Marsh'),
  conversation: fc.constantFrom(undefined, 'a', 'b'),
  day: fc.integer({ min: 1, max: 4 }),
  /** The writer records what it wrote; else the next catch-up finds it. */
  isRecorded: fc.boolean(),
})

type Action = typeof action extends fc.Arbitrary<infer T> ? T : never

const factOf = (text: string): MemoryLabel => ({
  kind: 'fact',
  entityId: 'person:ana',
  key: text === 'tea' ? 'preferred_name' : 'full_name',
  value: { type: 'text', text },
  attribution: 'user-stated',
})

const PREFERENCE: MemoryLabel = { kind: 'preference', scope: 'user:ana', attribution: 'user-stated' }

/** The day files as a naive model: a list of bullets a file. */
class Model {
  readonly files = new Map<string, Bullet[]>()
  private next = 0

  apply({ kind, file, other, at, words, speaker, conversation, day }: Action): string[] {
    const [name, otherName] = [FILES[file] ?? '', FILES[other] ?? '']
    const list = this.files.get(name) ?? []
    const made = (): Bullet =>
      bullet({
        id: `m-${this.next++}`,
        sentence: words.join(' '),
        createdAt: `2026-05-0${day}T10:00:00.000Z`,
        ...(day % 2 === 0 ? { occurredAt: `2026-05-0${day - 1}T08:00:00.000Z` } : {}),
        ...(speaker === undefined ? {} : { speaker }),
        ...(conversation === undefined ? {} : { conversationId: conversation }),
        ...(at % 3 === 0 ? { labels: [factOf(words[0] ?? '')] } : at % 3 === 1 ? { labels: [PREFERENCE] } : {}),
      })
    const place = list.length === 0 ? 0 : at % list.length
    const chosen = list[place]
    if (kind === 'add') list.push(made())
    else if (kind === 'insert') list.splice(place, 0, made())
    else if (kind === 'delete-file') return this.set(name, undefined)
    else if (chosen === undefined) return []
    else if (kind === 'edit')
      list[place] = {
        ...made(),
        id: chosen.id,
        metadata: made().metadata.map((token) => (token.startsWith('id=') ? `id=${chosen.id}` : token)),
      }
    else if (kind === 'drop')
      list[place] = bullet({ ...chosen, status: chosen.status === 'dropped' ? 'open' : 'dropped' })
    else if (kind === 'swap') list.push(...list.splice(place, 1))
    else if (kind === 'remove') list.splice(place, 1)
    else if (kind === 'move' || kind === 'copy') {
      if (name === otherName) return []
      const target = this.files.get(otherName) ?? []
      if (target.some(({ id }) => id === chosen.id)) return []
      if (kind === 'move') list.splice(place, 1)
      target.splice(at % (target.length + 1), 0, chosen)
      return [...this.set(name, list), ...this.set(otherName, target)]
    }
    return this.set(name, list)
  }

  private set(name: string, list: Bullet[] | undefined): string[] {
    if (list === undefined) this.files.delete(name)
    else this.files.set(name, list)
    return [name]
  }
}

function stateOf(root: TestRoot, file: string, base: DayFileState | undefined, drifted: boolean): DayFileState {
  const bytes = readFileSync(join(root.path, file))
  const stat = root.fs.lstat(join(root.path, file))
  if (stat === undefined) throw new Error('the file was just written')
  const document = parseDayFile(bytes)
  const before = new Map(base?.document.bullets.map((item) => [item.id, JSON.stringify(item)]))
  const added = document.bullets.filter(({ id }) => !before.has(id))
  const changed = document.bullets.filter((item) => before.has(item.id) && before.get(item.id) !== JSON.stringify(item))
  const ids = new Set(document.bullets.map(({ id }) => id))
  const removed = [...before.keys()].filter((id) => !ids.has(id))
  const digest = sha256Hex(bytes)
  return {
    file,
    identity: identityOf(stat),
    digest,
    document,
    delta: { base: base?.digest, added, changed, removed },
    outcomes: [],
    drifted,
  }
}

test('an index that followed a history is the one that a rebuild makes', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(action, { minLength: 5, maxLength: 40 }), async (history) => {
      const root = await newRoot()
      root.write('daily/2026-04-30.md', []) // `daily/` stays, whatever is deleted
      const index = await root.open()
      const model = new Model()
      const states = new Map<string, DayFileState>()
      for (const step of history) {
        if (step.kind === 'catch-up') {
          await index.catchUp()
          continue
        }
        const touched = model.apply(step)
        for (const file of touched) {
          const bullets = model.files.get(file)
          if (bullets === undefined) {
            if (root.fs.lstat(join(root.path, file)) !== undefined) root.remove(file)
            states.delete(file)
          } else root.write(file, bullets)
        }
        const written = touched.filter((file) => model.files.has(file))
        const recorded = written.map((file) => stateOf(root, file, states.get(file), step.kind === 'swap'))
        for (const state of recorded) states.set(state.file, state)
        if (step.isRecorded && recorded.length === touched.length) index.record(recorded)
      }
      await index.catchUp()
      expect(index.isStale()).toBe(false)
      const answers = QUERIES.map((query) => index.search({ query, limit: 20, explain: true }))
      index.close()
      const followed = dump(root.path)
      await buildIndex({ root: root.path, fs: root.fs, lease: root.lease, identity: LITE, now: Date.now })
      expect(followed).toEqual(dump(root.path))
      const rebuilt = await root.open()
      expect(QUERIES.map((query) => rebuilt.search({ query, limit: 20, explain: true }))).toEqual(answers)
      rebuilt.close()
    }),
    { numRuns: 40 },
  )
}, 300_000) // dozens of roots on the real disk: the machine may be busy
