import type { ChatResponder } from './types.js'

/** As the port of a host's chat function has it. */
export interface AgentHostRequest {
  readonly model: string
  readonly system: string
  readonly user: string
  readonly schema: { readonly name: string; readonly schema: Readonly<Record<string, unknown>> }
}

/**
 * A host's chat function out of a responder, so that a script or a book of recordings serves in process too.
 * @throws {Error} the responder has no answer  @throws what the responder throws
 */
export function asAgentHost(responder: ChatResponder): (request: AgentHostRequest) => Promise<string> {
  return async ({ model, system, user, schema: { name, schema } }) => {
    const answer = await responder({
      protocol: 'openai',
      model,
      messages: [
        { role: 'system', content: system },
        { role: 'user', content: user },
      ],
      schema,
      schemaName: name,
      stream: false,
      body: {},
    })
    if (answer === null) throw new Error('The responder has no answer to it.')
    return typeof answer === 'string' ? answer : answer.content
  }
}
