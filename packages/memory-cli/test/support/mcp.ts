import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js'
import { onTestFinished } from 'vitest'
import { buildChildProgram } from '../../../../test/support/child-program.js'

let bundled: Promise<string> | undefined

export interface Served {
  readonly client: Client
  /** What the command said on stderr so far. */
  readonly said: () => string
  /** The names of the tools that are offered. */
  readonly offered: () => Promise<string[]>
  /** Calls a tool: its words, and its data. */
  readonly call: (name: string, input: object) => Promise<Called>
}

export interface Called {
  readonly isError: boolean
  readonly text: string
  readonly data: Record<string, unknown>
}

/** The official client, connected to `serve` in this folder; closed after the test at the latest. */
export async function serving(folder: string, words: readonly string[] = []): Promise<Served> {
  bundled ??= buildChildProgram(new URL('../../src/main.ts', import.meta.url))
  const transport = new StdioClientTransport({
    command: process.execPath,
    args: [await bundled, 'serve', ...words],
    cwd: folder,
    stderr: 'pipe',
  })
  let said = ''
  transport.stderr?.on('data', (text: Buffer) => (said += text.toString()))
  const client = new Client({ name: 'test', version: '1' })
  onTestFinished(() => client.close())
  await client.connect(transport)
  return {
    client,
    said: () => said,
    offered: async () => (await client.listTools()).tools.map(({ name }) => name),
    async call(name, input) {
      const { content, structuredContent, isError } = await client.callTool({ name, arguments: { ...input } })
      const [part] = content as { text: string }[]
      return { isError: isError === true, text: part?.text ?? '', data: structuredContent as Record<string, unknown> }
    },
  }
}
