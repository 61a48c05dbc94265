import type OpenAI from 'openai'
import type { ChatRequest } from './chat-model.js'
import { SAMPLING } from './sampling.js'

/** What makes answers better and steadier, and not every compatible endpoint or model takes. */
const NAMED_BY = {
  response_format: /response_format|json_schema|structured.?outputs?/i,
  temperature: /\btemperature\b/i,
  seed: /\bseed\b/i,
} as const

export type OptionalParameter = keyof typeof NAMED_BY

/** The optional parameters of a request, without those that the endpoint refused. */
export function optionalParameters(
  { name, schema }: ChatRequest['schema'],
  refused: ReadonlySet<OptionalParameter>,
): Pick<OpenAI.ChatCompletionCreateParamsNonStreaming, OptionalParameter> {
  const parameters = {
    ...SAMPLING,
    // Not strict: that wants every field required, and refuses bounds that our contract has.
    response_format: { type: 'json_schema', json_schema: { name, schema: { ...schema }, strict: false } },
  } as const
  return Object.fromEntries(
    Object.entries(parameters).filter(([parameter]) => !refused.has(parameter as OptionalParameter)),
  )
}

/** Which of them a refusal names; its `param` says so best. @param told  the beginning of the body */
export function parameterIn(told: string): OptionalParameter | undefined {
  const places = [/"param"\s*:\s*"([^"]*)"/.exec(told)?.[1] ?? '', told]
  const names = Object.keys(NAMED_BY) as OptionalParameter[]
  return places.flatMap((place) => names.filter((name) => NAMED_BY[name].test(place)))[0]
}
