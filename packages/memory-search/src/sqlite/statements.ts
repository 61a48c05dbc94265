import type { Statement } from 'better-sqlite3'
import type { Connection } from './connection.js'

const statements = new WeakMap<Connection, Map<string, Statement>>()

/** The statement of this text, prepared once a connection: preparing costs more than most of them take to run. */
export function prepared<Bind extends unknown[], Result>(db: Connection, sql: string): Statement<Bind, Result> {
  let known = statements.get(db)
  if (known === undefined) statements.set(db, (known = new Map<string, Statement>()))
  let statement = known.get(sql)
  if (statement === undefined) known.set(sql, (statement = db.prepare(sql)))
  return statement as unknown as Statement<Bind, Result>
}
