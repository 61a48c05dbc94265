import {
  openGraphFile,
  openReplayFiles,
  type FileSystem,
  type GraphContent,
  type GraphLine,
  type LogBase,
  type ReplayAppend,
  type ReplayContent,
  type ReplayEntry,
  type WriterLease,
} from '@mono-agent/memory-store'
import type { Host } from '../../host.js'

export interface AuthorityParts extends Pick<Host, 'monotonicNow' | 'sleep'> {
  /** Resolved path of the root. */
  readonly root: string
  readonly fs: FileSystem
  readonly lease: WriterLease
}

/**
 * The graph log. Read when it is first asked for, and anew after a failure: what lies behind the base of a plan is known to
 * be torn only by the plan.
 */
export interface GraphLog {
  /** @param covered  base of the plan under way, if there is one */
  look(covered?: LogBase): Promise<GraphContent>
  append(base: LogBase, lines: readonly GraphLine[], planned: readonly GraphLine[]): Promise<GraphContent>
}

/** The replay authority, read as the graph log is. */
export interface ReplayLog {
  /** @param covered  base of the plan under way, if there is one */
  look(covered?: LogBase): Promise<ReplayContent>
  append(base: LogBase, entries: readonly ReplayEntry[], planned: readonly ReplayEntry[]): Promise<ReplayAppend>
  compactIfDue(): Promise<ReplayContent | undefined>
}

/** Nothing is read yet. */
export function openAuthority({ root, fs, lease, monotonicNow, sleep }: AuthorityParts): {
  readonly graph: GraphLog
  readonly replay: ReplayLog
} {
  const options = (covered: LogBase | undefined) => ({
    root,
    fs,
    lease,
    monotonicNow,
    sleep: (ms: number) => sleep(ms, { keepsProcessAlive: true }),
    ...(covered === undefined ? {} : { covered }),
  })
  const withGraph = reopening((covered) => openGraphFile(options(covered)))
  const withReplay = reopening((covered) => openReplayFiles(options(covered)))
  return {
    graph: {
      look: (covered) => withGraph(covered, (file) => file.look()),
      append: (base, ...lines) => withGraph(base, (file) => file.append(base, ...lines)),
    },
    replay: {
      look: (covered) => withReplay(covered, (files) => files.look()),
      append: (base, ...entries) => withReplay(base, (files) => files.append(base, ...entries)),
      compactIfDue: () => withReplay(undefined, (files) => files.compactIfDue()),
    },
  }
}

/** Keeps what was opened for as long as nothing fails. */
function reopening<File>(open: (covered: LogBase | undefined) => Promise<File>) {
  let opened: File | undefined
  return async <T>(covered: LogBase | undefined, use: (file: File) => Promise<T>): Promise<T> => {
    try {
      return await use((opened ??= await open(covered)))
    } catch (error) {
      opened = undefined
      throw error
    }
  }
}
