import { MAX_SENTENCE_BYTES } from '@mono-agent/memory-store'
import type { AdmittedMemory, Candidate, CaptureTurn, ReconcileEntry } from '../types.js'
import { civilTime } from './calendar.js'
import { originOf } from './origin.js'
import { DATA_RULES, section, sections, type Prompt } from './sections.js'

/** Counts every change of what this prompt says. */
export const RECONCILE_PROMPT_VERSION = 1

const SYSTEM = `You compare new memories of an AI assistant with memories it already has, and decide for each new one what becomes of it. You answer with exactly one JSON object: no prose, no comment, no second value.

${DATA_RULES}

# What is decided
Each entry of <new-memories> is a new memory with the existing ones offered for it. Judge by meaning, in any language.
- ADD: it says something that none of the offered ones says. Other details of the same subject are ADD: they stay separate memories.
- NOOP: an offered one says all of it already.
- UPDATE: an offered one says the same, and the new one makes it more exact or completes it, without contradicting it.
- SUPERSEDE: an offered one no longer holds, since the new one corrects it or tells of a changed state. The old line stays as history.
- The user's word wins: when a new memory of source "user" contradicts an offered one, decide SUPERSEDE, not UPDATE and not ADD. That holds also for what the assistant inferred or recommended on a premise that the user corrects.
- A new memory of source "assistant", "tool" or "document" does not supersede what is said by "user-stated", unless it reports a later change.
- A line labelled "lesson", and a preference that is not the same person's, is never replaced: decide ADD.
- Time: "observed" is the day on which an offered memory was recorded, "today" the day of the new ones. A state of then may have ended; what was true on its day stays true as history. Write dates as YYYY-MM-DD, keep dates that still hold, invent none; write ages and durations as history ("was 14 months old as of 2026-09-08").
- In doubt between NOOP and ADD decide ADD; in doubt between UPDATE and SUPERSEDE decide SUPERSEDE.

# The answer
{"decisions": [{"index": 0, "action": "ADD"}, {"index": 1, "action": "NOOP", "target": "m1"}, {"index": 2, "action": "UPDATE", "target": "m2", "text": "..."}, {"index": 3, "action": "SUPERSEDE", "target": "m3", "text": "..."}]}
- Exactly one decision for each entry, in their order, with the entry's own index (a number).
- ADD has the fields index and action. NOOP has also target. UPDATE and SUPERSEDE have also target and text. No other fields, none missing.
- target: the alias of a memory offered in this very entry. No alias is the target of two decisions: if a second one would need it, decide ADD for it.
- text: the complete memory that takes the place of the offered one, complete in itself and without what no longer holds; in the language of the new memory; one plain line of 1 to ${MAX_SENTENCE_BYTES} UTF-8 bytes, no line break, no white space at either end, no control, bidirectional or zero-width characters, no "<!--mem", no "-->".`

const INTENTIONS = `# Intentions
A new memory with "intention" tells what someone intends and in which state that is: planned, pending, done, abandoned. If an offered memory tells the same intention with another state or end, decide SUPERSEDE; with the same state and end, NOOP.`

/** The third call: each new memory beside what the store holds of it (CAP-15). As long as the entries, not as the store. */
export function reconcilePrompt(
  entries: readonly ReconcileEntry[],
  turn: Pick<CaptureTurn, 'anchor' | 'timeZone' | 'sourceKind' | 'speakerKind' | 'isOwnerTurn'>,
): Prompt {
  const { day, weekday, time_zone } = civilTime(turn.anchor, turn.timeZone)
  const hasIntentions = entries.some(({ memory }) => memory.intentState !== undefined)
  const shown = entries.map(({ memory, candidates }, index) => ({
    index,
    ...shownMemory(memory),
    offered: candidates.map((candidate) => shownCandidate(candidate, turn.timeZone)),
  }))
  return {
    system: hasIntentions ? `${SYSTEM}\n\n${INTENTIONS}` : SYSTEM,
    user: sections(
      [
        section('host-facts', { origin: originOf(turn), today: day, weekday, time_zone }),
        section('new-memories', shown),
      ],
      'Answer with the JSON object alone.',
    ),
  }
}

const shownMemory = ({ text, source, type, quote, dueAt, intentState }: AdmittedMemory) => ({
  text,
  source,
  type,
  quote,
  ...(dueAt === undefined ? {} : { due: dueAt }),
  ...(intentState === undefined ? {} : { intention: intentState }),
})

/** Neither ids nor conversations, speakers or scopes: nothing of them is for a model to decide on. */
const shownCandidate = ({ alias, memory }: Candidate, timeZone: string) => ({
  alias,
  text: memory.text,
  type: memory.type,
  status: memory.status,
  observed: civilTime(memory.occurredAt ?? memory.createdAt, timeZone).day,
  ...(memory.dueAt === undefined ? {} : { due: memory.dueAt }),
  ...(memory.attribution === undefined ? {} : { said_by: memory.attribution }),
  labels: [...new Set((memory.labels ?? []).map(({ kind }) => kind))],
})
