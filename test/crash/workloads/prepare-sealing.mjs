// Before recording starts: a journal store of CRASH_PREPARED settled turns whose sidecar is sealed. As CRASH_VARIANT says, its
// copy is damaged, or of a state that was taken back.
import { cpSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { hashEmbeddings } from '../embeddings.mjs'
import { openJournal, preparedTellings, tellAll } from '../open-journal.mjs'
import { storeRoot } from '../paths.mjs'
import { sealedCopyOf, watchSealing } from '../sealing.mjs'

const root = storeRoot(process.env.CRASH_ROOT)

/** What nobody knows of any more after it was taken back: fewer changes than the workload makes until it first asks. */
const TAKEN_BACK = Array.from({ length: 5 }, (_, n) => `short-${150 + n}:1`)

async function sealed(...tellings) {
  const sealing = watchSealing()
  const store = await openJournal(root, hashEmbeddings(), 0, sealing.over)
  await tellAll(store, ...tellings)
  await store.flush()
  await sealing.during(() => store.recallWithOutcome('kettle'))
  await store.close()
}

/** Two values of a section change places; head and length of the file stay. */
function damage(path) {
  const bytes = readFileSync(path)
  const length = bytes.readUInt32LE(12)
  const { sections } = JSON.parse(bytes.subarray(20, 20 + length))
  let offset = 20 + length
  for (const { name, bytes: size, element } of sections) {
    if (name === 'rows') {
      const first = Buffer.from(bytes.subarray(offset, offset + element))
      bytes.copy(bytes, offset, offset + element, offset + 2 * element)
      first.copy(bytes, offset + element)
      return writeFileSync(path, bytes)
    }
    offset += size
  }
  throw new Error('The copy has no rows.')
}

await sealed(...preparedTellings())
if (process.env.CRASH_VARIANT === 'damaged') damage(sealedCopyOf(root))
if (process.env.CRASH_VARIANT === 'taken back') {
  cpSync(root, `${root}-before`, { recursive: true })
  await sealed(...TAKEN_BACK)
  cpSync(sealedCopyOf(root), sealedCopyOf(`${root}-before`))
  rmSync(root, { recursive: true })
  renameSync(`${root}-before`, root)
}
