import { RequestError } from './exchange.js'
import type { ChatAnswer, ChatRequest, ChatResponder, ScriptedChat } from './types.js'

export interface ChatDesk extends ScriptedChat {
  /** @throws {RequestError} 500 if nobody has an answer; it is on record as unexpected. */
  answer(request: ChatRequest): Promise<CompleteAnswer>
}

export type CompleteAnswer = Required<Omit<ChatAnswer, 'thinking'>> & Pick<ChatAnswer, 'thinking'>

export function createScriptedChat(): ChatDesk {
  let queue: ChatResponder[] = []
  let fallback: ChatResponder | null = null
  const requests: ChatRequest[] = []
  const unexpected: { request: ChatRequest; reason: string }[] = []

  const refuse = (request: ChatRequest, reason: string, cause?: unknown): never => {
    unexpected.push({ request, reason })
    throw new RequestError(500, `Unexpected chat request ${requests.length}: ${reason}`, { cause })
  }

  return {
    script(answers) {
      queue.push(...answers.map((answer) => (typeof answer === 'function' ? answer : () => answer)))
    },
    respondWith(responder) {
      fallback = responder
    },
    requests,
    unexpected,
    get unused() {
      return queue.length
    },
    clear() {
      queue = []
      fallback = null
      requests.length = 0
      unexpected.length = 0
    },
    async answer(request) {
      requests.push(request)
      const responder = queue.shift() ?? fallback
      if (responder === null) return refuse(request, 'the script holds no further answer.')
      let answer: Awaited<ReturnType<ChatResponder>>
      try {
        answer = await responder(request)
      } catch (error) {
        return refuse(request, `its responder threw: ${String(error)}`, error)
      }
      if (answer === null) return refuse(request, 'the responder has no answer to it.')
      return typeof answer === 'string' ? { content: answer, finish: 'stop' } : { finish: 'stop', ...answer }
    },
  }
}
