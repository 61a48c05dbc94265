import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'
import { startModelServer, type ModelServer, type ModelServerOptions } from '../../../../test/model-server/index.js'
import { commandIn, temporaryFolder, type CommandLine } from './command.js'

/** The default model's name over synthetic vectors. */
export const MODEL = 'nomic-embed-text:v1.5'

export interface JournalFolder {
  readonly folder: string
  readonly root: string
  readonly server: ModelServer
  readonly command: CommandLine
  /** Writes the configuration again, with these fields of the embeddings block. */
  configure(embeddings?: object): void
}

/** A folder with a journal configuration and a model service of its own, both gone after the test. */
export async function journalFolder(
  options: ModelServerOptions = {},
  env: Readonly<Record<string, string>> = {},
): Promise<JournalFolder> {
  const server = await startModelServer({
    models: [
      { name: MODEL, serves: 'hash-768' },
      { name: 'bge-m3', serves: 'hash-768-other' },
    ],
    cacheDirectory: null,
    ...options,
  })
  onTestFinished(() => server.close())
  const folder = temporaryFolder()
  const configure = (embeddings: object = {}): void => {
    const block = { mode: 'journal', path: './store', embeddings: { endpoint: server.url, ...embeddings } }
    writeFileSync(join(folder, 'mono-agent.config.json'), JSON.stringify({ memory: block }))
  }
  configure()
  return { folder, root: join(folder, 'store'), server, command: await commandIn(folder, env), configure }
}
