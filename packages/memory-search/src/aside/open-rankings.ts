import { layout, type WriterLease } from '@mono-agent/memory-store'
import { join } from 'node:path'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { openSidecar, SIDECAR_FROM, type Sidecar } from '../sidecar/index.js'
import type { Connection } from '../sqlite/connection.js'
import { indexedRecords } from '../sqlite/lexical-candidates.js'
import { sqliteCode } from '../sqlite/sqlite-error.js'
import type { OpenIndexOptions } from '../types.js'
import { AsideRanking, SIDECAR_ASIDE_FROM } from './rank-aside.js'

/** Records that may be read again before a question is answered on the event loop: some ten milliseconds. */
export const FOLLOW_AT_ONCE = 200

/** What the rankings of one open database need beside it. */
export interface Rankings {
  readonly sidecar: Sidecar
  readonly aside: AsideRanking
  /** Gets ready before the first question. @param records  in the database */
  readonly warm: (records: number) => Promise<void>
}

/**
 * Where rankings of a database are made, and from what: its sidecar is on this thread while it is small, and in the thread
 * of rankings where it is large.
 * @param lease  of who writes the store; absent: nothing is written
 */
export function openRankings(
  db: Connection,
  generation: string,
  options: OpenIndexOptions,
  lease?: WriterLease,
): Rankings {
  const { root, fs, identity, asideFrom, onThreadFailed, onSidecarFault = () => undefined } = options
  const {
    startsAside = false,
    sidecarFrom = SIDECAR_FROM,
    sidecarAsideFrom = SIDECAR_ASIDE_FROM,
    yieldTurn = () => nextTurn(),
  } = options
  const path = join(root, layout.sidecar(generation))
  const fromAside = Math.max(sidecarFrom, sidecarAsideFrom)
  const aside = new AsideRanking({
    path: join(root, layout.database(generation)),
    tier: identity.tier,
    hasVectors: identity.dimension !== undefined,
    sidecar: { from: fromAside, path, epoch: lease?.epoch },
    asideFrom,
    onThreadFailed,
    onSidecarFault,
  })
  const sidecar = openSidecar(db, {
    copy: { fs, path, publisher: lease },
    from: sidecarFrom,
    below: () => (aside.hasFailed ? Infinity : sidecarAsideFrom),
    followAtOnce: () => FOLLOW_AT_ONCE,
    yieldTurn,
    onFault: onSidecarFault,
  })
  const warm = async (records: number): Promise<void> => {
    await (records >= fromAside ? aside.warm() : undefined)
    await sidecar.warm(records) // where that thread cannot be had, it is for these too
  }
  if (startsAside && recordsIn(db) >= fromAside) aside.start()
  return { sidecar, aside, warm }
}

/** 0 where a damaged database cannot tell: no opening fails of that, and the first who asks of the records says so. */
function recordsIn(db: Connection): number {
  try {
    return indexedRecords(db)
  } catch (error) {
    if (sqliteCode(error) === undefined) throw error
    return 0
  }
}
