import { createRequire } from 'node:module'
import { GENERATED, built, cell } from './built.mjs'

// zod is a dependency of memory-host, not of the workspace.
const { z } = createRequire(new URL('../../packages/memory-host/package.json', import.meta.url))('zod')

/** A store that offers everything, and is never asked. */
const storeWith = (remember) => ({
  capabilities: {
    recall: true,
    labels: remember === 'detail',
    chronology: true,
    remember,
    skippedSources: [],
    maxContextBytes: 64_000,
  },
  recallWithOutcome: unasked,
  lookUp: unasked,
  load: unasked,
  chronology: unasked,
  remember: unasked,
  close: unasked,
})

function unasked() {
  throw new Error('The page is made from what tools say of themselves; no tool is called.')
}

/** docs/tools.md: what a model is told of each tool, from the schemas that its calls are parsed with. */
export async function toolsPage(door = built('memory-host')) {
  const { createStandaloneTools, MAX_MESSAGE_BYTES } = await door
  const handOff = { runHistory: 'RunHistory', activeChat: true }
  const detailed = createStandaloneTools(storeWith('detail'), { handOff })
  const plain = createStandaloneTools(storeWith('text'), { handOff })
  const sections = detailed.map((tool) =>
    section(
      tool,
      plain.find(({ name }) => name === tool.name),
    ),
  )
  return `${GENERATED}

# Tools

What an agent is offered: two tools that read and one that writes. A store advertises those that it has and that its
configuration leaves on (\`recallTool\`, \`rememberTool\`); the host's own list may take away \`MemoryJournal\` and \`Remember\`.
They are plain objects, \`MemoryTool\` of \`@mono-agent/memory-host\`: \`createTurnMemory(store).begin(turn)\` gives those of a turn,
\`createStandaloneTools(store)\` those of a server without turns. An answer is the same in words (\`text\`) and as data
(\`structured\`). A call that cannot be answered is no exception: its answer has \`isError\`, and says what to mend.

The descriptions below are those of a host that also names its run history, here \`RunHistory\`, and whose model sees the active
chat; without them their sentences are left out.

## Adapters

| for | call | what it does |
|---|---|---|
| MCP, stdio | \`mono-agent-memory serve\`, or \`serveOverStdio(tools)\` | serves until the client goes away; lines that are no messages are passed over |
| MCP, loopback HTTP | \`openToolEndpoint(tools)\` | opens 127.0.0.1 on a free port, with a bearer of its own, for one turn: [example](embedding.md#tools-for-an-agent-in-another-process). \`tryOpenToolEndpoint\` makes an event of a failure |
| MCP, a transport of your own | \`createToolServer(tools)\` | an \`McpServer\` of the official SDK, to be connected |
| AI SDK | \`toAiSdkTools(tools)\` | a record in the shape of \`tool()\`, to be spread beside other tools |
| function calling | \`toOpenAiTools(tools)\`, \`toOpenAiResponsesTools(tools)\`, \`callOpenAiTool(tools, name, json, { signal })\` | entries of \`tools\` in strict mode, and a call that tolerates what models write |

They add to the tools of the host and replace none. A message over MCP has at most ${MAX_MESSAGE_BYTES.toLocaleString('en')} bytes. An endpoint answers nothing
without its bearer (401), to another \`Host\` or \`Origin\` (403), after \`close()\`. It is stateless: each request stands for itself,
there is no session and no stream to listen to. Examples: [agent-loop.mjs](../examples/agent-loop.mjs),
[mcp-client.mjs](../examples/mcp-client.mjs), [ai-sdk.mjs](../examples/ai-sdk.mjs).

An MCP client starts the server like this, from a folder of its own: give whole paths. It writes to the store as long as it runs, so an agent cannot start beside it;
\`serve --read-only\` leaves the writing to the agent. Beside a running agent it offers reading only by itself, and says so on
stderr.

\`\`\`json
{ "mcpServers": { "memory": {
    "command": "/home/ana/agent/node_modules/.bin/mono-agent-memory",
    "args": ["--config", "/home/ana/agent/mono-agent.config.json", "serve"] } } }
\`\`\`

${sections.join('\n')}`
}

function section(tool, plain) {
  const input = z.toJSONSchema(tool.inputSchema, { io: 'input' })
  const output = z.toJSONSchema(tool.outputSchema)
  const plainFields = Object.keys(z.toJSONSchema(plain.inputSchema, { io: 'input' }).properties)
  const isPlain = plainFields.length === Object.keys(input.properties).length
  const description =
    plain.description === tool.description
      ? quoted(tool.description)
      : `In bujo:\n\n${quoted(tool.description)}\n\nIn lite and journal:\n\n${quoted(plain.description)}`
  return `## ${tool.name}

${tool.title}. ${tool.isReadOnly ? 'Reads only.' : 'Writes.'}

${description}

Input${isPlain ? '' : `; lite and journal take ${plainFields.map((name) => `\`${name}\``).join(', ')} only`}:

${table(input)}

Output:

${table(output)}
`
}

const quoted = (text) => text.replace(/^/gm, '> ').replace(/^> $/gm, '>')

function table(schema) {
  const rows = rowsOf(schema, '')
  return `| field | type | | meaning |\n|---|---|---|---|\n${rows.join('\n')}`
}

function rowsOf(schema, prefix) {
  return Object.entries(schema.properties ?? {}).flatMap(([name, field]) => {
    const isRequired = schema.required?.includes(name) === true
    const row = `| \`${prefix}${name}\` | ${cell(typeOf(field))} | ${isRequired ? 'always' : ''} | ${cell(field.description ?? '')} |`
    const inner = field.type === 'array' ? field.items : field
    return [row, ...rowsOf(inner, `${prefix}${name}${field.type === 'array' ? '[]' : ''}.`)]
  })
}

function typeOf(field) {
  if (field.const !== undefined) return `\`${JSON.stringify(field.const)}\``
  if (field.enum) return field.enum.map((value) => `\`${value}\``).join(', ')
  if (field.type === 'array') return `list of ${typeOf(field.items)}`
  const bounds = [field.minimum, field.maximum].filter((bound) => Math.abs(bound) < Number.MAX_SAFE_INTEGER)
  return bounds.length === 2 ? `${field.type}, ${bounds[0]}–${bounds[1]}` : (field.type ?? 'any')
}
