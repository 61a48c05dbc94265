import { parentPort, workerData } from 'node:worker_threads'
import { acquireWriterLease, nodeFileSystem } from '@mono-agent/memory-store'

/** Takes the lease of `workerData`, tells what came of it, and keeps it until it is terminated. */
const keep = setInterval(() => undefined, 60_000)
try {
  const lease = await acquireWriterLease(nodeFileSystem, workerData as string)
  parentPort?.postMessage(`held ${lease.epoch}`)
} catch (error) {
  clearInterval(keep)
  parentPort?.postMessage((error as { code: string }).code)
}
