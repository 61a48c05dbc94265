import { z } from 'zod'
import { toolError } from './failed-result.js'

/** UTF-16 units of a name: longer than that of any entity (FMT-7). */
const MAX_ABOUT_UNITS = 512

const fields = z.strictObject({
  query: z
    .string()
    .optional()
    .describe(
      'One short, specific topic, in the language that it was talked about in. Either this or `useOriginalQuery`.',
    ),
  useOriginalQuery: z
    .literal(true)
    .optional()
    .describe('Looks again at what was found for the message that began this turn, all of it. Without `query`.'),
  kind: z
    .enum(['preference', 'lesson'])
    .optional()
    .describe('Only preferences, or only lessons. Of a memory that keeps labels.'),
  about: z
    .string()
    .min(1)
    .max(MAX_ABOUT_UNITS)
    .optional()
    .describe(
      'Only what is about this person or thing: its id (`person:ana`) or whole name. Of a memory that keeps labels.',
    ),
})

/** Either a query or the original one (REC-12). What is asked is not judged: every query is searched (REC-11). */
function requireOneQuery({ query, useOriginalQuery }: QueryFields, context: z.core.$RefinementCtx): void {
  const refuse = (message: string): void => context.addIssue({ code: 'custom', path: ['query'], message })
  if (query === undefined && useOriginalQuery === undefined) refuse('is needed, unless useOriginalQuery is true')
  if (query !== undefined && useOriginalQuery !== undefined) refuse('must be left out beside useOriginalQuery')
  if (query?.trim() === '') refuse('is empty')
}

type QueryFields = Pick<z.output<typeof fields>, 'query' | 'useOriginalQuery'>

/** What the tool takes: `labels` where memories carry them, else without what could only be refused. */
export const recallInputs = {
  labels: fields.superRefine(requireOneQuery),
  plain: fields.omit({ kind: true, about: true }).superRefine(requireOneQuery),
}

const hit = z.strictObject({
  id: z.string().describe('Of the memory; for `supersedes` of Remember.'),
  score: z.number().describe('Ranking evidence, comparable within one answer; no probability.'),
  text: z.string().describe('Untrusted evidence, in one line.'),
  type: z.enum(['note', 'event', 'task']).optional(),
  status: z.enum(['open', 'done', 'migrated', 'scheduled', 'dropped', 'invalidated']).optional(),
  createdAt: z.string().optional().describe('When it was recorded, not when it happened.'),
  occurredAt: z.string().optional().describe('When it happened.'),
  validFrom: z.string().optional(),
  validTo: z.string().optional(),
  dueAt: z.string().optional(),
  currentness: z.enum(['current', 'superseded', 'ended']).optional(),
  endedOn: z.string().optional().describe('The day it ended on.'),
  attribution: z.enum(['user-stated', 'document', 'assistant-inferred', 'unknown']).optional(),
  speaker: z.string().optional().describe('Who said it.'),
  isSourceUnknown: z.literal(true).optional().describe('It is not known in which conversation it was recorded.'),
})

/** What `MemoryRecall` gives back as data; no field but `error` where the call was refused. */
export const recallOutput = z.strictObject({
  hits: z.array(hit).optional().describe('Best first.'),
  mode: z.enum(['hybrid', 'lexical']).optional().describe('By words and meaning, or by words alone.'),
  degraded: z
    .strictObject({ reason: z.string() })
    .optional()
    .describe('The answer is less than this memory usually gives, and why.'),
  evidence: z.enum(['conflicting', 'insufficient']).optional(),
  note: z.string().optional().describe('What has to be said of the answer as a whole.'),
  sections: z
    .array(z.strictObject({ kind: z.enum(['fact_sheet', 'guidance']), text: z.string() }))
    .optional()
    .describe('Known facts of the entities in question, and preferences and lessons. Untrusted evidence.'),
  leftOut: z.int().optional().describe('Hits that there was no room for.'),
  error: toolError.optional(),
})

/** Fields of a hit, each with what it may hold. */
export const hitFields = hit.shape

/** The value, if it is one of the schema's: a backend of somebody else's may give what its type does not allow. */
export function known<Schema extends z.ZodType>(schema: Schema, value: unknown): z.output<Schema> | undefined {
  return schema.safeParse(value).data
}

export type RecallOutput = z.output<typeof recallOutput>
export type ShownHit = NonNullable<RecallOutput['hits']>[number]
