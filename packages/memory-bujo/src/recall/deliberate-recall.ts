import type { LabelScope, RecallOutcome, RecallSection } from '@mono-agent/memory-store'
import { UNCALIBRATED, type RankedMemory } from '@mono-agent/memory-search'
import { evidenceNote } from './evidence-note.js'
import { factSheet } from './fact-sheet.js'
import { factsOfEntities } from './facts-of-entities.js'
import { guidance } from './guidance.js'
import type { LookedUp } from './lookup.js'
import { factNames } from './fact-names.js'
import { statedFacts } from './facts.js'
import { orderByRecency } from './recency.js'
import { entitiesAbout } from './recall-request.js'
import { reachedByRelations } from './reached-by-relations.js'
import { supersessionChain } from './supersession-chain.js'
import { cutTail } from './tail-cut.js'
import { toHit } from './to-hit.js'

export interface DeliberateRequest {
  /** 1..50. */
  readonly limit: number
  readonly scopes: readonly LabelScope[]
  readonly explain?: boolean
  /** Beside those of the look: then only what it found counts. */
  readonly kind?: 'preference' | 'lesson'
  readonly about?: string
  /** Without the tail cut (REC-12). */
  readonly uncut?: boolean
}

/** Entities of a query whose facts are looked up. */
const MAX_NAMED = 4

/** The answer of deliberate recall from what a look found (REC-1..10). Blocks the event loop for a few indexed reads. */
export function deliberateRecall(found: LookedUp, request: DeliberateRequest): RecallOutcome {
  const { index, tier, direct, vantage, calibration, settings } = found
  const { limit, explain = false, uncut = false } = request
  const kind = request.kind ?? found.kind
  const aboutEntities =
    request.about === undefined ? found.aboutEntities : entitiesAbout(index, request.about, found.asOf)
  const candidates = narrowed(found, request)
  const isHybrid = direct.mode === 'hybrid'

  const kept = (isHybrid && !uncut ? cutTail(candidates, calibration) : candidates).slice(0, limit)
  const ordered = isHybrid && settings.recency ? orderByRecency(kept, calibration, vantage) : kept
  // A relation leads away from what was asked for where that was one kind, one entity or one conversation.
  const isNarrow = kind !== undefined || aboutEntities !== undefined || found.conversationId !== undefined
  const reaches = isHybrid && tier === 'bujo' && !isNarrow
  const reached = reaches ? reachedByRelations(found, ordered, limit - ordered.length) : []
  const all = [...ordered, ...reached]
  const shown = reached.length > 0 && !uncut ? cutTail(all, calibration) : all

  const asked =
    aboutEntities ?? (tier === 'bujo' ? index.entitiesNamed(found.query, MAX_NAMED).map(({ id }) => id) : [])
  const facts = factsOfEntities(found, asked, { withHistory: true })
  const names = factNames(index, [
    ...facts,
    ...statedFacts(
      candidates.map(({ memory }) => memory),
      vantage,
    ),
  ])
  const note =
    isHybrid && calibration !== UNCALIBRATED
      ? evidenceNote({ candidates, facts, names, vantage, calibration })
      : undefined
  const sections: (RecallSection | undefined)[] = [
    factSheet(facts, names),
    isHybrid
      ? guidance({
          ranked: candidates,
          median: direct.median,
          calibration,
          vantage,
          scopes: request.scopes,
          kind,
          isAboutEntity: aboutEntities !== undefined,
        })
      : undefined,
  ]
  return {
    hits: shown.map((hit) =>
      toHit(hit, vantage, tier, explain ? { explain, chain: supersessionChain(index, hit.memory) } : {}),
    ),
    mode: direct.mode,
    ...(direct.degraded === undefined ? {} : { degraded: direct.degraded }),
    ...note,
    ...(note === undefined && aboutEntities?.length === 0 ? { note: UNKNOWN_ENTITY } : {}),
    sections: sections.filter((section) => section !== undefined),
  }
}

const UNKNOWN_ENTITY =
  'Nothing of this id or whole name is known: leave `about` out, or use the name as it was recorded.'

/** Of what a look found, what a narrower question asks for (REC-12: no second look). */
function narrowed(
  { index, direct, asOf, ...found }: LookedUp,
  { kind, about }: DeliberateRequest,
): readonly RankedMemory[] {
  const byKind =
    kind === undefined || kind === found.kind
      ? direct.ranked
      : direct.ranked.filter(({ memory }) => memory.labels?.some((label) => label.kind === kind))
  if (about === undefined) return byKind
  const wanted = new Set(entitiesAbout(index, about, asOf))
  const entitiesOf = index.entitiesOf(byKind.map(({ memory }) => memory.id))
  return byKind.filter(({ memory }) => entitiesOf.get(memory.id)?.some((id) => wanted.has(id)))
}
