// The thread that ranks: a connection of its own, which only reads, and a sidecar of its own. One request at a time; see
// ranking-thread.ts.
import { parentPort, workerData } from 'node:worker_threads'
import type { Calibration } from '../calibration/calibration.js'
import { SearchError, searchError } from '../errors.js'
import { IndexQueries } from '../index-queries.js'
import { connectReader, loadVectorFunctions } from '../sqlite/connection.js'
import { onIndex } from '../sqlite/sqlite-error.js'
import {
  failureOf,
  type RankAnswer,
  type RankMessage,
  type ThreadData,
  type ThreadMessage,
  type WarmMessage,
} from './messages.js'
import { sidecarOfThread } from './sidecar-of-thread.js'

const { path, tier, hasVectors, sidecar } = workerData as ThreadData
let calibration: Calibration | undefined
let queries: IndexQueries | undefined

const say = (message: ThreadMessage): void => parentPort?.postMessage(message)

function open(): IndexQueries {
  const db = connectReader(path)
  try {
    if (hasVectors) loadVectorFunctions(db)
    const onFault = (error: unknown): void => say({ fault: failureOf(error) })
    return new IndexQueries(db, tier, () => calibration, {
      sidecar: sidecar === undefined ? undefined : sidecarOfThread(db, sidecar, onFault),
    })
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

/** What cannot be opened, the next ranking says. */
async function warm(): Promise<void> {
  try {
    queries ??= opened()
    await queries.warm()
  } catch (error) {
    if (!(error instanceof SearchError)) throw error
  }
  say({ isWarm: true })
}

parentPort?.on('message', (message: RankMessage | WarmMessage) => {
  if ('warm' in message) void warm()
  else say(answer(message))
})
