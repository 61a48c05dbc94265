import type { Remembered, RememberRequest } from '@mono-agent/memory-bujo'
import { z } from 'zod'
import type { TurnPort } from '../types.js'
import { failedResult, invalidInput, toolError, turnEnded } from './failed-result.js'
import type { MemoryTool } from './memory-tool.js'
import { rememberFailure } from './remember-failure.js'

const text = z
  .string()
  .describe(
    'One self-contained sentence, on one line, at most 2,048 UTF-8 bytes: who or what it is about by name, where it is known ' +
      'from, whose words it is, its date, and any doubt. No credentials.',
  )

const textInput = z.strictObject({ text })

const detailInput = z.strictObject({
  text,
  about: z
    .string()
    .min(1)
    .optional()
    .describe('A known person that it is about, by id (`person:ana`) or whole name. None is made.'),
  supersedes: z
    .string()
    .min(1)
    .optional()
    .describe('Id of a current ordinary note or event that this one replaces; the old one stays as history.'),
  replaceable: z
    .boolean()
    .optional()
    .describe('True on the first note of something that will be observed again and is about no known person.'),
})

/** What a tool of each kind takes (REC-27). */
export const rememberInputs = { text: textInput, detail: detailInput } as const

export const rememberOutput = z.strictObject({
  status: z
    .enum(['stored', 'duplicate'])
    .optional()
    .describe('`duplicate`: it was there already, and nothing was written.'),
  id: z.string().optional().describe('Of the memory that holds it.'),
  text: z.string().optional().describe('Exactly what is stored.'),
  error: toolError.optional(),
})
export type RememberOutput = z.output<typeof rememberOutput>

/**
 * `Remember`: one deliberate fact, recallable when this returns (REC-25..28). It adds, or replaces what the store lets it
 * replace; nothing is edited or deleted by it.
 * @param detail  of `StoreCapabilities.remember`: whether the store takes more than text
 */
export function rememberTool(port: TurnPort, detail: 'text' | 'detail'): MemoryTool {
  const inputSchema = rememberInputs[detail]
  return {
    name: 'Remember',
    title: 'Remember a fact',
    description: DESCRIPTIONS[detail],
    inputSchema,
    outputSchema: rememberOutput,
    isReadOnly: false,
    async handle(input) {
      if (port.isEnded()) return turnEnded()
      const parsed = inputSchema.safeParse(input)
      if (!parsed.success) return invalidInput(parsed.error)
      if (port.store.remember === undefined) return failedResult('write_disabled', READ_ONLY)
      try {
        const remembered = await port.store.remember(requestOf(parsed.data, port.conversationId))
        if (remembered.status === 'stored') port.changed()
        return { text: words(remembered), structured: structuredOf(remembered) }
      } catch (error) {
        const { result, mayBeStored } = rememberFailure(error)
        if (mayBeStored) port.changed() // what was looked up before may no longer be all there is
        return result
      }
    },
  }
}

/** Fields that were left out stay out: lite and journal refuse them, whatever their value. */
function requestOf(input: z.output<typeof detailInput>, conversationId: string | undefined): RememberRequest {
  const { text, about, supersedes, replaceable } = input
  return {
    text,
    ...(conversationId === undefined ? {} : { conversationId }),
    ...(about === undefined ? {} : { about }),
    ...(supersedes === undefined ? {} : { supersedes }),
    ...(replaceable === undefined ? {} : { replaceable }),
  }
}

/** Not by way of `shownText`: these are the words that the model has just sent, echoed exactly as they are stored (REC-25). */
function words({ status, id, text }: Remembered): string {
  return status === 'stored' ? `Stored as ${id}: ${text}` : `Stored already as ${id}, nothing was written: ${text}`
}

const structuredOf = ({ status, id, text }: Remembered) => ({ status, id, text })

const READ_ONLY = 'This memory is open for reading only. Nothing was stored. Go on without it.'

const COMMON = [
  'Stores one fact for later conversations, exactly as written; use it when something is worth keeping beyond this one.',
  'Write a self-contained sentence that says who or what it is about, where it is known from, whose words it is, the date, and any doubt: whoever reads it later sees nothing of this conversation.',
  'Look with MemoryRecall first, where there is one: the same words again are a duplicate, but a paraphrase would be stored beside what is there.',
]
const LASTING = 'It adds only: nothing is edited or deleted by it. No passwords, tokens or keys.'

const DESCRIPTIONS = {
  text: [...COMMON, LASTING].join(' '),
  detail: [
    ...COMMON,
    'Name in about the known person that it is about.',
    'To correct an ordinary note, give its id in supersedes: it stays as history. What the user stated, preferences, lessons and plain notes cannot be replaced.',
    'Set replaceable on the first note of something that will be observed again, such as a measurement or a state, if it is about no known person: only then can a later observation take its place.',
    LASTING,
  ].join(' '),
} as const
