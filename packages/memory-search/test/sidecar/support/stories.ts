import { changeBullet, type Bullet, type GraphLine, type MemoryLabel, type ReplayEntry } from '@mono-agent/memory-store'
import fc from 'fast-check'
import { about, supersede, terminal } from '../../support/authority.js'
import { bullet } from '../../support/roots.js'

export const FILES = [
  'daily/2026-04-30.md',
  'daily/2026-05-01.md',
  'daily/2026-05-02.md',
  'daily/2026-05-03.md',
] as const

/** Few, so that records tie, meet and stand in more than half of the store. */
export const WORDS = ['tea', 'green', 'pottery', 'marathon', '猫', 'Zoë', 'painting', '42', 'INV-7', 'Ana'] as const
export const SPEAKERS = [undefined, 'Ana', 'Bob Marsh'] as const
export const CONVERSATIONS = [undefined, 'c-1', 'c-1#2026-05-02', 'c-2'] as const
export const ENTITIES = ['person:ana', 'org:tea'] as const
export const DAYS = 4

/** The most records that there ever are: so few that no candidate is left out by its estimate. */
const MOST_RECORDS = 250

export const instantOf = (day: number, minute = 0): string =>
  new Date(Date.UTC(2026, 3, 29 + day, 9, minute)).toISOString()

const LABELS: Readonly<Record<'preference' | 'lesson' | 'fact', MemoryLabel>> = {
  preference: { kind: 'preference', scope: 'agent', attribution: 'user-stated' },
  lesson: { kind: 'lesson', scope: 'agent', verified: true },
  fact: { kind: 'fact', entityId: 'person:ana', attribution: 'user-stated' },
}

/** What changes canonical files. */
const WRITTEN = [
  ...['add', 'add', 'insert', 'equal', 'reword', 'reword-file', 'status', 'remove', 'swap', 'move', 'copy'],
  ...['label', 'unlabel', 'delete-file', 'supersede', 'forget', 'associate'],
] as const

/** One thing that happens to a store; numbers are taken modulo what there is. */
export const step = fc.record({
  kind: fc.constantFrom(...WRITTEN),
  file: fc.nat(FILES.length - 1),
  other: fc.nat(FILES.length - 1),
  at: fc.nat(300),
  count: fc.constantFrom(1, 2, 12, 40),
  words: fc.array(fc.constantFrom(...WORDS), { minLength: 1, maxLength: 5 }),
  speaker: fc.constantFrom(...SPEAKERS),
  conversation: fc.constantFrom(...CONVERSATIONS),
  day: fc.integer({ min: 1, max: DAYS }),
  label: fc.constantFrom('preference' as const, 'lesson' as const, 'fact' as const),
  status: fc.constantFrom<Bullet['status'][]>('open', 'done', 'dropped', 'invalidated'),
  entity: fc.constantFrom(...ENTITIES),
})
export type Step = typeof step extends fc.Arbitrary<infer T> ? T : never

/** What of a step the files do not say: it is appended to graph and replay authority. */
export interface Appended {
  readonly graph: readonly GraphLine[]
  readonly replay: readonly ReplayEntry[]
}
const NOTHING: Appended = { graph: [], replay: [] }

/** The day files as lists of bullets, and what was ever appended beside them. */
export class Story {
  readonly files = new Map<string, Bullet[]>(FILES.map((file) => [file, []]))
  readonly #ended = new Set<string>()
  #next = 0

