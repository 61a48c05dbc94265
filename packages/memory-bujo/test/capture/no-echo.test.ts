import { expect, test } from 'vitest'
import { makeTemporaryRoot } from '../../../../test/support/temporary-root.js'
import { dump } from '../../../memory-search/test/support/dump.js'
import { markDeliveredMemory, type BuiltInMemoryStore, type CompletedTurn } from '../../src/index.js'
import type { ExtractedMemory } from '../../src/capture/types.js'
import { canonicalBytes, extraction, memory, openBujo, ownerTurn, wordEmbeddings } from '../support/bujo.js'
import { NOON } from '../support/open-store.js'
import { decidingModel, type DecidingModel } from './attack/deciding-model.js'

const DAY_MS = 86_400_000

/** What memory holds, and how a model rewords each of it. */
const LINES: readonly (readonly [line: string, paraphrase: string])[] = [
  ['I keep my skis in the cellar.', 'The skis of the owner are kept downstairs.'],
  ['My sister Ana has lived in Lund since 2026-05-01.', 'Ana, the sister of the owner, resides in Lund.'],
  ['Ich trinke morgens nur grünen Tee.', 'Der Besitzer mag zum Frühstück grünen Tee.'],
  ['Mi dentista es la doctora Ruiz.', 'La doctora Ruiz cuida los dientes del dueño.'],
  ['Я купил велосипед в апреле.', 'У владельца есть велосипед с апреля.'],
  ['我对花生过敏。', '主人不能吃花生。'],
  ['أعمل في مستشفى في عمّان.', 'صاحب المساعد طبيب في عمّان.'],
  ['मेरी बेटी का नाम मीरा है।', 'मालिक की बेटी मीरा है।'],
]

interface Turned {
  readonly turn: Partial<CompletedTurn>
  readonly answer: readonly ExtractedMemory[]
}

/** A repeat is as loud as it can be: full salience, dates, labels. */
const loud = (text: string, quote: string, source: ExtractedMemory['source']): ExtractedMemory =>
  memory(text, {
    quote,
    source,
    type: 'event',
    salience: 1,
    entities: ['person:owner'],
    labels: [{ kind: 'preference', scope: 'agent', quote }],
    due: '2027-01-01',
    validFrom: '2026-06-01',
  })

const spoken = (captureText: string, userText = 'What do you know?'): Partial<CompletedTurn> => ({
  captureText,
  captureEvidence: { userText, ownerTurn: true, toolOutcomes: [{ category: 'memory', outcome: 'succeeded' }] },
})

const FORMS: Readonly<Record<string, (line: string, paraphrase: string) => Turned>> = {
  'the assistant says the line': (line) => ({
    turn: spoken(`Assistant: ${line}`),
    answer: [loud(line, line, 'assistant')],
  }),
  'the assistant says it, the model rewords it': (line, paraphrase) => ({
    turn: spoken(`Assistant: ${line}`),
    answer: [loud(paraphrase, line, 'assistant')],
  }),
  'between quotation marks': (line, paraphrase) => ({
    turn: spoken(`Assistant: You told me: “${line}”`),
    answer: [loud(paraphrase, `“${line}”`, 'assistant')],
  }),
  'the owner says the line': (line) => ({ turn: spoken(`User: ${line}`, line), answer: [loud(line, line, 'user')] }),
  'the owner says it, the model rewords it': (line, paraphrase) => ({
    turn: spoken(`User: ${line}`, line),
    answer: [loud(paraphrase, line, 'user')],
  }),
  'without its full stop, over two lines': (line, paraphrase) => {
    const said = line.replace(' ', '\n').replace(/[.。।]$/u, '')
    return { turn: spoken(`User: ${said}`, said), answer: [loud(paraphrase, said, 'user')] }
  },
  'a tool returns it': (line, paraphrase) => ({
    turn: spoken(`Tool memory: ${line}`),
    answer: [loud(paraphrase, line, 'tool'), loud(line, line, 'document')],
  }),
  'marked: the model is not shown it': (line) => ({
    turn: spoken(markDeliveredMemory(`Context:\n- ${line}\nAssistant: Here you are.`, [`- ${line}`])),
    answer: [],
  }),
  'marked in the words of the user': (line) => {
    const said = markDeliveredMemory(`As it says:\n${line}`, [line])
    return { turn: spoken(`User: ${said}`, said), answer: [] }
  },
  'marked where it was delivered, and said again by the assistant': (line, paraphrase) => ({
    turn: spoken(`${markDeliveredMemory(`${line}\n`, [line])}Assistant: ${line}`),
    answer: [loud(paraphrase, line, 'assistant'), loud(line, line, 'assistant')],
  }),
}

