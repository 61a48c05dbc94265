import { canonicalJson, dayOfFile, normaliseInstant, parseGraphLine, type GraphLine } from '@mono-agent/memory-store'
import { z } from 'zod'
import type { DropReason } from '../types.js'

/** The shapes in the outbox. Whether a plan is whole its checksum tells; these refuse what another version wrote. */

const instant = z.string().refine((text) => normaliseInstant(text) === text)
const planId = z.string().regex(/^[0-9a-f]{64}$/)
const digest = z.string().regex(/^[0-9a-f]{64}$/)
const token = z.string().regex(/^[\x21-\x7e]{1,200}$/)
const text = z.string().min(1)
const count = z.int().min(0)
const unit = z.number().min(0).max(1)
const dayFile = z.string().refine((file) => dayOfFile(file) !== undefined)
const index = count
const validity = { validFrom: text.optional(), validTo: text.optional() }

const factValue = z.discriminatedUnion('type', [
  z.strictObject({ type: z.literal('date'), date: text }),
  z.strictObject({ type: z.literal('text'), text }),
  z.strictObject({ type: z.literal('entity'), entityId: text }),
  z.strictObject({ type: z.literal('relationship'), role: text, target: text }),
])

const extractedLabel = z.discriminatedUnion('kind', [
  z.strictObject({
    kind: z.literal('fact'),
    entity: text,
    key: text,
    value: factValue,
    quote: z.string(),
    ...validity,
  }),
  z.strictObject({ kind: z.literal('preference'), scope: text, quote: z.string() }),
  z.strictObject({ kind: z.literal('lesson'), scope: text, tool: text, quote: z.string() }),
])

const memory = z.strictObject({
  type: z.enum(['note', 'event', 'task']),
  text,
  salience: unit,
  source: z.enum(['user', 'assistant', 'tool', 'document']).optional(),
  quote: z.string(),
  entities: z.array(text),
  labels: z.array(extractedLabel),
  due: text.optional(),
  ...validity,
  intentState: z.enum(['planned', 'pending', 'done', 'abandoned']).optional(),
})

const extraction = z.strictObject({
  memories: z.array(memory),
  entities: z.array(z.strictObject({ id: text, name: text, type: text, summary: z.string().optional() })),
  relations: z.array(z.strictObject({ src: text, relation: text, dst: text, memories: z.array(index) })),
})

const review = z.array(z.strictObject({ index, action: z.enum(['keep', 'drop', 'preference']) }))

/** A bullet is kept as the lines it is written with. */
const bulletLines = z.array(z.string()).min(2)

const dayChange = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('add'), bullets: z.array(bulletLines).min(1) }),
  z.strictObject({ kind: z.literal('set'), id: token, baseDigest: digest, bullet: bulletLines, spareId: token }),
])

/** As the graph log would hold it (FMT-7). */
const graphLine = z.custom<GraphLine>((line) => parseGraphLine(canonicalJson(line)) !== undefined)

const edge = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('thread'), from: token, to: token, weight: unit, at: instant }),
  z.strictObject({ kind: z.literal('supersede'), id: token, by: token, at: instant }),
])

const base = z.strictObject({ length: count, digest })

/** Every reason there is: one that a plan could not hold would not be read back. */
const DROP_REASONS: Readonly<Record<DropReason, true>> = {
  assistant_floor: true,
  credential: true,
  echo: true,
  review: true,
  only_filter: true,
  label_unsupported: true,
  label_not_allowed: true,
  intention_not_allowed: true,
  sentence_invalid: true,
  edge_target_gone: true,
  edge_limit: true,
  replay_full: true,
}
const dropReason = z.enum(Object.keys(DROP_REASONS) as DropReason[])

const plannedLines = {
  v: z.literal(1),
  id: planId,
  createdAt: instant,
  days: z.array(z.strictObject({ file: dayFile, changes: z.array(dayChange).min(1) })),
  graph: z.strictObject({ base, lines: z.array(graphLine) }),
  replay: z.strictObject({ base, edges: z.array(edge) }),
  targets: z.array(z.strictObject({ id: token, file: dayFile, digest, rev: token.optional() })),
  memoryIds: z.array(token),
}

export const planSchema = z.discriminatedUnion('stage', [
  z.strictObject({
    v: z.literal(1),
    stage: z.literal('retained'),
    id: planId,
    extraction,
    review: review.optional(),
    retainedAt: instant,
  }),
  z.strictObject({
    ...plannedLines,
    stage: z.literal('commit'),
    dropped: z.partialRecord(dropReason, z.int().min(1)),
  }),
  z.strictObject({ ...plannedLines, stage: z.literal('remember') }),
])

export type WrittenPlan = z.infer<typeof planSchema>
export type WrittenChange = z.infer<typeof dayChange>
