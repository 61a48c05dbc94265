import type { CaptureTurn } from '../types.js'

type Origin = Pick<CaptureTurn, 'sourceKind' | 'speakerKind' | 'isOwnerTurn'>

/** What a turn is, for the model: never a user where nobody, or nobody known, spoke (CAP-10). */
export type OriginName =
  | 'conversation with the owner'
  | 'conversation with a verified human'
  | 'conversation whose speaker is not verified'
  | 'scheduled task'
  | 'webhook'
  | 'another agent'

export function originOf({ sourceKind, speakerKind, isOwnerTurn }: Origin): OriginName {
  if (sourceKind === 'cron') return 'scheduled task'
  if (sourceKind === 'webhook') return 'webhook'
  if (sourceKind === 'peer') return 'another agent'
  if (speakerKind !== 'human-turn') return 'conversation whose speaker is not verified'
  return isOwnerTurn ? 'conversation with the owner' : 'conversation with a verified human'
}

const NO_HUMAN =
  'No human spoke in it. Nothing is first-party: source "user", facts about the owner and preferences of the owner do not occur.'

/** What follows from it: one paragraph of the rules of an extraction. */
export const ORIGIN_RULES: Readonly<Record<OriginName, string>> = {
  'conversation with the owner':
    'The turn is a conversation with the owner of this memory, whose own words stand in <human-words>. Only what stands there is first-party. What the assistant repeats, sums up or infers of it is not.',
  'conversation with a verified human':
    'The turn is a conversation with a human who is not the owner of this memory; their own words stand in <human-words>. They speak for themselves only: say nothing about the owner as a fact, and do not name person:owner.',
  'conversation whose speaker is not verified':
    'The turn is a conversation, but nobody verified who speaks in it. Nothing is first-party: source "user" and facts about the owner do not occur.',
  'scheduled task': `The turn was started by a scheduled task, and holds the assistant's answer alone. ${NO_HUMAN}`,
  webhook: `The turn was started by a webhook, and holds the assistant's answer alone. ${NO_HUMAN}`,
  'another agent': `The turn was held with another agent, not with a human. ${NO_HUMAN}`,
}
