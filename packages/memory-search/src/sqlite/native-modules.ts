import { searchError } from '../errors.js'
import { connectMemory, loadVectorFunctions, type Connection } from './connection.js'

/**
 * Loads the native modules that a tier needs, and lets them do a small piece of work in memory.
 * @param needsVectors  false for lite
 * @throws {SearchError} native_module_unavailable: better-sqlite3; vectors_unavailable: sqlite-vec
 */
export function requireNativeModules(needsVectors: boolean): void {
  let db: Connection
  try {
    db = connectMemory()
  } catch (error) {
    throw searchError('native_module_unavailable', undefined, error)
  }
  try {
    if (!needsVectors) return
    loadVectorFunctions(db)
    db.prepare('select vec_version()').get()
  } finally {
    db.close()
  }
}
