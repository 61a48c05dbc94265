// A person edits day files while the agent runs: adds lines, rewords, removes; some editors rename, some write in place.
import { acknowledge } from '../acknowledge.mjs'
import { rewordingOf } from '../check-turns.mjs'
import { appendInPlace, saveByRename } from '../editor.mjs'
import { openStore, root, send } from '../open-for-workload.mjs'
import { idPrefix, turnOf } from '../turns.mjs'

const store = await openStore()
await send(store, 'short-1')
await send(store, 'short-3')
await send(store, 'short-5')
await store.flush() // a person edits what they can see

const today = 'daily/2026-05-01.md'
saveByRename(root, today, (text) => `${text}\nA line of my own.\n`)
acknowledge('line', 'A line of my own.')
await send(store, 'short-7')
await store.flush()

acknowledge('will-reword', 'short-1')
saveByRename(root, today, (text) => text.replace(turnOf('short-1').summary, rewordingOf('short-1')))
acknowledge('reworded', 'short-1')
await send(store, 'short-9')
await store.flush()

acknowledge('will-remove', 'short-3')
saveByRename(root, today, (text) => withoutBullet(text, idPrefix('short-3')))
acknowledge('removed', 'short-3')
await send(store, 'short-11')
await store.flush()

appendInPlace(root, today, '- A list item without metadata.\n')
acknowledge('line', '- A list item without metadata.')
await send(store, 'short-13')
await store.close()

function withoutBullet(text, prefix) {
  const lines = text.split('\n')
  const at = lines.findIndex((line) => line.includes(`id=${prefix}`))
  return lines.filter((_, i) => i !== at && i !== at - 1).join('\n')
}
