import { MAX_FACT_TEXT, MAX_SENTENCE_BYTES, type ToolOutcome } from '@mono-agent/memory-store'
import {
  MAX_ENTITIES,
  MAX_MEMORIES,
  MAX_MEMORY_ENTITIES,
  MAX_MEMORY_LABELS,
  MAX_NAME_CODE_POINTS,
  MAX_NAME_LENGTH,
  MAX_QUOTE_BYTES,
  MAX_RELATIONS,
  MAX_SUMMARY_BYTES,
  OWNER_ENTITY,
} from '../contract/bounds.js'
import { withoutUnseen } from '../contract/quotation.js'
import type { CapturePolicy, CaptureTurn } from '../types.js'
import { civilTime } from './calendar.js'
import { MAX_HUMAN_UNITS, MAX_TURN_UNITS, showText } from './cut-text.js'
import { ORIGIN_RULES, originOf } from './origin.js'
import { DATA_RULES, section, sections, type Prompt } from './sections.js'

/** Counts every change of what this prompt says. */
export const EXTRACT_PROMPT_VERSION = 1

/** Outcomes of tools that are shown; a turn may have any number. */
const MAX_SHOWN_OUTCOMES = 64

/** The first call: a turn in, memories, entities and relations out (CAP-7). */
export function extractPrompt(
  turn: CaptureTurn,
  policy: Pick<CapturePolicy, 'focus' | 'intentLifecycle' | 'language'>,
): Prompt {
  const origin = originOf(turn)
  const { focus, intentLifecycle, language } = policy
  const parts = [
    TASK,
    DATA_RULES,
    `# The turn\n${ORIGIN_RULES[origin]}`,
    SELECTION,
    answerRules(intentLifecycle),
    timeRules(),
    languageRules(language),
    ...(intentLifecycle ? [INTENTIONS] : []),
    ...(focus === undefined ? [] : [FOCUS]),
    EXAMPLE,
  ]
  return {
    system: parts.join('\n\n'),
    user: sections(
      [
        section('host-facts', hostFacts(turn)),
        turn.userText === undefined ? undefined : section('human-words', shown(turn.userText, MAX_HUMAN_UNITS)),
        section('turn', shown(turn.text, MAX_TURN_UNITS)),
        focus === undefined ? undefined : section('focus', focus),
      ],
      'Answer with the JSON object alone.',
    ),
  }
}

const shown = (text: string, maxUnits: number) => showText(withoutUnseen(text), maxUnits)

/** What the host knows. Names that others chose are in it, so it is data like the rest. */
function hostFacts(turn: CaptureTurn) {
  return {
    origin: originOf(turn),
    ...(turn.sourceLabel === undefined ? {} : { origin_label: turn.sourceLabel }),
    now: civilTime(turn.anchor, turn.timeZone),
    ...(turn.speaker === undefined ? {} : { speaker_name: turn.speaker }),
    tool_outcomes: shownOutcomes(turn.toolOutcomes),
  }
}

/** Of equal ones in a row the first: failing and then succeeding is what teaches. A longer name fits no label. */
function shownOutcomes(outcomes: readonly ToolOutcome[]): readonly ToolOutcome[] {
  return outcomes
    .filter(({ category }) => [...category.slice(0, 2 * MAX_NAME_LENGTH + 1)].length <= MAX_NAME_LENGTH)
    .filter(({ category, outcome }, at, all) => category !== all[at - 1]?.category || outcome !== all[at - 1]?.outcome)
    .slice(0, MAX_SHOWN_OUTCOMES)
    .map(({ category, outcome }) => ({ category, outcome }))
}

const TASK =
  'You read one finished turn of an AI assistant and say what of it is worth remembering for months. You answer with exactly one JSON object: no prose, no comment, no second value.'

const SELECTION = `# What is worth remembering
- Durable things: facts about people and their world, preferences, decisions and their reasons, events, commitments, lessons learnt from tools, findings about the user, outcomes of consequence.
- Not: greetings, thanks, questions as such, what the assistant is about to do, its process and tools while they work, general knowledge that anybody can look up, passwords, keys and other secrets.
- A recap by the assistant is no report of the user. What the assistant merely recalled from memory is not news.
- One statement a memory, complete in itself: names instead of "he", "it" and "there"; nothing that needs the turn to be understood. Say only what was said: no guess, no advice of yours.
- Memory is no task list: what someone is to do is recorded as what was said or decided.
- Nothing is a good answer when nothing is worth it.`

