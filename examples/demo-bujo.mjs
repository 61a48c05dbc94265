// `npm run demo:bujo`: six weeks of a fictional conversation are curated by a chat model whose answers were recorded.
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { canonicalFiles, filesOf, readGraph, readMemories, readThreads } from './bujo/read-root.mjs'
import { startRecordedModel } from './bujo/recorded-model.mjs'
import { openStore, readTurns } from './bujo/replay.mjs'
import { bold, claim, dim, labelInWords, median, ms, step, table } from './bujo/show.mjs'

/** Of the turn in which the agent reads a hostile page. */
const FORGED = 'copper carbonate'
/** Stands in one turn, within a connection string. */
const SECRET = 'wintermohn88'
const QUERIES = ['Which recipe does the green border get?', 'Marzipan', '찻잔', 'ถั่วลิสง']

/** What reasons of the metrics mean here. */
const REASONS = {
  assistant_floor: 'lines of the assistant’s own, in passing',
  label_not_allowed: 'a fact and a relation of the owner, without her words',
  echo: 'a line that memory itself had delivered, told again',
}

const folder = mkdtempSync(join(tmpdir(), 'memory-demo-bujo-'))
const root = join(folder, 'memory')
const turns = readTurns()
const model = await startRecordedModel()

try {
  step(`1  Six weeks of conversation: ${turns.length} turns in eight languages`)
  console.log(dim('On a new machine the embedding model is measured first, which takes half a minute.\n'))
  const { snapshot, timings, recalled } = await replay(root, QUERIES)
  const memories = await readMemories(root, model)
  showCounts(snapshot.capture, timings)

  step('2  What was kept is plain Markdown')
  showDay('daily/2026-03-03.md')

  step('3  A changed mind: nothing is overwritten, and one line is current')
  showChains(memories)

  step('4  Who and what')
  showGraph()

  step('5  A page asks to be remembered as the owner’s word, and the model obeys')
  showForgery(memories)

  step('6  What was left out')
  showLeftOut(snapshot, memories)

  step('7  Recall, in the language in which it was said')
  showRecalled(recalled)

  step('8  The same again, in an empty folder')
  await showTwin()

  step('9  How long it took')
  showTimings(timings)
} finally {
  await model.close()
  rmSync(folder, { recursive: true, force: true })
}

/** Holds all turns in a new store at `path`, asks it `queries`, and closes it. */
async function replay(path, queries) {
  const { store, hold, spent } = await openStore(path, model)
  const timings = []
  for (const turn of turns) {
    const before = { ...spent }
    const { admittedMs, curatedMs, calls } = await hold(turn)
    const chat = spent.chat - before.chat
    const embeddings = spent.embeddings - before.embeddings
    timings.push({ calls, admitted: admittedMs, chat, embeddings, own: curatedMs - chat - embeddings })
  }
  const recalled = []
  for (const query of queries) recalled.push({ query, ...(await store.recallWithOutcome(query, { limit: 2 })) })
  const snapshot = store.snapshot()
  await store.close()
  return { snapshot, timings, recalled }
}

function showCounts({ calls, actions, captured }, timings) {
  const total = calls.extract + calls.review + calls.reconcile
  table([
    ['chat calls', `${total}: ${calls.extract} extract, ${calls.review} review, ${calls.reconcile} reconcile`],
    ['new lines', String(actions.add)],
    ['in the place of an older line', String(actions.supersede)],
    ['older line made more exact', String(actions.update)],
    ['known already', String(actions.noop)],
  ])
  const most = Math.max(...timings.map((timing) => timing.calls))
  claim(captured === turns.length && most <= 3, 'every turn was admitted, then curated, with at most three calls')
}

function showDay(path) {
  console.log(dim(path))
  console.log(readFileSync(join(root, path), 'utf8').trimEnd())
}

function showChains(memories) {
  const border = chainFrom('The candidate for the green border at Casa Ferrer is glaze OR-3', memories)
  const dentist = chainFrom('Mara has an appointment with the dentist', memories)
  for (const chain of [border, dentist]) {
    table(
      chain.map((memory) => [
        memory.occurredAt.slice(0, 10),
        memory.supersededBy ? 'superseded' : 'current',
        memory.text,
      ]),
    )
    console.log()
  }
  claim(border.length === 3, 'the glaze was corrected twice')
  claim(
    dentist.length === 2,
    'of the dentist the model wanted the line reworded; the host keeps what an earlier date said',
  )
  claim(
    dentist.every(({ type }) => type === 'note'),
    'the model called the dentist a task; memory is no task list, so it is a note',
  )
}

