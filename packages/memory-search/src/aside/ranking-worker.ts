// The thread that ranks: a connection of its own, which only reads. One request at a time; see ranking-thread.ts.
import { parentPort, workerData } from 'node:worker_threads'
import type { Calibration } from '../calibration/calibration.js'
import { SearchError, searchError } from '../errors.js'
import { IndexQueries } from '../index-queries.js'
import { connectReader, loadVectorFunctions } from '../sqlite/connection.js'
import { onIndex } from '../sqlite/sqlite-error.js'
import { failureOf, type RankAnswer, type RankMessage, type ThreadData } from './messages.js'

const { path, tier, hasVectors } = workerData as ThreadData
let calibration: Calibration | undefined
let queries: IndexQueries | undefined

function open(): IndexQueries {
  const db = connectReader(path)
  try {
    if (hasVectors) loadVectorFunctions(db)
    return new IndexQueries(db, tier, () => calibration)
  } catch (error) {
    db.close()
    throw error
  }
}

/** Of a directory that is gone better-sqlite3 says that it is a wrong type. */
function opened(): IndexQueries {
  try {
    return onIndex(open)
  } catch (error) {
    throw error instanceof SearchError ? error : searchError('index_failed', undefined, error)
  }
}

function answer(message: RankMessage): RankAnswer {
  try {
    calibration = message.calibration
    queries ??= opened()
    const ready = queries
    return { ranking: onIndex(() => ready.rank(message.request)) }
  } catch (error) {
    return { failure: failureOf(error) }
  }
}

parentPort?.on('message', (message: RankMessage) => parentPort?.postMessage(answer(message)))