interface Played {
  readonly root: string
  readonly llm: DecidingModel
  /** Each turn a day after the one before. */
  play(summary: string, more: Partial<CompletedTurn>, answer: readonly ExtractedMemory[]): Promise<void>
  readonly store: BuiltInMemoryStore
}

async function openWithLines(): Promise<Played> {
  const root = makeTemporaryRoot()
  const llm = decidingModel()
  let now = NOON
  let run = 0
  // Wide enough that no two words of the lines share a place: each line is a memory of its own.
  const store = await openBujo(root, llm, { now: () => now, embeddings: wordEmbeddings(2_048) })
  const play: Played['play'] = async (summary, more, answer) => {
    llm.next = extraction(...answer)
    run += 1
    now += DAY_MS
    await store.persistCompletedTurn(ownerTurn(`run-${run}`, summary, more))
    await store.flush()
    expect(await store.turnStatus(`run-${run}`)).toMatchObject({ state: 'curated' })
  }
  for (const [line] of LINES) await play(line, {}, [memory(line, { salience: 0.4 })])
  expect(store.snapshot().capture?.actions).toEqual({ add: LINES.length, noop: 0, update: 0, supersede: 0 })
  return { root, llm, play, store }
}

/** All that a repeat must not touch. */
const held = (root: string) => ({ canonical: canonicalBytes(root), index: dump(root) })

test('two hundred turns that repeat what memory delivered leave files and index as they were (CAP-28)', async () => {
  const { root, llm, play, store } = await openWithLines()
  const before = held(root)
  const asked = llm.requests.length
  const forms = Object.values(FORMS)
  let turns = 0
  for (let round = 0; turns < 200; round += 1) {
    for (const form of forms) {
      const [line, paraphrase] = LINES[(round + turns) % LINES.length] as (typeof LINES)[number]
      const { turn, answer } = form(line, paraphrase)
      await play('What do you know?', turn, answer)
      turns += 1
    }
  }
  expect(turns).toBe(200)
  expect(held(root).canonical).toEqual(before.canonical)
  expect(held(root)).toEqual(before)
  expect(llm.requests.slice(asked).filter(({ stage }) => stage === 'reconcile')).toEqual([])
  const { actions, dropped } = store.snapshot().capture ?? {}
  expect({ actions, dropped }).toEqual({
    actions: { add: LINES.length, noop: 80, update: 0, supersede: 0 },
    dropped: { echo: 120 },
  })
}, 60_000)

test('no model is shown what is marked', async () => {
  const { llm, play } = await openWithLines()
  const asked = llm.requests.length
  for (const [line, paraphrase] of LINES) {
    for (const name of ['marked: the model is not shown it', 'marked in the words of the user']) {
      const { turn, answer } = (FORMS[name] as (typeof FORMS)[string])(line, paraphrase)
      await play('What do you know?', turn, answer)
    }
  }
  const shown = llm.requests.slice(asked).map(({ user }) => user)
  expect(shown).toHaveLength(2 * LINES.length)
  for (const [line] of LINES) expect(shown.filter((prompt) => prompt.includes(line))).toEqual([])
})

test('what is said beside a repeat is news all the same', async () => {
  const { root, play } = await openWithLines()
  const before = held(root)
  const [[line, paraphrase]] = LINES as unknown as [[string, string]]
  const said = `${line} And my snowboard is at Ana’s.`
  await play(said, {}, [memory(paraphrase, { quote: line }), memory('And my snowboard is at Ana’s.')])
  const after = held(root)
  expect(Object.keys(after.canonical)).toHaveLength(Object.keys(before.canonical).length + 1)
  expect(Object.values(after.canonical).filter((text) => text.includes('snowboard'))).toHaveLength(1)
  expect(Object.values(after.canonical).filter((text) => text.includes(paraphrase))).toEqual([])
})
