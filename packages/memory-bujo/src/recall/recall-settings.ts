import type { MemoryConfig } from '../config.js'

/** What of a configuration recall depends on; all of it off outside bujo (CFG-1). */
export interface RecallSettings {
  /** REC-20. */
  readonly intentExpiry: boolean
  /** REC-21. */
  readonly recency: boolean
  /** REC-19. */
  readonly profile: boolean
}

export function recallSettingsOf({ recall, profile }: Pick<MemoryConfig, 'recall' | 'profile'>): RecallSettings {
  return {
    intentExpiry: recall?.intentExpiry ?? false,
    recency: recall?.recency ?? false,
    profile: profile?.enabled ?? false,
  }
}
