// A chat model in the process whose answers depend on the request alone: which turn it is about, and what is offered.
import { quoteOf } from './capture-scripts.mjs'
import { wordOf } from './turns.mjs'

/**
 * @param turns  steps of a script that are turns
 * @param now  epoch milliseconds
 * @param edit  carries out what a person does meanwhile
 * @returns `chat`, for extraction and review; `reconcile`, which fails for as long as the script says of a turn; `asked`,
 *   the requests so far as `stage run`
 */
export function scriptedModel(turns, now, edit) {
  const asked = []
  const complete = (request) => {
    const turn = turns.find(({ run }) => request.user.includes(wordOf(`run-${run}`)))
    if (turn === undefined) throw new Error('A request is about no turn of the script.')
    asked.push(`${request.stage} ${turn.run}`)
    const failsUntil = turn.at + (turn.failsForMinutes ?? 0) * MINUTE_MS
    if (request.stage === 'reconcile' && now() < failsUntil) throw new Error('The model is away.')
    return { text: JSON.stringify(ANSWERS[request.stage](turn, request, edit)) }
  }
  return {
    asked,
    chat: { id: 'test:scripted', complete: async (request) => complete(request) },
    reconcile: { id: 'test:reconcile', complete: async (request) => complete(request) },
  }
}

const MINUTE_MS = 60_000

const ANSWERS = { extract, review, reconcile }

function extract(turn) {
  return {
    memories: turn.memories.map((memory) => {
      const quote = quoteOf(turn, memory)
      return { ...memory, quote, labels: memory.labels.map((label) => ({ ...label, quote })) }
    }),
    entities: turn.entities ?? [],
    relations: turn.relations ?? [],
  }
}

function review({ prefers = [] }, { user }) {
  const decisions = sectionOf(user, 'lines').map(({ index, text }) => {
    return { index, action: prefers.includes(text) ? 'preference' : 'keep' }
  })
  return { decisions }
}

/** What the script decides for a memory, where the line is offered as the script knows it; else the memory is new. */
function reconcile({ memories, decisions, meanwhile }, { user }, edit) {
  if (meanwhile !== undefined) edit(meanwhile)
  const decide = ({ index, text, offered }) => {
    const decision = decisions[memories.findIndex((memory) => memory.text === text)]
    const target = offered.find((candidate) => candidate.text === decision?.on)?.alias
    if (target === undefined) return { index, action: 'ADD' }
    const { action, text: result } = decision
    return { index, action, target, ...(action === 'NOOP' ? {} : { text: result }) }
  }
  return { decisions: sectionOf(user, 'new-memories').map(decide) }
}

const sectionOf = (user, name) => JSON.parse(new RegExp(`<${name}>\n(.*)\n</${name}>`).exec(user)[1])
