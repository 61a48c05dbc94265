import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach } from 'vitest'
import {
  acquireWriterLease,
  createCanonicalQueue,
  emptyDayDocument,
  formatDayFile,
  formatGraphLine,
  formatLineLog,
  formatReplayEntry,
  layout,
  nodeFileSystem,
  openDayFiles,
  parseDayFile,
  removeOldTemporaries,
  type Bullet,
  type FileSystem,
  type GraphLine,
  type Remembered,
  type RememberRequest,
  type ReplayEntry,
} from '@mono-agent/memory-store'
import type { Settlement } from '@mono-agent/memory-intake'
import { buildIndex, openWritableIndex, type SearchIndex } from '@mono-agent/memory-search'
import { BUJO } from '../../../../../memory-search/test/support/authority.js'
import { dump } from '../../../../../memory-search/test/support/dump.js'
import { hashProvider, STRONG } from '../../../../../memory-search/test/support/vectors.js'
import { manualClock } from '../../../../../../test/support/manual-clock.js'
import { makeTemporaryRoot } from '../../../../../../test/support/temporary-root.js'
import { CanonicalWriter } from '../../../../src/canonical-writer.js'
import { authorityCoverOf } from '../../../../src/capture/commit/authority-cover.js'
import { commitCapture } from '../../../../src/capture/commit/commit-capture.js'
import type { CommitParts } from '../../../../src/capture/commit/commit-plan.js'
import type { CarriedOut } from '../../../../src/capture/commit/carry-out.js'
import { openAuthority } from '../../../../src/capture/commit/open-authority.js'
import { Outbox } from '../../../../src/capture/commit/outbox.js'
import { PlannedWrites } from '../../../../src/capture/commit/planned-writes.js'
import { recoverOutbox, type RecoveredOutbox } from '../../../../src/capture/commit/recover-outbox.js'
import type { TurnState } from '../../../../src/capture/commit/turn-state.js'
import { createEvents } from '../../../../src/events.js'
import { remember } from '../../../../src/remember/remember.js'
import { TURN_ID } from './captures.js'

const closing: (() => void)[] = []
// What a failed test left open.
afterEach(() => closing.splice(0).forEach((close) => close()))

const NOW = Date.parse('2026-05-02T10:00:00.000Z')

/** What stands in a root when a test begins. */
export interface Seed {
  readonly days?: Readonly<Record<string, readonly Bullet[]>>
  readonly graph?: readonly GraphLine[]
  readonly delta?: readonly ReplayEntry[]
}

/** A root on disk with an index of bujo over it, and the turns that intake would know of. */
export interface CommitRoot {
  readonly root: string
  readonly at: (file: string) => string
  readonly text: (file: string) => string
  /** Writes a file as a person would, in place. */
  readonly edit: (file: string, change: (text: string) => string) => void
  /** Turns: those not settled, and receipts. */
  readonly turns: Map<string, Settlement | undefined>
  /** A process that opens it. @param step  called where the process could end that is no call of the file system */
  open(fs?: FileSystem, step?: (name: string) => void): Promise<OpenedRoot>
  /** All that the index holds, and what one that is built anew holds: equal if it is what the files say. */
  indexes(): Promise<{ readonly kept: unknown; readonly rebuilt: unknown }>
  /** All canonical bytes, what waits in the outbox, and all that the index holds. */
  state(): unknown
}

type CaptureAsked = Parameters<typeof commitCapture> extends [unknown, ...infer Rest] ? Rest : never

export interface OpenedRoot {
  readonly parts: CommitParts
  readonly index: SearchIndex
  readonly events: readonly string[]
  /** `commitCapture`, in a section of its own. */
  capture(...asked: CaptureAsked): Promise<CarriedOut>
  /** Remembers a note as a store of bujo does; the first one of a process has the id `m-N1`. */
  remember(request: RememberRequest): Promise<Remembered>
  readonly writes: PlannedWrites
  /** Finishes what an earlier process left. */
  recover(): Promise<RecoveredOutbox>
  /** `recover` of a process that goes on after a failure: the index is not looked at. */
  goOn(): Promise<RecoveredOutbox>
  close(): void
}

