import type { Remembered } from '@mono-agent/memory-store'
import { findKnown } from './find-known.js'
import { newLine, todayOf } from './new-line.js'
import { stored, type Note, type Reach, type RememberParts } from './parts.js'
import type { RememberDetail } from './request.js'

/** Writes a note that is a line and nothing else: its day file says all of it. @param detail  `replaceable` at most */
export function rememberLine(
  parts: RememberParts,
  note: Note,
  detail: RememberDetail | undefined,
  reach: Reach,
): Promise<Remembered> {
  const { writer, lease, now, plannedWrites } = parts
  return writer.exclusive(async () => {
    await plannedWrites?.finishIfSaid(note.hash)
    const instant = now()
    const known = await findKnown(parts, note.hash, [todayOf(instant).file])
    if (known !== undefined) return { status: 'duplicate', id: known.id, text: known.text }
    const { file, bullet } = newLine(parts, note, detail, instant)
    lease.assertHeld() // of a lease that was lost before, nothing is in flight
    reach('publishing')
    await writer.write([{ file, changes: [{ kind: 'add', bullets: [bullet] }] }], () => reach('published'))
    return stored(bullet.id, note)
  })
}
