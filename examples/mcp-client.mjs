// `node examples/mcp-client.mjs`: the official MCP client uses `mono-agent-memory serve`, as an agent of any make would.
import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js'

const CLI = fileURLToPath(new URL('../packages/memory-cli/dist/main.js', import.meta.url))
const FACT = 'Mara fires the green border at 1,060 °C, as she said on 2026-03-08.'

const folder = mkdtempSync(join(tmpdir(), 'memory-mcp-'))
const args = [CLI, 'serve', '--path', join(folder, 'memory'), '--mode', 'lite']
const client = new Client({ name: 'example', version: '1' })

try {
  await client.connect(new StdioClientTransport({ command: process.execPath, args, stderr: 'inherit' }))
  console.log(`connected to ${client.getServerVersion().name} ${client.getServerVersion().version}`)

  const { tools } = await client.listTools()
  for (const { name, annotations } of tools)
    console.log(`- ${name}${annotations.readOnlyHint ? ', reads' : ', writes'}`)
  assert.deepEqual(
    tools.map(({ name }) => name),
    ['MemoryRecall', 'MemoryJournal', 'Remember'],
  )

  const fromDate = today()
  const remembered = await call('Remember', { text: FACT })
  assert.equal(remembered.status, 'stored')
  assert.equal((await call('Remember', { text: FACT })).status, 'duplicate')

  const recalled = await call('MemoryRecall', { query: 'green border' })
  assert.equal(recalled.hits[0].id, remembered.id)

  const journal = await call('MemoryJournal', { fromDate, throughDate: today(), timeZone: 'UTC' })
  assert.equal(journal.entries.length, 1)

  const wrong = await client.callTool({ name: 'MemoryJournal', arguments: { fromDate: 'yesterday' } })
  assert.equal(wrong.isError, true)
  console.log(`\n${wrong.content[0].text}`)
} finally {
  await client.close()
  rmSync(folder, { recursive: true, force: true })
}

function today() {
  return new Date().toISOString().slice(0, 10)
}

/** Calls a tool, shows what a model would read, and returns the same as data. */
async function call(name, input) {
  const { content, structuredContent, isError } = await client.callTool({ name, arguments: input })
  console.log(`\n${name} ${JSON.stringify(input)}\n${content[0].text}`)
  assert.notEqual(isError, true)
  return structuredContent
}
