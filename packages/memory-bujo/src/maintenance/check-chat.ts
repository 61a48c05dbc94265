import { withDeadline } from '@mono-agent/memory-search'
import { chatEndpoint, chatKey } from '../chat/address.js'
import { createChatModel, type ChatConfig } from '../chat/create-chat-model.js'
import { discoverOllamaChat } from '../chat/discover-ollama.js'
import { ChatError } from '../chat/errors.js'
import { OPENAI_ENDPOINT } from '../chat/openai.js'
import type { MemoryConfig } from '../config.js'
import type { Host } from '../host.js'
import { probeContract } from './probe-contract.js'
import { fine, type ValidationCheck } from './validation.js'

type ChatSettings = Pick<MemoryConfig, 'writeMode' | 'capture'> & { readonly llm: ChatConfig }

/**
 * Whether the chat model is there (Ollama), can be asked at all, and keeps the contract (OPS-9, CAP-6). What a failed check
 * makes pointless is left out. One fixed turn is sent, to the configured model alone.
 * @throws only the reason of the signal
 */
export async function checkChat(
  { llm, writeMode, capture }: ChatSettings,
  host: Host,
  signal: AbortSignal | undefined,
): Promise<ValidationCheck[]> {
  const model = await whenAsked('model', signal, () => MODEL_CHECKS[llm.provider](llm, host, signal))
  const checks = [model]
  if (writeMode !== 'capture') {
    checks.push(note('contract', 'capture_off', `The model is not asked with writeMode \`${writeMode}\`.`))
  } else if (model.status === 'ok' || model.code === 'context_small') {
    const { intentLifecycle = false } = capture ?? {}
    const probe = () => probeContract(createChatModel(llm, host), { intentLifecycle }, signal)
    checks.push(await whenAsked('contract', signal, probe))
  }
  if (capture?.reconcileModel !== undefined) checks.push(functionCheck('reconcile', capture.reconcileModel, host))
  return checks
}

type ModelCheck = (llm: ChatConfig, host: Host, signal: AbortSignal | undefined) => Promise<ValidationCheck>

const MODEL_CHECKS: Readonly<Record<ChatConfig['provider'], ModelCheck>> = {
  async ollama(llm, host, signal) {
    const { timeoutMs } = llm
    const timedOut = () => new ChatError('chat_timeout', { detail: `${timeoutMs} ms` })
    const found = await withDeadline((cancel) => discoverOllamaChat(llm, host, cancel), {
      ...{ timeoutMs, timedOut, signal },
      sleep: host.sleep,
    })
    const { name, contextTokens, isContextSmall } = found
    const context = contextTokens === undefined ? '' : `, which looks at ${contextTokens} tokens`
    if (!isContextSmall) return fine('model', `Ollama holds ${name}${context}.`)
    const message = `Ollama holds ${name}${context}: long turns are cut without a word. Choose one with a larger context.`
    return note('model', 'context_small', message)
  },
  async openai(llm, host) {
    const isKeyed = chatKey(llm, chatEndpoint(llm.endpoint ?? OPENAI_ENDPOINT), host) !== undefined
    return fine('model', isKeyed ? 'The key is set.' : 'No key is declared, and the endpoint is asked without one.')
  },
  'agent-host': async ({ model }, host) => functionCheck('model', model, host),
}

/** Only the harness has the function: where it is not injected, as in the command line, nothing can be said of it. */
function functionCheck(check: string, model: string, { chat }: Pick<Host, 'chat'>): ValidationCheck {
  if (chat !== undefined) return fine(check, `The function of the host is there; it is asked for ${model}.`)
  const message = `${model} is a model of the host, whose function is not there where this runs: it was not asked.`
  return note(check, 'agent_host_absent', message)
}

async function whenAsked(
  check: string,
  signal: AbortSignal | undefined,
  run: () => Promise<ValidationCheck>,
): Promise<ValidationCheck> {
  try {
    return await run()
  } catch (error) {
    signal?.throwIfAborted()
    if (!(error instanceof ChatError)) throw error
    return { check, status: isPassing(error) ? 'waiting' : 'error', code: error.code, message: error.message }
  }
}

/** A key that is declared and not yet set is waited for too (CFG-2). */
function isPassing({ code, concerns }: ChatError): boolean {
  return concerns === 'service' || code === 'chat_key_missing'
}

const note = (check: string, code: string, message: string): ValidationCheck => ({
  check,
  status: 'note',
  code,
  message,
})
