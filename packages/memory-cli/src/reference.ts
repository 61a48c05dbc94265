import type { Argument, Command, Option } from 'commander'
import { BAD_LINE_CODES } from './ingest/entry.js'
import { CONVERSATION_FIELDS, TIME_FIELDS } from './ingest/messages.js'
import { createProgram } from './program.js'

/** docs/cli.md: made from the definitions that also parse the command line. Ends with one line feed. */
export function commandReference(): string {
  const program = createProgram(() => Promise.resolve())
  const sections = [
    '# The command `mono-agent-memory`',
    'Made from the command definitions; do not edit it by hand.',
    program.description(),
    WHERE_IT_READS,
    '## Options of every command',
    optionTable(program.options),
    '## Commands',
    ...program.commands.map(commandSection),
    LISTINGS,
    FORMATS,
    '### Codes of refused lines',
    markdownTable(
      ['code', 'meaning'],
      Object.entries(BAD_LINE_CODES).map(([code, meaning]) => [`\`${code}\``, meaning]),
    ),
    HEALTH,
    EXIT_CODES,
  ]
  return `${sections.join('\n\n')}\n`
}

function commandSection(command: Command): string {
  const { registeredArguments, options } = command
  return [
    `### ${command.name()}`,
    command.description(),
    `\`\`\`\nmono-agent-memory ${command.name()} ${command.usage()}\n\`\`\``,
    ...(registeredArguments.length === 0 ? [] : [argumentTable(registeredArguments)]),
    ...(options.length === 0 ? [] : [optionTable(options)]),
  ].join('\n\n')
}

function argumentTable(list: readonly Argument[]): string {
  return markdownTable(
    ['argument', 'meaning'],
    list.map((argument) => [`\`${argument.name()}\`${argument.required ? '' : ' (optional)'}`, argument.description]),
  )
}

function optionTable(list: readonly Option[]): string {
  return markdownTable(
    ['option', 'meaning'],
    list.map((option) => [`\`${option.flags}\``, `${option.description}${choicesOf(option)}${defaultOf(option)}`]),
  )
}

function choicesOf({ argChoices }: Option): string {
  return argChoices === undefined ? '' : `: ${argChoices.map((choice) => `\`${choice}\``).join(', ')}`
}

function defaultOf({ defaultValue, negate, mandatory }: Option): string {
  if (mandatory) return ' (required)'
  return defaultValue === undefined || negate ? '' : ` (default \`${String(defaultValue)}\`)`
}

function markdownTable(header: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]): string =>
    `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`
  return [line(header), line(header.map(() => '---')), ...rows.map(line)].join('\n')
}

const names = (list: readonly string[]): string => list.map((name) => `\`${name}\``).join(', ')

const WHERE_IT_READS = `It reads the \`memory\` block of \`mono-agent.config.json\` in the current folder, or of the file after
\`--config\`; a relative \`path\` in it is relative to that file. Variables of the environment, or of a \`.env\` beside the file, go
before the file: there is one for every key, listed in [config.md](config.md), and a warning for one that is none. Keys of services
are taken from the same two places. Without a memory block, or with one that is \`null\`, \`false\` or \`{"enabled": false}\`, every
command says \`not_configured\` and exits with 0.

\`--path\` names a store without any file; its tier is what its index was built for, lite where there is none yet. Of a journal only
the configuration knows where its embedding service is: commands that need no embedding work all the same (\`today\`, \`show\`, \`top\`,
\`log\`, \`profile\`, \`curate\`, \`stats\`, \`inspect\`, \`retry\`, \`resolve\`; \`ingest\`, which leaves the vectors to the next start;
\`rebuild\` where no vector is missing), the others say \`configuration_needed\`. No service is ever guessed.

Reading commands (\`search\`, \`today\`, \`show\`, \`top\`, \`log\`, \`profile\`, \`curate\`, \`stats\`, \`inspect\`, \`validate\`, and
\`calibrate\` without \`--write\`) work beside a running agent and leave nothing behind; the others need the
stopped store and fail with \`writer_active\` beside one.`

