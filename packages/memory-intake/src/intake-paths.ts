import { layout, type IntakeState } from '@mono-agent/memory-store'
import { join } from 'node:path'
import { shardName } from './format/ledger-entry.js'

export const PLACES = ['pending', 'dead', 'resolved'] as const satisfies readonly IntakeState[]

/** Where intake keeps its files; all absolute. */
export interface IntakePaths {
  readonly root: string
  readonly marker: string
  readonly intake: string
  readonly catalog: string
  readonly log: string
  readonly ledger: string
  readonly outbox: string
  segment(number: number): string
  shard(shard: number): string
  directory(place: IntakeState): string
  item(place: IntakeState, id: string): string
  /** Where a retained semantic plan of this turn would be. */
  plan(id: string): string
}

export function intakePaths(root: string): IntakePaths {
  return {
    root,
    marker: join(root, layout.schemaMarker),
    intake: join(root, layout.intake),
    catalog: join(root, layout.catalog),
    log: join(root, layout.log),
    ledger: join(root, layout.ledger),
    outbox: join(root, layout.outbox),
    segment: (number) => join(root, layout.logSegment(number)),
    shard: (shard) => join(root, layout.ledgerShard(shardName(shard))),
    directory: (place) => join(root, layout.intakeState(place)),
    item: (place, id) => join(root, layout.intakeItem(place, id)),
    plan: (id) => join(root, layout.plan(id)),
  }
}

/** The directories that intake makes, parents first. */
export function intakeDirectories(paths: IntakePaths): string[] {
  return [paths.intake, paths.log, paths.ledger, ...PLACES.map((place) => paths.directory(place))]
}
