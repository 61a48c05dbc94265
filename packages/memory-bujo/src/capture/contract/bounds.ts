/** UTF-16 units of a completion; a longer one is refused before anything reads it (CAP-6). */
export const MAX_COMPLETION_UNITS = 262_144
/** Objects and arrays within each other. The deepest answer has six; a bound keeps hostile nesting from costing anything. */
export const MAX_JSON_DEPTH = 16

/** Memories of one turn (CAP-7). */
export const MAX_MEMORIES = 8
/** Entities that one memory names. */
export const MAX_MEMORY_ENTITIES = 8
/** Labels that one memory is proposed with: of the eight it may carry (FMT-6) the host needs room for its own. */
export const MAX_MEMORY_LABELS = 6
/** Entities of one answer. */
export const MAX_ENTITIES = 16
/** Relations of one answer. */
export const MAX_RELATIONS = 16

/** UTF-8 bytes of a quote. */
export const MAX_QUOTE_BYTES = 1_024
/** Code points of an entity's name. */
export const MAX_NAME_CODE_POINTS = 160
/** UTF-8 bytes of an entity's summary. */
export const MAX_SUMMARY_BYTES = 512
/** Code points of the name of a relation, a project, a tool or an `other:` key: names, not sentences. */
export const MAX_NAME_LENGTH = 64

/** The owner of the store. The host declares this entity: an answer may name it, and what it says of it is set aside. */
export const OWNER_ENTITY = 'person:owner'
