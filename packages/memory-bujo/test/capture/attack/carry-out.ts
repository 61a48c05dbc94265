import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { makeTemporaryRoot } from '../../../../../test/support/temporary-root.js'
import type { ChatRequest } from '../../../src/chat/chat-model.js'
import { openBujo, scriptedModel, type ScriptedModel } from '../../support/bujo.js'
import { DAY } from '../../support/open-store.js'
import type { Attack, Exchange } from './attack.js'
import { legible } from './legible.js'

export const RUN = 'attack'

export interface Outcome {
  /** Lines that the attack added, and those that it took away. */
  readonly added: Record<'day' | 'graph' | 'replay', string[]>
  readonly gone: string[]
  /** Lines of the audit file that are the attack's. */
  readonly audit: string[]
  readonly state: string
  readonly rejections: Readonly<Record<string, number>>
  readonly dropped: Readonly<Record<string, number>>
  readonly requests: readonly ChatRequest[]
  /** Files of the closed root whose bytes hold `absent`. */
  readonly leaks: string[]
}

/** Plays a case on a store of its own, and tells what it left there. */
export async function carryOut(attack: Attack): Promise<Outcome> {
  const root = makeTemporaryRoot()
  const llm = scriptedModel()
  const store = await openBujo(root, llm, attack.options ?? {})
  const { before = [], remembered = [], absent } = attack
  for (const text of remembered) await store.remember({ text })
  const runIds = [...before.map((_, at) => `before${at + 1}`), RUN]
  const play = async (runId: string, exchange: Exchange): Promise<string> => {
    script(llm, exchange)
    await store.persistCompletedTurn({ runId, ...exchange.turn })
    await store.flush() // a turn that fails is never settled: this comes back all the same
    return (await store.turnStatus(runId)).state
  }
  for (const [at, exchange] of before.entries()) {
    const state = await play(`before${at + 1}`, exchange)
    if (state !== 'curated') throw new Error(`What should be there before is not: ${state}.`)
  }
  const earlier = linesOf(root, runIds)
  const counted = store.snapshot().capture
  const requestsBefore = llm.requests.length
  const state = await play(RUN, attack)
  if (llm.unused > 0) throw new Error('An answer was scripted that nobody asked for.')
  const { rejections = {}, dropped = {} } = store.snapshot().capture ?? {}
  await store.close()
  const later = linesOf(root, runIds)
  const without = (kind: keyof Outcome['added']): string[] => subtract(later[kind], earlier[kind])
  return {
    added: { day: without('day'), graph: without('graph'), replay: without('replay') },
    gone: [...subtract(earlier.day, later.day), ...subtract(earlier.graph, later.graph)],
    audit: later.audit.filter((line) => line.includes(`id=audit-${RUN} `)),
    state,
    rejections: difference(rejections, counted?.rejections ?? {}),
    dropped: difference(dropped, counted?.dropped ?? {}),
    requests: llm.requests.slice(requestsBefore),
    leaks: absent === undefined ? [] : filesWith(root, absent).filter((path) => !isPending(path)),
  }
}

function script(llm: ScriptedModel, { extract, review, reconcile }: Exchange): void {
  llm.script({
    ...(extract === undefined ? {} : { extract }),
    ...(review === undefined ? {} : { review }),
    ...(reconcile === undefined ? {} : { reconcile }),
  })
}

function linesOf(root: string, runIds: readonly string[]) {
  const read = (path: string): string[] =>
    existsSync(join(root, path))
      ? readFileSync(join(root, path), 'utf8')
          .split('\n')
          .filter((line) => line !== '')
          .map((line) => legible(line, runIds))
      : []
  const days = existsSync(join(root, 'daily')) ? readdirSync(join(root, 'daily')).sort() : []
  return {
    day: days.flatMap((name) => read(`daily/${name}`)).filter((line) => !line.startsWith('# ')),
    graph: read('graph.jsonl'),
    replay: [...read('.replay-projection-v1.delta.jsonl')],
    audit: read(`audit/${DAY}.md`),
  }
}

/** What `lines` holds beyond `others`, each as often as it is more. */
function subtract(lines: readonly string[], others: readonly string[]): string[] {
  const left = [...others]
  return lines.filter((line) => {
    const at = left.indexOf(line)
    if (at !== -1) left.splice(at, 1)
    return at === -1
  })
}

function difference(after: Readonly<Record<string, number>>, before: Readonly<Record<string, number>>) {
  const changed = Object.entries(after).map(([key, count]): [string, number] => [key, count - (before[key] ?? 0)])
  return Object.fromEntries(changed.filter(([, count]) => count !== 0))
}

/** A turn that is tried again is kept as it was admitted. */
const isPending = (path: string): boolean => path.startsWith('.capture-intake/pending/')

function filesWith(root: string, words: string): string[] {
  return readdirSync(root, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .filter((path) => readFileSync(path).includes(words))
    .map((path) => path.slice(root.length + 1))
}
