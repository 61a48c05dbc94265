import { isEntityId, type FactKey, type FactValue } from '@mono-agent/memory-store'
import type { EntityNames, StatedFact } from './types.js'

/** What the keys of FMT-6 are called; an `other:` key is called what it says. */
const KEY_WORDS: Readonly<Record<Exclude<FactKey, `other:${string}`>, string>> = {
  birth_date: 'birth date',
  full_name: 'full name',
  preferred_name: 'preferred name',
  relationship: 'relationship',
  home_location: 'home town',
  work_location: 'work place',
}

/**
 * A fact in words, `home town: Lund`, never JSON (REC-6). It is stored text, not yet fit to be shown: who shows it sends
 * the whole line through `shownText`.
 */
export function factWords({ key, value }: Pick<StatedFact, 'key' | 'value'>, names: EntityNames): string {
  return `${keyWords(key)}: ${valueWords(value, names)}`
}

/** A key as words, without `other:`. */
export function keyWords(key: FactKey): string {
  return key.startsWith('other:')
    ? key.slice('other:'.length).replaceAll('-', ' ')
    : KEY_WORDS[key as keyof typeof KEY_WORDS]
}

/** A value as text; a relationship as `sister (Ana)`, which does not claim who is whose. */
export function valueWords(value: FactValue, names: EntityNames): string {
  switch (value.type) {
    case 'date':
      return value.date
    case 'text':
      return value.text
    case 'entity':
      return nameOf(value.entityId, names)
    case 'relationship':
      return `${value.role} (${nameOf(value.target, names)})`
  }
}

/** The name of an entity, else the words of its slug; what is no id, as the target of a relationship may be, stays as it is. */
export function nameOf(idOrName: string, names: EntityNames): string {
  return names.get(idOrName) ?? (isEntityId(idOrName) ? slugWords(idOrName) : idOrName)
}

const slugWords = (id: string): string => id.slice(id.indexOf(':') + 1).replaceAll(/[-_]+/g, ' ')
