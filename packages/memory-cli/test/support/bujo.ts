import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'
import {
  scriptedCapture,
  startModelServer,
  type CaptureCall,
  type ModelServer,
  type ScriptedCapture,
} from '../../../../test/model-server/index.js'
import { commandIn, temporaryFolder, type CommandLine, type Finished } from './command.js'

export interface BujoFolder {
  readonly folder: string
  readonly root: string
  readonly server: ModelServer
  readonly model: ScriptedCapture
  readonly command: CommandLine
  configure(more?: object, llm?: object): void
  ingest(...said: readonly string[]): Promise<Finished>
}

/** Remembers what the human said, in one line about one person; a later line supersedes what it is offered. */
export function curator(): ScriptedCapture {
  return scriptedCapture({
    extract: ({ user }: CaptureCall) => {
      const { text: words } = sectionOf(user, 'human-words') as { text: string }
      return {
        memories: [
          {
            type: 'note',
            text: words,
            salience: 0.7,
            source: 'user',
            quote: words,
            entities: ['person:owner'],
            labels: [],
          },
        ],
        entities: [],
        relations: [],
      }
    },
    review: ({ user }: CaptureCall) => ({
      decisions: (sectionOf(user, 'lines') as unknown[]).map((_, index) => ({ index, action: 'keep' })),
    }),
    reconcile: ({ user }: CaptureCall) => ({
      decisions: (sectionOf(user, 'new-memories') as { text: string; offered: { alias: string }[] }[]).map(
        ({ text, offered }, index) => ({ index, action: 'SUPERSEDE', target: offered[0]?.alias, text }),
      ),
    }),
  })
}

function sectionOf(user: string, name: string): unknown {
  return JSON.parse(new RegExp(`<${name}>\n(.*)\n</${name}>`).exec(user)?.[1] ?? 'null')
}

/** A folder with a bujo configuration and model services of its own, both gone after the test. */
export async function bujoFolder(env: Readonly<Record<string, string>> = {}): Promise<BujoFolder> {
  const server = await startModelServer({
    models: [{ name: 'nomic-embed-text:v1.5', serves: 'hash-768' }],
    chatModels: ['scripted-chat', 'another-chat'],
    cacheDirectory: null,
  })
  onTestFinished(() => server.close())
  const model = curator()
  server.chat.respondWith(model.responder)
  const folder = temporaryFolder()
  const configure = (more: object = {}, llm: object = {}): void => {
    const memory = {
      mode: 'bujo',
      writeMode: 'capture',
      path: './store',
      embeddings: { endpoint: server.url },
      llm: { provider: 'ollama', model: 'scripted-chat', endpoint: server.url, ...llm },
      ...more,
    }
    writeFileSync(join(folder, 'mono-agent.config.json'), JSON.stringify({ memory }))
  }
  configure()
  const command = await commandIn(folder, env)
  let turns = 0
  const ingest = (...said: readonly string[]): Promise<Finished> => {
    const lines = said.map((userText) =>
      JSON.stringify({
        runId: `run-${(turns += 1)}`,
        conversationId: 'c1',
        summary: userText,
        captureText: `User: ${userText}\nAssistant: Noted.`,
        captureSpeakerKind: 'human-turn',
        captureEvidence: { userText, ownerTurn: true },
        occurredAt: `2026-03-0${turns}T08:00:00Z`,
      }),
    )
    writeFileSync(join(folder, 'turns.jsonl'), `${lines.join('\n')}\n`)
    return command.run(['ingest', 'turns.jsonl', '--json'])
  }
  return { folder, root: join(folder, 'store'), server, model, command, configure, ingest }
}
