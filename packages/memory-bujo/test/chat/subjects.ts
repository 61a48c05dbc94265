import type { ChatAnswer, ChatRequest as AskedRequest } from '../../../../test/model-server/index.js'
import type { ChatModel } from '../../src/chat/chat-model.js'
import { asAgentHost, HandClock, hostModel, openBench, type ProviderName } from './support.js'

/** A provider under the contract: the model, and what the other side does and has seen. */
export interface Subject {
  readonly model: ChatModel
  readonly clock: HandClock
  /** What the model says next, one answer a call. */
  says(...answers: (string | ChatAnswer)[]): void
  /** The next call fails on the other side, without a word of why. */
  breaks(): void
  /** Calls are received and never answered, whatever their signal says, until `answersLate`. */
  hangs(): void
  /** Answers, or fails, those that hang; whoever asked has gone. */
  answersLate(how: 'answer' | 'failure'): void
  /** Resolves when so many calls have been received. */
  received(count: number): Promise<void>
  /** Resolves when the other side learns that the first call was given up. */
  cancelled(): Promise<unknown>
  /** Calls in order, as the other side understood them. */
  readonly asked: readonly Pick<AskedRequest, 'model' | 'messages' | 'schema' | 'schemaName'>[]
}

export async function openSubject(provider: ProviderName): Promise<Subject> {
  if (provider === 'agent-host') return hostSubject()
  const { server, clock, model } = await openBench(provider)
  return {
    model: model(),
    clock,
    says: (...answers) => server.chat.script(answers),
    breaks: () => server.faults.set({ kind: 'drop', times: 1 }),
    hangs: () => server.faults.set({ kind: 'hold' }),
    answersLate(how) {
      if (how === 'answer') server.chat.respondWith(() => 'late')
      server.faults.clear()
    },
    received: async (count) => void (await server.requests.arrival(count)),
    cancelled: async () => (await server.requests.arrival(1)).closed,
    asked: server.chat.requests,
  }
}

function hostSubject(): Subject {
  const clock = new HandClock()
  const asked: AskedRequest[] = []
  const script: (string | ChatAnswer)[] = []
  const late: { readonly resolve: (text: string) => void; readonly reject: (error: Error) => void }[] = []
  const signals: AbortSignal[] = []
  const watchers: { readonly count: number; readonly resolve: () => void }[] = []
  let isHanging = false
  let isBroken = false
  const respond = asAgentHost((request) => {
    asked.push(request)
    return script.shift() ?? null
  })
  const model = hostModel(async (request, { signal }) => {
    signals.push(signal)
    for (const { count, resolve } of watchers) if (signals.length >= count) resolve()
    if (isHanging) return new Promise<string>((resolve, reject) => late.push({ resolve, reject }))
    if (isBroken) {
      isBroken = false
      throw new Error('The gateway of the host broke.')
    }
    return respond(request)
  }, clock)
  return {
    model,
    clock,
    says: (...answers) => void script.push(...answers),
    breaks: () => void (isBroken = true),
    hangs: () => void (isHanging = true),
    answersLate(how) {
      for (const { resolve, reject } of late) {
        if (how === 'answer') resolve('late')
        else reject(new Error('late'))
      }
    },
    received: (count) =>
      signals.length >= count ? Promise.resolve() : new Promise((resolve) => watchers.push({ count, resolve })),
    cancelled: async () => {
      const [signal] = signals
      if (signal?.aborted !== true) throw new Error('The host was not told.')
    },
    asked,
  }
}
