import { REVIEW_ACTIONS, type ReviewLine } from '../contract/parse-review.js'
import type { CaptureTurn } from '../types.js'
import { originOf } from './origin.js'
import { DATA_RULES, section, sections, type Prompt } from './sections.js'

/** Counts every change of what this prompt says. */
export const REVIEW_PROMPT_VERSION = 1

const SYSTEM = `You check lines that an AI assistant is about to remember, and decide one thing for each. You answer with exactly one JSON object: no prose, no comment, no second value.

${DATA_RULES}

# What is decided
- source "assistant": "drop" or "keep". Drop a line that is general world information without bearing on the user, or a transient report of the assistant about its own process or tools. Keep findings about the user, and outcomes of consequence: what was decided, built, broken, found out or agreed.
- source "user": "preference" or "keep". These are the owner's own words. "preference" marks a line that records the owner's own stated like, dislike or taste, borne out by the quote. A fact, a plan, an event or somebody else's taste is "keep".
- In doubt "keep". Texts are not yours to change.

# The answer
{"decisions": [{"index": 0, "action": "keep"}]}
Exactly one decision for each line of <lines>, in their order, with the line's own index (a number). Each decision has the fields index and action and no others; action is one of the line's "actions".`

/** The second call: which lines stay, and which are a taste (CAP-12). It sees those lines and nothing else of the turn. */
export function reviewPrompt(
  lines: readonly ReviewLine[],
  turn: Pick<CaptureTurn, 'sourceKind' | 'speakerKind' | 'isOwnerTurn'>,
): Prompt {
  const shown = lines.map(({ index, source, text, quote }) => ({
    index,
    source,
    actions: REVIEW_ACTIONS[source],
    text,
    quote,
  }))
  return {
    system: SYSTEM,
    user: sections(
      [section('host-facts', { origin: originOf(turn) }), section('lines', shown)],
      'Answer with the JSON object alone.',
    ),
  }
}
