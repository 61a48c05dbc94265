import { isDay } from './instant.js'
import { isCanonicalPath, layout, type RootPath } from './layout.js'
import { parseTemporaryName } from './temporary-name.js'

/** Every directory of a root but the generations' own. */
export const LAYOUT_DIRECTORIES: readonly RootPath[] = [
  layout.daily,
  layout.audit,
  layout.intake,
  layout.log,
  layout.ledger,
  layout.intakeState('pending'),
  layout.intakeState('dead'),
  layout.intakeState('resolved'),
  layout.outbox,
  layout.index,
  layout.generations,
  layout.maintenance,
]

const FILES: ReadonlySet<RootPath> = new Set([
  layout.indexPage,
  layout.futureLog,
  layout.catalog,
  layout.manifest,
  layout.runtime,
  layout.schemaMarker,
  layout.writerLease,
  layout.writerEpoch,
  layout.gitignore,
])

const NUMBERED_FILES: readonly RegExp[] = [
  /^\.capture-intake\/log\/(?:0|[1-9]\d{0,15})$/,
  /^\.capture-intake\/ledger\/[0-9a-f]{2}$/,
  /^\.capture-intake\/(?:pending|dead|resolved)\/[0-9a-f]{64}\.json$/,
  /^\.capture-outbox\/[0-9a-f]{64}\.json$/,
  /^\.index\/generations\/[A-Za-z0-9][A-Za-z0-9_-]{0,63}\/memory\.db(?:-wal|-shm|-journal)?$/,
  /^\.index\/generations\/[A-Za-z0-9][A-Za-z0-9_-]{0,63}\/memory\.sidecar$/,
  /^\.index\/rebuild-vectors\.db(?:-wal|-shm|-journal)?$/,
  /^\.maintenance\/[^/]+$/,
]
const GENERATION_DIRECTORY = /^\.index\/generations\/[A-Za-z0-9][A-Za-z0-9_-]{0,63}$/

/** True for a directory of the layout. @param path relative to the root, with `/` */
export function isLayoutDirectory(path: RootPath): boolean {
  return LAYOUT_DIRECTORIES.includes(path) || GENERATION_DIRECTORY.test(path)
}

function isAuditFile(path: RootPath): boolean {
  return path.startsWith('audit/') && path.endsWith('.md') && isDay(path.slice('audit/'.length, -'.md'.length))
}

function isLayoutFile(path: RootPath): boolean {
  return (
    FILES.has(path) ||
    isCanonicalPath(path) ||
    isAuditFile(path) ||
    NUMBERED_FILES.some((pattern) => pattern.test(path))
  )
}

/**
 * True for every file and directory that this library may make in a root, temporaries of such files included; false for
 * what a person or another program put there. @param path relative to the root, with `/`
 */
export function isLayoutPath(path: RootPath): boolean {
  if (isLayoutFile(path) || isLayoutDirectory(path)) return true
  const slash = path.lastIndexOf('/') + 1
  const temporary = parseTemporaryName(path.slice(slash))
  return temporary !== undefined && isLayoutFile(path.slice(0, slash) + temporary.target)
}
