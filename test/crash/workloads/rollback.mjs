// From one index to another, back and forth; then day files change, by the store and by a person.
import { acknowledge } from '../acknowledge.mjs'
import { rewordingOf } from '../check-turns.mjs'
import { saveByRename } from '../editor.mjs'
import { openJournal, rebuild, rollBack, tell } from '../open-journal.mjs'
import { storeRoot } from '../paths.mjs'
import { servicesOf } from '../rebuilds.mjs'
import { textOf } from '../tellings.mjs'

const root = storeRoot(process.env.CRASH_ROOT)
const services = servicesOf()

await switchTo('rebuilt', rebuild)
await switchTo('other model', rollBack)
await switchTo('rebuilt', rollBack)
let store = await openJournal(root, services.rebuilt)
await tell(store, 'short-1:1')
await store.flush()
await store.close()

await switchTo('other model', rebuild)
acknowledge('will-reword', 'short-1')
saveByRename(root, 'daily/2026-05-01.md', (text) => text.replace(textOf('short-1'), rewordingOf('short-1')))
acknowledge('reworded', 'short-1')
store = await openJournal(root, services['other model'], 1)
await store.flush()
await store.close()

async function switchTo(name, change) {
  acknowledge('switching', name)
  await change(root, services[name])
  acknowledge('active', name)
}
