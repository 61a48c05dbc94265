import type { Connection } from './connection.js'
import { prepared } from './statements.js'

/*
 * Who keeps in memory what an index says of its records follows it by number: every row whose words, vector, recording, labels
 * or predecessor changed since the index was built stands once in `changed_rows`, under the number of its latest change. 0 is
 * the build itself. The log is never trimmed, so it holds at most one entry a row that ever was.
 *
 * A number alone does not say which change it is: a loss of power may take back the last transactions, and a database may be
 * put back from a backup; what is written then gets the same numbers. So every writer begins an epoch: a nonce, its mark, and
 * the first number it may give.
 */

/** Changes whose mark can still be told; more than a sealed copy may be behind and be worth following from (SEA-19). */
export const MARKED_CHANGES = 16_384

export interface RowChange {
  readonly row: number
  /** From 1. */
  readonly change: number
}

const LAST_CHANGE = '(select coalesce(max(change), 0) from changed_rows)'

/** Notes that a row changed: within the transaction that changes it, once for each row is enough. */
export function noteChange(db: Connection): (row: number) => void {
  const note = prepared<[number], unknown>(
    db,
    `insert or replace into changed_rows (change, row) values (${LAST_CHANGE} + 1, ?)`,
  )
  return (row) => void note.run(row)
}

/** The number of the latest change; 0 where nothing changed since the index was built. */
export const lastChange = (db: Connection): number =>
  prepared<[], number>(db, `select ${LAST_CHANGE}`).pluck().get() ?? 0

/** Rows that changed after a change, each once, in the order of their latest change; rows that are gone are among them. */
export const changedRows = (db: Connection, after: number, limit: number): RowChange[] =>
  prepared<[number, number], RowChange>(
    db,
    'select row, change from changed_rows where change > ? order by change limit ?',
  ).all(after, limit)

/**
 * The mark of the epoch in which a change was made; 0 asks for that of the build. The same number with the same mark is the
 * same change, after the same ones.
 * @returns undefined where there is no such change, or it is more than `MARKED_CHANGES` and an epoch behind
 */
export const markOf = (db: Connection, change: number): string | undefined =>
  prepared<[number, number], string>(
    db,
    `select nonce from epochs where first_change <= ? and ? <= ${LAST_CHANGE} order by first_change desc limit 1`,
  )
    .pluck()
    .get(change, change)

/**
 * Begins an epoch: whoever may write does so first. An epoch without a change of its own is replaced and not taken over, for
 * its changes may have been taken back, and others may know them. Epochs too far behind to follow from are forgotten.
 */
export function beginEpoch(db: Connection): void {
  const begin = prepared<[], unknown>(
    db,
    `insert or replace into epochs (first_change, nonce) values (${LAST_CHANGE} + 1, lower(hex(randomblob(16))))`,
  )
  const forget = prepared<[], unknown>(
    db,
    `delete from epochs where first_change <
       (select max(first_change) from epochs where first_change <= ${LAST_CHANGE} - ${MARKED_CHANGES})`,
  )
  db.transaction(() => {
    begin.run()
    forget.run()
  }).immediate()
}
