// Turns of the journal scenarios: a content, the words of a run of `turns.mjs`, is told again and again under other ids.
import { idPrefix, turnOf, wordOf } from './turns.mjs'

const MOST_TELLINGS = 6

/** @param runId  `<content>:<number>`; the content `fact-<number>` is what Remember is told */
export function tellingOf(runId) {
  const [content, number] = runId.split(':')
  const { occurredAt, ...turn } = turnOf(content)
  return {
    ...turn,
    ...(Number(number) === 1 && occurredAt !== undefined ? { occurredAt } : {}),
    runId,
    conversationId: `web:${number}`,
    summary: textOf(content),
  }
}

export const contentOf = (runId) => runId.split(':')[0]

export const textOf = (content) =>
  content.startsWith('fact-') ? `Remember ${wordOf(content)}.` : turnOf(content).summary

/** What every memory id of an observation of this content may start with: that of any of its tellings. */
export const prefixesOf = (content) =>
  Array.from({ length: MOST_TELLINGS }, (_, number) => idPrefix(`${content}:${number}`))

/** The same run id with other words. */
export const conflictingTelling = (runId) => ({ ...tellingOf(runId), summary: 'Other words under the same run id.' })