const LISTINGS = `## How memories are shown

Each memory is two lines. The first has the day on which it happened, or was recorded where nobody knows more, its marks and the
sentence; \`search\` puts the score before it, \`top\` the salience. Marks are the status unless it is \`open\`, \`superseded\` or
\`ended <date>\`; of what stands, \`from\`, \`until\`, \`on\` and \`due\` with their dates. The second line has the type, the day of
recording, who vouches for it (\`you said\` is a verified person; \`from a document\`, \`assistant noted\`), who spoke, the day file and the id.

- **search** answers as the tool \`MemoryRecall\` does, with the same switches of \`recall\`: first what has to be said of the answer
  (\`Conflicting values\`, \`Insufficient evidence\`), then the hits, then the fact sheet of who is named and the preferences and
  lessons for the agent. With \`--as-of\` ends and replacements after that instant count for nothing. What the files keep no instant
  of shows as it is now: a status that was set by hand, words that were changed in place. \`--explain\` adds the parts of each score,
  the turn (the first 32 digits of the id that \`inspect\` takes whole), the conversation, the day file, and the chain of memories that
  took each other's place. \`--json\` prints all of the answer.
- **top** leaves out what was superseded or has ended; \`--all\` lists it in its place.
- **profile** prints the block as an agent gets it, also where \`profile.enabled\` is off, which is noted on stderr. \`--json\`:
  \`{"enabled", "text", "memoryIds", "absent", "stale"}\`; where there is none, \`absent\` is \`not_bujo\`, \`no_labels\`,
  \`none_eligible\` or \`no_room\`.
- **curate** lists notes with a \`due\`, the earliest first, then notes that are done: what automatic context no longer shows once
  \`recall.intentExpiry\` is on. They are marked as a search marks them then. Dropped notes are not listed: nothing shows them either
  way. \`--json\`: \`{"enabled", "notes", "absent", "stale"}\`, each note with \`why\`: \`dated\` or \`done\`.

\`enabled\` is missing for a store at \`--path\`, whose switches only its configuration knows.`

const FORMATS = `## What \`ingest\` reads

\`auto\` tells the format from the first lines. Text is UTF-8; a byte order mark, CRLF, empty lines and a last line without an end are
fine. Ids are derived from the file alone, so running again after a stop, a crash or with a longer export only adds what is new.

- **turns**: JSON lines, each one completed turn as \`persistCompletedTurn\` takes it. Its \`runId\` is its identity.
- **messages**: JSON lines, each \`{"messages": [{"role", "content"}, …]}\` with \`content\` a string or an array of parts (\`text\`,
  \`input_text\`, \`output_text\`; others are left out). Each user → assistant exchange is one turn; system, developer, tool and
  function messages are left out. Conversation: ${names(CONVERSATION_FIELDS)} of the line, else \`--conversation\`, else the
  file's name. Time: ${names(TIME_FIELDS)} of the message, else of the line: RFC 3339 with an offset, or a Unix epoch in seconds
  or milliseconds. Run id: a hash of the conversation and the \`id\` of the first user message; without one, of the exchange's number
  in its line, and of the line's number too where the line names no conversation.
- **chatgpt**: the \`conversations.json\` of a ChatGPT export. Of each conversation the path from \`current_node\` to the root; text
  and transcripts of speech only; hidden, system and tool messages are left out; \`create_time\` is kept. Run id: a hash of the conversation and the id of
  the first user message of the exchange.

A question without an answer is \`unanswered\`, an answer that nobody asked for \`unprompted\`; both are counted as skipped, as are turns
that admission skips (\`low_signal\`, \`write_disabled\`, \`empty\`). A refused line is named with its number and a code, never with its
text, and the run goes on.`

const HEALTH = `## What \`validate\` reports

\`{"ok", "sections"}\`, each section \`{"section", "status", "checks"}\`, each check \`{"check", "status", "code", "message"}\`, in this order:
\`native\` (better-sqlite3, sqlite-vec), \`identity\` (what the index was built for, and that its database opens), \`root\` (each directory
takes a file), \`service\` (the model under its exact name, then one real vector of the configured dimension), \`calibration\`,
\`language\`, \`chat\` (the chat model under its exact name, then one small turn of its own by the contract), \`consolidation\`,
\`platform\`. Lite has no \`service\`, \`calibration\` and \`language\`, and only bujo has \`chat\` and \`consolidation\`; a configuration
that cannot be used is reported as the one section \`configuration\`. A status is \`ok\`, \`note\` (to know), \`waiting\` (the service
must come back, or its key be set) or \`error\` (to mend, with how). \`ok\` is false only where there is an \`error\`.

## What \`calibrate\` measures

Floors are compared with scores, beside a weak model with scores over \`1 + lexical weight\`. *Automatic* is what the best hit must
reach for anything to be shown unasked, *deliberate* that above which a hit reads as an answer.
*Covers* is the share of questions that get an answer to see, *misleads* the share that gets something and no answer in it. Label
questions as people ask them, those without an answer too (\`"relevant": []\`); at least 20 with one are needed. Without labels
memories are compared with each other: those floors are far too strict for questions. What is written lies in the index manifest,
stays through rebuilds with the same model, and \`--reset --write\` takes it back.`

const EXIT_CODES = `## Exit codes

| code | meaning |
| --- | --- |
| 0 | done; also \`not_configured\`, and an \`ingest\` of which some lines were refused |
| 1 | failed: \`error <code>: <message>\` on stderr, with \`--json\` \`{"error": {"code", "message"}}\` on stdout. Also a \`validate\` that found something to mend, and an \`ingest\` of which nothing was usable, or any line refused with \`--strict\` |
| 2 | misuse; the usage is on stderr |
| 130, 143 | \`ingest\`, \`rebuild\`, \`validate\` or \`calibrate\` was stopped by SIGINT or SIGTERM; run it again to go on. \`--json\` prints \`{"complete": false}\`, \`ingest\` its report |`
