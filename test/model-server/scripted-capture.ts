import type { ChatAnswer, ChatRequest, ChatResponder } from './types.js'

export const STAGES = ['extract', 'review', 'reconcile'] as const
export type Stage = (typeof STAGES)[number]

/** One call of a capture, as the model sees it. */
export interface CaptureCall {
  readonly stage: Stage
  readonly system: string
  readonly user: string
  /** How many calls of this stage there were, this one included. */
  readonly ordinal: number
  readonly request: ChatRequest
}

/** An object is written as JSON; a string is said as it is; null leaves the request to others. */
export type Said = string | ChatAnswer | Readonly<Record<string, unknown>> | null

/** What the model says to one stage: always the same, or as the call is. */
export type StageScript = Said | ((call: CaptureCall) => Said | Promise<Said>)

export type CaptureScript = Readonly<Partial<Record<Stage, StageScript>>>

export interface ScriptedCapture {
  readonly responder: ChatResponder
  /** Calls so far, the refused ones included. */
  readonly calls: readonly CaptureCall[]
  /** Of each stage. */
  counts(): Readonly<Record<Stage, number>>
}

/**
 * A model that answers the calls of a capture by their stage, which the name of the schema tells:
 * `server.chat.respondWith(scriptedCapture({ extract: (call) => … }).responder)`. A stage without a script is refused.
 */
export function scriptedCapture(script: CaptureScript): ScriptedCapture {
  const calls: CaptureCall[] = []
  const counts = { extract: 0, review: 0, reconcile: 0 }
  return {
    calls,
    counts: () => ({ ...counts }),
    async responder(request) {
      const stage = stageOf(request)
      counts[stage] += 1
      const call: CaptureCall = {
        stage,
        system: partOf(request, 'system'),
        user: partOf(request, 'user'),
        ordinal: counts[stage],
        request,
      }
      calls.push(call)
      const told = script[stage]
      if (told === undefined) throw new Error(`The script says nothing to ${stage}, which was asked for.`)
      return spoken(typeof told === 'function' ? await told(call) : told)
    },
  }
}

/** @throws {Error} the request has no schema, or one that is of no stage */
export function stageOf({ schemaName }: Pick<ChatRequest, 'schemaName'>): Stage {
  const stage = STAGES.find((name) => schemaName?.toLowerCase().includes(name))
  if (stage === undefined) throw new Error(`No stage of a capture has a schema named ${String(schemaName)}.`)
  return stage
}

/** The messages of one role, joined. */
export function partOf({ messages }: Pick<ChatRequest, 'messages'>, role: 'system' | 'user'): string {
  return messages
    .filter((message) => message.role === role)
    .map(({ content }) => content)
    .join('\n')
}

function spoken(said: Said): string | ChatAnswer | null {
  if (said === null || typeof said === 'string' || isAnswer(said)) return said
  return JSON.stringify(said)
}

const isAnswer = (said: object): said is ChatAnswer => 'content' in said && typeof said.content === 'string'
