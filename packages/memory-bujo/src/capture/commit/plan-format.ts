import {
  canonicalJson,
  formatBullet,
  parseBullet,
  sha256Hex,
  type Bullet,
  type DayChange,
} from '@mono-agent/memory-store'
import { sealJson, unsealJson } from '@mono-agent/memory-intake'
import { planSchema, type WrittenChange } from './plan-schema.js'
import type { OutboxPlan, WritingPlan } from './plan-types.js'

/**
 * One line of canonical JSON that begins with its own checksum, as all sealed files of a root do: a damaged plan is told
 * from a whole one. Bullets stand in it as the lines they are written with.
 * @throws {RangeError} a value that could not be read back, or not be written into the files of the root: a plan that is
 *   published can be carried out
 */
export function formatPlan(plan: OutboxPlan): Uint8Array {
  const bytes = sealJson(written(plan))
  if (parsePlan(bytes) === undefined)
    throw new RangeError('A plan holds a value that its file cannot. Nothing was written.')
  return bytes
}

/** @returns undefined if the bytes are no plan as `formatPlan` writes one */
export function parsePlan(bytes: Uint8Array): OutboxPlan | undefined {
  const parsed = planSchema.safeParse(unsealJson(bytes))
  if (!parsed.success) return undefined
  const { data } = parsed
  if (data.stage === 'retained') return data as OutboxPlan
  const days = data.days.map(({ file, changes }) => ({ file, changes: changes.map(readChange) }))
  if (days.some(({ changes }) => changes.includes(undefined))) return undefined
  return { ...data, days } as WritingPlan
}

/**
 * What authorises the replay entries of a plan (FMT-8): the SHA-256 of its canonical JSON, which is the checksum its file
 * begins with. The entries of a plan stand in it without it.
 */
export function authorityDigest(plan: WritingPlan): string {
  return sha256Hex(canonicalJson(written(plan)))
}

function written(plan: OutboxPlan): object {
  if (plan.stage === 'retained') return plan
  return { ...plan, days: plan.days.map(({ file, changes }) => ({ file, changes: changes.map(writeChange) })) }
}

function writeChange(change: DayChange): WrittenChange {
  if (change.kind === 'add') return { kind: 'add', bullets: change.bullets.map(formatBullet) }
  return { ...change, bullet: formatBullet(change.bullet) }
}

function readChange(change: WrittenChange): DayChange | undefined {
  if (change.kind === 'set') {
    const bullet = readBullet(change.bullet)
    return bullet === undefined ? undefined : { ...change, bullet }
  }
  const bullets = change.bullets.map(readBullet).filter((bullet) => bullet !== undefined)
  return bullets.length === change.bullets.length ? { kind: 'add', bullets } : undefined
}

/** Only lines that are written again as they stand: anything else would reach the day file in another form. */
function readBullet([sentence = '', metadata, ...labels]: readonly string[]): Bullet | undefined {
  const parsed = parseBullet(sentence, metadata, labels)
  if (parsed.kind !== 'bullet') return undefined
  const again = formatBullet(parsed.bullet)
  return canonicalJson(again) === canonicalJson([sentence, metadata, ...labels]) ? parsed.bullet : undefined
}
