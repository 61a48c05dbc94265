import { logicalConversation, type AutomaticRequest, type ContextBlock } from '@mono-agent/memory-store'
import type { IndexedEntity, RankedMemory } from '@mono-agent/memory-search'
import { OWNER_ENTITY } from '../capture/contract/bounds.js'
import { background } from './background.js'
import { eachMemoryOnce } from './each-memory-once.js'
import { factNames } from './fact-names.js'
import { factsOfEntities } from './facts-of-entities.js'
import type { LookedUp } from './lookup.js'
import { personCard } from './person-card.js'
import { possiblyRelevant } from './possibly-relevant.js'
import { profileOfStore } from './profile-of-store.js'

/** Entities named in one message that are looked at, persons of them whose facts are, and cards that are shown. */
const MAX_NAMED = 128
const MAX_PERSONS = 16
const MAX_CARDS = 3

type Asked = AutomaticRequest & Required<Pick<AutomaticRequest, 'scopes' | 'message'>>

/**
 * The blocks of automatic context that were asked for and have something to say (REC-14..19), in the order in which they
 * are shown. Of a look by words alone only the profile, which needs none (REC-15, REC-19).
 */
export function automaticBlocks(found: LookedUp, request: Asked): ContextBlock[] {
  const wants = (kind: ContextBlock['kind']): boolean => request.blocks.includes(kind)
  const { direct, calibration, vantage } = found
  const isHybrid = direct.mode === 'hybrid'
  const { median } = direct
  // What was said in the very conversation stands in it already (REC-16).
  const ranked = apart(direct.others ?? direct.ranked, request.conversationId)
  const blocks: (ContextBlock | undefined)[] = [
    wants('profile') ? profile(found) : undefined,
    ...(wants('person') && isHybrid ? cards(found, request.message) : []),
    wants('background') && isHybrid
      ? background({ ranked, median, calibration, vantage, scopes: request.scopes })
      : undefined,
    wants('relevant') && isHybrid ? possiblyRelevant(ranked, calibration, vantage) : undefined,
  ]
  return eachMemoryOnce(blocks.filter((block) => block !== undefined))
}

function profile({ index, tier, settings, vantage }: LookedUp): ContextBlock | undefined {
  return settings.profile && tier === 'bujo' ? profileOfStore(index, vantage).block : undefined
}

function cards(found: LookedUp, message: string): ContextBlock[] {
  const { index, tier, vantage } = found
  if (tier !== 'bujo') return []
  const persons = index.entitiesNamed(message, MAX_NAMED).filter((entity) => isCalled(entity, message))
  const shown: ContextBlock[] = []
  // Somebody of whom nothing is known takes nobody's place.
  for (const person of persons.slice(0, MAX_PERSONS)) {
    const facts = factsOfEntities(found, [person.id], { withHistory: false })
    const card = personCard(person, facts, vantage, factNames(index, facts))
    if (card !== undefined) shown.push(card)
    if (shown.length === MAX_CARDS) break
  }
  return shown
}

/** The owner's entity has a stand-in for a name, which is a common word: only its id calls it (REC-17). */
const isCalled = ({ id, type }: IndexedEntity, message: string): boolean =>
  type === 'person' && (id !== OWNER_ENTITY || message.includes(OWNER_ENTITY))

/** Without what is known to come from a conversation, all its days (REC-16). */
function apart(ranked: readonly RankedMemory[], conversationId: string | undefined): readonly RankedMemory[] {
  if (conversationId === undefined) return ranked
  const own = logicalConversation(conversationId)
  return ranked.filter(({ memory }) => {
    const { conversationId: source } = memory
    return source === undefined || logicalConversation(source) !== own
  })
}