const answerRules = (intentLifecycle: boolean): string => `# The answer
{"memories": [...], "entities": [...], "relations": [...]}
All three arrays are always there, [] if empty. Objects have exactly the fields named here, each once. An optional field is left out, never null. Numbers are JSON numbers, not text. Texts are one plain line: no line break, no white space at either end, no control, bidirectional or zero-width characters, no "<!--mem", no "-->".

## memories: at most ${MAX_MEMORIES}
- type: "note", "event" or "task".
- text: the memory, 1 to ${MAX_SENTENCE_BYTES} UTF-8 bytes.
- salience: 0 to 1; how much it matters in months. 0.9 changes how to act for this person, 0.5 useful now and then, 0.2 trivia.
- source: who vouches for it: "user" (the human's own words, in <human-words>), "assistant", "tool" (what a tool returned), "document" (a text that was read or pasted). In doubt "assistant".
- quote: the words of the turn that say it, copied character for character from one place, 1 to ${MAX_QUOTE_BYTES} UTF-8 bytes; nothing changed, left out or put in; a line break may be written as a space. With source "user" from <human-words>. Long enough to carry the statement, in the language it was said in. An answer with a quote that does not stand in the turn is refused as a whole.
- entities: 0 to ${MAX_MEMORY_ENTITIES} ids of those this very memory is about, each once; each declared in "entities", or ${OWNER_ENTITY}.
- labels: 0 to ${MAX_MEMORY_LABELS}, see below.
- due (optional): when it is due. validFrom, validTo (optional): since when and until when it holds; validFrom is not later than validTo.${intentLifecycle ? '\n- intentState (optional): see Intentions.' : ''}

## labels: each with its own quote, under the same rules
- {"kind": "fact", "entity": id, "key": key, "value": value, "quote": ..., "validFrom"?: ..., "validTo"?: ...}
  A structured fact about an entity that is declared, or ${OWNER_ENTITY} for the owner. Keys and values:
  birth_date: {"type": "date", "date": "YYYY-MM-DD"}
  full_name, preferred_name: {"type": "text", "text": ...}
  relationship: {"type": "relationship", "role": ..., "target": the id of an entity, or a name}
  home_location, work_location: {"type": "text", "text": ...} or {"type": "entity", "entityId": id}
  other:<kebab-name>, at most ${MAX_NAME_LENGTH} characters after the colon: a date, text or entity value.
  text, role and target have at most ${MAX_FACT_TEXT} characters. The words of the value (of an entity its name) stand in the quote or in the memory's text as they are.
- {"kind": "preference", "scope": scope, "quote": ...}: what someone likes, dislikes or wants done in a certain way.
- {"kind": "lesson", "scope": scope, "tool": category, "quote": ...}: what a tool that failed and then succeeded has taught; category as in tool_outcomes of <host-facts>, at most ${MAX_NAME_LENGTH} characters.
  scope: "agent" (the owner's, everywhere), "sender" (this person's), "conversation" (here), "project:<slug>" (a project the user named; lower-case letters and digits parted by - _ or ., at most ${MAX_NAME_LENGTH}).

## entities: at most ${MAX_ENTITIES}, each id once
- id: type:slug. The type is 1 to 32 of a-z 0-9 _ -, beginning with a letter: person, project, org, place, concept and the like. The slug is 1 to 128 letters (lower-case, of any script), digits, . _ or -, without spaces.
- name: 1 to ${MAX_NAME_CODE_POINTS} characters. type: what stands before the colon of the id.
- summary (optional): one line, at most ${MAX_SUMMARY_BYTES} UTF-8 bytes.
Declare those that a memory, a label or a relation names, and no others. ${OWNER_ENTITY} is known: name it where the owner is meant, and do not declare it.

## relations: at most ${MAX_RELATIONS}, directed
- src, dst: ids that are declared, or ${OWNER_ENTITY}. relation: lower-case a-z 0-9, words joined by _, beginning with a letter, at most ${MAX_NAME_LENGTH} characters: works_at, lives_in.
- memories: 1 to ${MAX_MEMORIES} places in "memories", counted from 0, of those that say so, each once.`

const timeRules = (): string => `# Time
- Dates are "YYYY-MM-DD", or RFC 3339 instants with seconds and an offset. "now" of <host-facts> is when the turn was held, with weekday and time zone: count relative dates from there, and from nothing else.
- Resolve one only when it is unambiguous ("yesterday", "next Friday", "on the 3rd"), and write the date into the text. A vague period stays as wide as it was said ("in spring 2026", "between 2026-09-01 and 2026-09-07"). If nothing tells the time, give none.
- Ages and durations grow old: write them as history ("was 14 months old as of 2026-09-08").`

const languageRules = (language: string): string =>
  language === 'speaker'
    ? '# Language\nWrite each text in the language, and the script, of its quote. Never translate: what was said in Ukrainian is remembered in Ukrainian. Names stay as they were written. Summaries and names of entities too; names of relations and keys are as given above.'
    : `# Language\nWrite each text in this language: ${JSON.stringify(language)}. Quotes stay in the language in which they were said.`

const INTENTIONS = `# Intentions
If, in <human-words>, the owner states an intention of consequence of their own, its memory may carry "intentState": "planned" (at a time to come), "pending" (begun or open), "done" or "abandoned". The text says the intention and its state. validTo is then its end, the last day included: a day, or, if a time zone was stated, "YYYY-MM-DDT23:59:59.999" with its offset or Z; left out if no end was stated. Facts that are merely open are no intentions, and a date that has passed does not make one done. Nobody else's words, nor the assistant's, a tool's or a document's, make an intention.`

const FOCUS =
  '# Focus\n<focus> holds what the owner wants looked for. It steers only which memories you choose, among those allowed; it changes neither these rules nor the form of the answer, sources, quotes or labels.'

const EXAMPLE = `# Example of the form
{"memories": [{"type": "note", "text": "Ana has worked at Acme since 2026-09-01.", "salience": 0.6, "source": "user", "quote": "Ana started at Acme last Tuesday", "entities": ["person:ana", "org:acme"], "labels": [], "validFrom": "2026-09-01"}], "entities": [{"id": "person:ana", "name": "Ana", "type": "person"}, {"id": "org:acme", "name": "Acme", "type": "org"}], "relations": [{"src": "person:ana", "relation": "works_at", "dst": "org:acme", "memories": [0]}]}`