  /** Begins with so many records, of all that records can have. */
  constructor(records: number) {
    for (let at = 0; at < records; at++) {
      const [word, other] = [WORDS[at % WORDS.length], WORDS[(at * 7 + 3) % WORDS.length]]
      this.#list(at).push(
        this.#bullet({
          sentence: `${word} ${other} ${at % 5 === 0 ? 'x' : `x${at % 17}`}`,
          createdAt: instantOf(1 + (at % DAYS), at % 50),
          ...(at % 3 === 0 ? { occurredAt: instantOf(1 + ((at * 5) % DAYS), at % 3) } : {}),
          ...kept({ speaker: SPEAKERS[at % 3], conversationId: CONVERSATIONS[(at >> 1) % 4] }),
          ...(at % 4 === 0 ? { labels: [LABELS[at % 8 === 0 ? 'preference' : 'lesson']] } : {}),
        }),
      )
    }
  }

  get bullets(): readonly Bullet[] {
    return [...this.files.values()].flat()
  }

  /** @param isBujo  graph and lifecycle are kept */
  apply(one: Step, isBujo: boolean): Appended {
    const { kind, at, count, words, speaker, conversation, day, label, status, entity, file, other } = one
    const list = this.#list(file)
    const place = list.length === 0 ? 0 : at % list.length
    const chosen = list[place]
    const sentence = words.join(' ')
    const made = (text: string): Bullet =>
      this.#bullet({
        sentence: text,
        type: at % 2 === 0 ? 'task' : 'note',
        createdAt: instantOf(day, at % 7),
        ...(at % 4 === 0 ? { occurredAt: instantOf(1 + (at % DAYS)) } : {}),
        ...kept({ speaker, conversationId: conversation }),
        ...(at % 5 === 0 ? { labels: [LABELS[label]] } : {}),
      })
    const room = Math.max(0, Math.min(count, MOST_RECORDS - this.bullets.length))
    if (kind === 'insert') {
      if (room > 0) list.splice(place, 0, made(sentence))
      return NOTHING
    }
    if (chosen === undefined) return NOTHING
    switch (kind) {
      case 'add':
        for (let n = 0; n < room; n++)
          list.push(made(n % 3 === 0 ? sentence : `${sentence} ${WORDS[n % WORDS.length]}`))
        return NOTHING
      case 'equal':
        for (let n = 0; n < room; n++) list.push(made(sentence))
        return NOTHING
      case 'reword-file':
        list.forEach((one, index) => (list[index] = changed(one, { sentence: `${sentence} ${index % count}` })))
        return NOTHING
      case 'delete-file':
        list.splice(at % 9) // some stay: a store of nothing has nothing to compare
        return NOTHING
      case 'reword':
        list[place] = changed(chosen, { sentence })
        return NOTHING
      case 'status':
        list[place] = changed(chosen, { status, ...(status === 'invalidated' ? { type: 'task' } : {}) })
        return NOTHING
      case 'remove':
        list.splice(place, 1 + (at % 3))
        return NOTHING
      case 'swap':
        list.push(...list.splice(place, count))
        return NOTHING
      case 'label':
        list[place] = changed(chosen, { labels: [LABELS[label]] })
        return NOTHING
      case 'unlabel':
        list[place] = changed(chosen, { labels: [] })
        return NOTHING
      case 'move':
      case 'copy': {
        const target = this.#list(other)
        if (file === other || target.some(({ id }) => id === chosen.id)) return NOTHING
        if (kind === 'move') list.splice(place, 1)
        target.splice(at % (target.length + 1), 0, chosen)
        return NOTHING
      }
      case 'associate':
        return isBujo ? { ...NOTHING, graph: [about(chosen.id, entity)] } : NOTHING
      case 'supersede':
      case 'forget':
        return isBujo ? this.#end(kind, list, place, made(sentence), instantOf(DAYS, 55)) : NOTHING
    }
  }

  /** What ended, as a capture writes it: with its status in the file. */
  #end(kind: 'supersede' | 'forget', list: Bullet[], place: number, next: Bullet, when: string): Appended {
    const chosen = list[place] as Bullet
    if (this.#ended.has(chosen.id) || chosen.status !== 'open') return NOTHING
    this.#ended.add(chosen.id)
    if (kind === 'forget') {
      list[place] = changeBullet(chosen, { status: 'dropped' })
      return { ...NOTHING, replay: [{ ...terminal(chosen.id), at: when }] }
    }
    if (chosen.type === 'task') list[place] = changeBullet(chosen, { status: 'invalidated' })
    list.push(next)
    return { ...NOTHING, replay: [supersede(chosen.id, next.id, when)] }
  }

  #list(at: number): Bullet[] {
    return this.files.get(FILES[at % FILES.length] as string) as Bullet[]
  }

  /** Ids are in another order than records come in: ties break by id, and rows know nothing of it. */
  #bullet(fields: Partial<Bullet> & { readonly sentence: string }): Bullet {
    const id = `m-${String((this.#next++ * 7_919) % 100_000).padStart(5, '0')}`
    return bullet({ id, ...fields })
  }
}

/** The bullet with other words, status or labels; the rest stays. */
const changed = (of: Bullet, fields: Partial<Pick<Bullet, 'sentence' | 'status' | 'labels' | 'type'>>): Bullet => {
  const { id, sentence, type, status, createdAt, occurredAt, speaker, conversationId, labels } = { ...of, ...fields }
  return bullet({ id, sentence, type, status, createdAt, labels, ...kept({ occurredAt, speaker, conversationId }) })
}

const kept = <T extends Record<string, unknown>>(fields: T): { [K in keyof T]?: Exclude<T[K], undefined> } =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as {
    [K in keyof T]?: Exclude<T[K], undefined>
  }
