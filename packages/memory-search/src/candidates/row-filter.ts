/**
 * Which records may be candidates at all, whatever a query asks for (SEA-7): of every part that is there a record must
 * hold. Plain data, so that each source carries it out in its own way, as a condition of SQL or as a mask.
 */
export interface RowFilter {
  /** With a label of this kind. */
  readonly kind?: 'preference' | 'lesson'
  /** About at least one of these entities, by the graph; none of an empty list. */
  readonly aboutEntities?: readonly string[]
  /** Recorded by then: RFC 3339, UTC, milliseconds. */
  readonly recordedBy?: string
  /** Of none of these conversations; a record whose conversation is unknown stays. */
  readonly outsideConversations?: readonly string[]
}
