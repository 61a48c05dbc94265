import { GENERATED, built, cell } from './built.mjs'

/** docs/contracts/*.schema.json: what services that can be held to a schema are given. */
export async function contractSchemaFiles(door = built('memory-bujo')) {
  const { contractSchemas } = await door
  return Object.fromEntries(
    Object.entries(contractSchemas).map(([name, schema]) => [
      `docs/contracts/${name}.schema.json`,
      `${JSON.stringify(schema, undefined, 2)}\n`,
    ]),
  )
}

/** docs/contracts.md: the contracts with a chat model, and the closed list of reasons for which an answer is refused. */
export async function contractsPage(door = built('memory-bujo')) {
  const { CONTRACT_REASONS } = await door
  const rows = Object.entries(CONTRACT_REASONS).map(([reason, meaning]) => `| \`${reason}\` | ${cell(meaning)} |`)
  return `${GENERATED}

# Contracts with the chat model

Capture asks a chat model at most three things about a turn: what is worth remembering (extract), which lines stay (review),
and what becomes of each new memory beside the old ones (reconcile). Each answer has a contract. An answer keeps all of it or
is refused whole: nothing is clamped, converted, guessed or applied in part. A refused answer is the failure \`model_output\`
of that attempt; the turn stays pending and is tried again. \`ContractError\` (code \`model_output_invalid\`) carries the
reason, and the event \`projection_failed\` tells it with the place, such as \`extract: memories[0].type\`. None of it holds
anything the model said, nor do the metrics.

The shapes are JSON Schema files, and services that can hold a model to a schema are given them:
[extraction](contracts/extraction.schema.json),
[extraction with intentions](contracts/extraction-with-intentions.schema.json) (\`capture.intentLifecycle\`),
[review](contracts/review.schema.json), [reconcile](contracts/reconcile.schema.json). Optional fields are left out, never
null, so a service's mode that demands every field does not fit. What a schema cannot say exactly (bytes, classes of
characters, references) is told below and in the prompts; the parser is the authority for all of it.

## Every answer
- The completion has at most 262,144 UTF-16 units; a longer one is not parsed.
- Set aside, in this order: white space around it, one leading \`<think>…</think>\` block, one code fence (three backticks, or
  three backticks and \`json\`) around all the rest. A reasoning field that a service declares apart never gets here.
- What is left is exactly one JSON value (RFC 8259), with no key twice in an object however it is spelt, nested at most 16 deep.
- Every field is known, of the JSON type and list of values named here; required fields are there.
- A *line* is a sentence as the store writes it: no white space at its ends, no line breaks, control, bidirectional or
  zero-width characters, no lone surrogates, no tag characters outside a flag, no \`<!--mem\` or \`-->\`.

## Extraction
\`{ memories, entities, relations }\`, all three arrays.

| field | what it holds |
|---|---|
| \`memories\` | 0–8 |
| \`memories[].type\` | \`note\`, \`event\`, \`task\` |
| \`memories[].text\` | a line of 1–2,048 UTF-8 bytes, in the dominant script of its quote unless \`capture.language\` is fixed |
| \`memories[].salience\` | a number, 0–1 |
| \`memories[].source\` | \`user\`, \`assistant\`, \`tool\`, \`document\`; the host may bound it to less |
| \`memories[].quote\` | 1–1,024 UTF-8 bytes that occur in the turn (NFKC, white space folded, case kept, what is invisible left out); may run over lines |
| \`memories[].entities\` | 0–8 ids, each once, each declared or \`person:owner\` |
| \`memories[].labels\` | 0–6, each with a quote of its own; one that its speaker's words do not bear out is dropped later, and the memory kept |
| \`memories[].due\`, \`.validFrom\`, \`.validTo\` | optional; a day \`YYYY-MM-DD\` or an RFC 3339 instant with offset; \`validFrom\` not after \`validTo\`, whose day counts whole |
| \`memories[].intentState\` | optional, only with \`capture.intentLifecycle\`: \`planned\`, \`pending\`, \`done\`, \`abandoned\` |
| label \`fact\` | \`entity\` (declared, or the owner), \`key\`, \`value\`, \`quote\`, optional \`validFrom\`, \`validTo\` |
| label \`preference\` | \`scope\`, \`quote\` |
| label \`lesson\` | \`scope\`, \`tool\` (a line of at most 64 characters), \`quote\` |
| \`key\` | \`birth_date\` (date), \`full_name\`, \`preferred_name\` (text), \`relationship\` (relationship), \`home_location\`, \`work_location\` (text or entity), \`other:<kebab-name>\` of at most 64 characters (date, text or entity) |
| \`value\` | \`{type: "date", date}\`, \`{type: "text", text}\`, \`{type: "entity", entityId}\`, \`{type: "relationship", role, target}\`; texts of at most 160 characters |
| \`scope\` | \`agent\`, \`sender\`, \`conversation\`, \`project:<slug>\` of at most 64 characters |
| \`entities\` | 0–16, no id twice; one that nothing names is dropped later, and what is said of \`person:owner\` is set aside |
| \`entities[].id\` | \`type:slug\`: 1–32 of \`a-z 0-9 _ -\` that begin with a letter, then 1–128 letters, marks, digits, \`.\`, \`_\`, \`-\` of any script |
| \`entities[].type\` | what its id begins with |
| \`entities[].name\`, \`.summary\` | a line of 1–160 characters; optional, a line of at most 512 UTF-8 bytes |
| \`relations\` | 0–16, directed |
| \`relations[].src\`, \`.dst\` | declared, or \`person:owner\` |
| \`relations[].relation\` | lower-case ASCII words and digits joined by \`_\`, at most 64 characters |
| \`relations[].memories\` | 1–8 places in \`memories\`, from 0, each once |

The dominant script is the one most letters are of. Latin letters weigh a third, since names of products and code are written
in Latin in every language: "Купил MacBook Pro" is Cyrillic. Han, Hiragana, Katakana and Bopomofo count as one. A text
without letters goes with any.

## Review
\`{ decisions: [{ index, action }] }\`: exactly one for each line that was shown, in their order, with the index it was shown
with: its place among the memories, so there may be gaps. Of a line of the assistant \`keep\` or \`drop\`, of one of the owner \`keep\` or \`preference\`.

## Reconcile
\`{ decisions }\`: exactly one for each new memory that was shown, in their order; \`index\` counts from 0.

| action | fields |
|---|---|
| \`ADD\` | \`index\`, \`action\` |
| \`NOOP\` | \`index\`, \`action\`, \`target\` |
| \`UPDATE\`, \`SUPERSEDE\` | \`index\`, \`action\`, \`target\`, \`text\` |

\`target\` is an alias (\`m1\`, \`m2\`, …) that was offered for this very memory, and of no other decision; \`text\` a line of
1–2,048 UTF-8 bytes.

## Why an answer was refused
The list is closed. Of several faults the first found is told, in this order: completion, shape, references, evidence.

| reason | what it means |
|---|---|
${rows.join('\n')}

## What the model is shown
Rules stand in the system message and are the library's alone. What people, programs and the store say stands in sections of
the other message: a line \`<name>\`, one line of JSON, a line \`</name>\`. Within the JSON, line breaks, \`<\` and \`>\` are escaped,
so no content can end its section or begin another, and the same turn always gives the same prompt. Of a turn at most 48,000
UTF-16 units are shown, of the human's own words apart at most 16,000: of a longer text its two ends, and beside them how
much is left out. Quotes are looked for in the whole text. No prompt grows with the store.
`
}
