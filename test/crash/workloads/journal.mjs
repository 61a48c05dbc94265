// Turns that repeat what was said, in one batch and later; several bullets; Remember; an embedding service that goes and
// comes back; a person who rewords a line while its vector is being made.
import { acknowledge } from '../acknowledge.mjs'
import { rewordingOf } from '../check-turns.mjs'
import { saveByRename } from '../editor.mjs'
import { hashEmbeddings } from '../embeddings.mjs'
import { openJournal, rememberContent, tell, tellAll } from '../open-journal.mjs'
import { storeRoot } from '../paths.mjs'
import { textOf } from '../tellings.mjs'

const root = storeRoot(process.env.CRASH_ROOT)
const service = hashEmbeddings()
const store = await openJournal(root, service)

await tellAll(store, 'short-1:1', 'short-1:2', 'long-2:1', 'short-3:1', 'short-100:1')
await store.flush()

service.fail()
await tellAll(store, 'short-5:1', 'long-2:2', 'short-4:1', 'short-1:3', 'short-5:2')
await rememberContent(store, 'fact-7')
await tell(store, 'fact-7:1')
await store.flush()
service.mend()
await rememberContent(store, 'fact-7')
await store.flush()

service.hold()
const held = service.holding()
await tell(store, 'short-9:1')
await store.whenSettled('short-9:1')
await held
acknowledge('will-reword', 'short-9')
saveByRename(root, 'daily/2026-05-01.md', (text) => text.replace(textOf('short-9'), rewordingOf('short-9')))
acknowledge('reworded', 'short-9')
await tell(store, 'short-11:1') // the same day file: what the person changed is taken over with it
await store.whenSettled('short-11:1')
service.release()
await tellAll(store, 'short-3:2', 'long-12:1', 'long-12:2')
await store.flush()
await store.close()