export async function makeCommitRoot(seed: Seed): Promise<CommitRoot> {
  const root = makeTemporaryRoot()
  const at = (file: string): string => join(root, file)
  const put = (file: string, bytes: Uint8Array | string): void => writeFileSync(at(file), bytes, { mode: 0o600 })
  mkdirSync(at(layout.daily), { mode: 0o700 })
  mkdirSync(at(layout.outbox), { mode: 0o700 })
  for (const [file, bullets] of Object.entries(seed.days ?? {})) put(file, dayBytes(file, bullets))
  if (seed.graph !== undefined) put(layout.graph, formatLineLog(seed.graph.map(formatGraphLine)))
  if (seed.delta !== undefined) put(layout.replayDelta, formatLineLog(seed.delta.map(formatReplayEntry)))
  const build = async (): Promise<void> => {
    const lease = await acquireWriterLease(nodeFileSystem, root)
    const vectors = { embed: hashProvider(), calibrate: () => Promise.resolve(STRONG) }
    await buildIndex({ root, fs: nodeFileSystem, lease, identity: BUJO, now: () => NOW, vectors })
    lease.release()
  }
  await build()
  const turns = new Map<string, Settlement | undefined>([[TURN_ID, undefined]])
  const text = (file: string): string => readFileSync(at(file), 'utf8')
  return {
    root,
    at,
    text,
    turns,
    edit: (file, change) => writeFileSync(at(file), change(text(file))),
    open: (fs, step) => open(root, turns, fs, step),
    async indexes() {
      const kept = dump(root)
      await build()
      return { kept, rebuilt: dump(root) }
    },
    state() {
      const files = [...readdirSync(at(layout.daily)).map((name) => `daily/${name}`), layout.graph, layout.replayDelta]
      const present = files.filter((file) => existsSync(at(file)) && !file.includes('.tmp-'))
      const canonical = Object.fromEntries(present.map((file) => [file, text(file)]))
      return { canonical, outbox: readdirSync(at(layout.outbox)), turns: [...turns], index: dump(root) }
    },
  }
}

function dayBytes(file: string, bullets: readonly Bullet[]): Uint8Array {
  const empty = parseDayFile(formatDayFile(emptyDayDocument(file.slice(-13, -3))))
  const blocks = bullets.map((bullet) => ({ kind: 'bullet' as const, bullet, line: 0, lineEnd: '\n' as const }))
  return formatDayFile({ ...empty, blocks: [...empty.blocks, ...blocks] })
}

async function open(
  root: string,
  turns: Map<string, Settlement | undefined>,
  fs: FileSystem = nodeFileSystem,
  step: (name: string) => void = () => undefined,
): Promise<OpenedRoot> {
  const lease = await acquireWriterLease(nodeFileSystem, root)
  removeOldTemporaries(
    nodeFileSystem,
    lease,
    ['', layout.daily, layout.outbox].map((directory) => join(root, directory)),
  )
  const outboxParts = { root, fs, lease }
  const turnState = (id: string): Promise<TurnState> => {
    if (!turns.has(id)) return Promise.resolve('unknown')
    return Promise.resolve(turns.get(id) === undefined ? 'unfinished' : 'settled')
  }
  const authorityCover = await authorityCoverOf({ ...outboxParts, fs: nodeFileSystem }, turnState)
  const index = await openWritableIndex({
    root,
    fs: nodeFileSystem,
    lease,
    identity: BUJO,
    now: () => NOW,
    authorityCover,
  })
  const { sleep, monotonicNow } = manualClock()
  const told: string[] = []
  const events = createEvents({ onEvent: ({ kind }) => void told.push(kind) })
  const dayFiles = openDayFiles({
    root,
    fs,
    lease,
    sleep,
    monotonicNow,
    indexedIds: (file) => index.listFile(file).map(({ id }) => id),
  })
  const record = index.record.bind(index)
  index.record = (...args) => {
    step('record')
    record(...args)
    step('recorded')
  }
  const writer = new CanonicalWriter({
    dayFiles,
    index,
    queue: createCanonicalQueue(),
    events,
    onIndexed: () => undefined,
  })
  const intake = {
    markProjected: () => undefined,
    settle(settlements: readonly Settlement[]) {
      step('settle')
      for (const settlement of settlements) turns.set(settlement.id, settlement)
      step('settled')
      return Promise.resolve()
    },
  }
  const authority = openAuthority({ ...outboxParts, monotonicNow, sleep })
  const parts: CommitParts = { writer, outbox: new Outbox(outboxParts), intake, ...authority }
  const goOn = () => writer.exclusive(() => recoverOutbox({ ...parts, turnState }))
  const writes = new PlannedWrites({ ...parts, turnState }, () => undefined)
  let noted = 0
  let isOpen = true
  const close = (): void => {
    if (!isOpen) return
    isOpen = false
    index.close()
    lease.release()
  }
  closing.push(close)
  return {
    parts,
    index,
    events: told,
    writes,
    remember: (request) =>
      remember(
        {
          ...{ tier: 'bujo', writer, index, lease, plannedWrites: writes },
          ...{ now: () => NOW, newId: () => `N${(noted += 1)}` },
          vantage: { timeZone: 'UTC', intentExpiry: false },
        },
        request,
      ),
    capture: (...asked) => writer.exclusive(() => commitCapture(parts, ...asked)),
    async recover() {
      await index.catchUp()
      return goOn()
    },
    goOn,
    close,
  }
}
