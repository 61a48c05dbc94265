import { auditIdIn, auditLineId, formatAuditLine, type AuditLine } from './audit-line.js'
import { joinBytes, splitFileLines } from './file-lines.js'

const LINE_FEED = 0x0a

/** The ids of the audit lines in a file, in order (FMT-9). */
export function auditIds(bytes: Uint8Array): string[] {
  return splitFileLines(bytes).flatMap((line) => {
    const text = typeof line === 'string' ? line : Buffer.from(line).toString('latin1') // ids are ASCII
    return auditIdIn(text.endsWith('\r') ? text.slice(0, -1) : text) ?? []
  })
}

export interface ExtendedAuditFile {
  readonly bytes: Uint8Array
  /** Lines that were not there. */
  readonly added: number
}

/**
 * An audit file with these lines at its end; those whose id it has are left out. What stands in it stays, byte for byte;
 * a last line without a line feed gets one.
 * @param bytes  the file as it is; undefined where there is none
 * @param lines  of one day
 */
export function extendAuditFile(
  bytes: Uint8Array | undefined,
  day: string,
  lines: readonly AuditLine[],
): ExtendedAuditFile {
  const found = bytes === undefined || bytes.length === 0 ? Buffer.from(`# ${day}\n\n`) : bytes
  const known = new Set(auditIds(found))
  const added: string[] = []
  for (const line of lines) {
    const id = auditLineId(line.turnId)
    if (known.has(id)) continue
    known.add(id)
    added.push(`${formatAuditLine(line)}\n`)
  }
  const lineEnd = added.length === 0 || found[found.length - 1] === LINE_FEED ? '' : '\n'
  return { bytes: joinBytes([found, lineEnd, ...added]), added: added.length }
}
