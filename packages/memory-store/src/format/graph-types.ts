import type { Attribution } from '../types.js'

/** One line of the entity graph log (FMT-7). Ids of entities are `type:slug`; instants RFC 3339, UTC, milliseconds. */
export type GraphLine = GraphEntity | GraphRelation | GraphAssociation

export interface GraphEntity {
  readonly kind: 'entity'
  readonly id: string
  readonly name: string
  readonly type: string
  readonly summary?: string
  readonly createdAt: string
}

/** Directed; `relation` is lower-case. `support` names the memories that say so. */
export interface GraphRelation {
  readonly kind: 'relation'
  readonly src: string
  readonly dst: string
  readonly relation: string
  readonly createdAt: string
  readonly support: readonly string[]
  /** A day or an instant. */
  readonly validFrom?: string
  readonly validTo?: string
}

/** A memory is about an entity. */
export interface GraphAssociation {
  readonly kind: 'association'
  readonly memoryId: string
  readonly entityId: string
  /** Who said so. */
  readonly provenance: Attribution
  readonly createdAt: string
}