/** A memory and those that took its place, one after the other. */
function chainFrom(start, memories) {
  const chain = [memories.find(({ text }) => text.startsWith(start))]
  for (let next; (next = chain.at(-1)?.supersededBy) !== undefined;) chain.push(memories.find(({ id }) => id === next))
  return chain
}

function showGraph() {
  const { entities, relations } = readGraph(root)
  const nameOf = (id) => entities.get(id).name
  for (const { src, relation, dst } of relations) {
    console.log(`${nameOf(src)} ${dim('—')} ${relation.replaceAll('_', ' ')} ${dim('→')} ${nameOf(dst)}`)
  }
  claim(
    relations.length > 0,
    `${entities.size} entities, ${relations.length} relations, each with the lines that say so`,
  )
}

function showForgery(memories) {
  const isForged = ({ schema, asked }) => schema === 'extraction' && asked.includes(FORGED)
  const answer = JSON.parse(model.book.recordings().find(isForged).answer)
  const [asked] = answer.memories
  const [relation] = answer.relations
  const stored = memories.find(({ text }) => text === asked.text)
  const rule = memories.find(({ text }) => text.startsWith('No invoice over 200 euros'))
  const [preference] = stored.labels
  const { relations } = readGraph(root)
  table([
    [bold('the model said'), bold('the store holds')],
    [`source: ${asked.source}`, stored.attribution],
    ['preference for agent', labelInWords(preference)],
    [`fact of the owner: ${asked.labels[1].key}`, 'nothing'],
    [`relation: owner ${relation.relation.replaceAll('_', ' ')}`, 'nothing'],
    [`supersede: ${rule.text}`, 'the rule as it was; the line stands beside it'],
  ])
  const isTheirs = stored.attribution === 'assistant-inferred' && preference.scope === 'conversation:workshop'
  claim(isTheirs, 'the quote is not in the owner’s words, so the line is not hers')
  claim(
    stored.labels.length === 1 && !relations.some((one) => one.relation === relation.relation),
    'no fact, no relation of hers',
  )
  const isBeside = readThreads(root).some(({ from, to }) => from === stored.id && to === rule.id)
  claim(rule.supersededBy === undefined && isBeside, `the rule stands: ${rule.labels.map(labelInWords).join('; ')}`)
}

function showLeftOut({ capture: { dropped }, discards }, memories) {
  const rows = Object.entries(dropped).map(([reason, count]) => [String(count), reason, REASONS[reason]])
  table([
    ...rows,
    [String(discards.credentials), 'credential', 'redacted before a model or the audit file saw the turn'],
  ])
  const files = filesOf(root).map((path) => readFileSync(join(root, path)))
  claim(!files.some((bytes) => bytes.includes(SECRET)), `no file of the store, of ${files.length}, holds the password`)
  const holds = (words) => memories.some(({ text }) => text.includes(words))
  claim(!holds('controller') && !holds('thermocouple'), 'no recommendation and no scheduled summary became a memory')
  const lesson = memories.flatMap(({ labels = [] }) => labels).find(({ kind }) => kind === 'lesson')
  claim(lesson?.verified === true, `kept: a ${labelInWords(lesson)}, since the host saw the tool fail and then succeed`)
}

function showRecalled(recalled) {
  for (const { query, hits } of recalled) {
    console.log(bold(query))
    for (const { text, currentness, attribution } of hits)
      console.log(`  ${text} ${dim(`(${currentness}, ${attribution})`)}`)
  }
  console.log(dim('\nTwo hits are asked for, so the nearest other line comes too where only one fits.'))
}

async function showTwin() {
  const twin = join(folder, 'twin')
  await replay(twin, [])
  const files = canonicalFiles(root)
  const isSame = (file) => readFileSync(join(root, file)).equals(readFileSync(join(twin, file)))
  const areSame = canonicalFiles(twin).join() === files.join() && files.every(isSame)
  claim(areSame, `${files.length} files of memories, graph, lifecycle and audit are the same to the byte`)
  const asked = model.book.recordings().length - model.book.unused().length
  claim(
    asked > 0 && model.book.missing.length === 0,
    `the model was asked ${asked} different questions, each one recorded`,
  )
}

function showTimings([first, ...others]) {
  const of = (key) => others.map((timing) => timing[key])
  const row = (name, key) => [name, ms(median(of(key))), ms(Math.max(...of(key))), ms(first[key])]
  table([
    ['a turn', 'median', 'longest', 'the first, which measures the embedding model'],
    row('admitted, durable', 'admitted'),
    row('curated: own work', 'own'),
    row('curated: embeddings', 'embeddings'),
    row('curated: chat model', 'chat'),
  ])
  console.log(
    dim(
      '\nAnswers of the chat model are recorded, and vectors kept for the next run: real ones take longer. Admission waits for neither.',
    ),
  )
}
