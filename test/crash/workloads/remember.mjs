// Deliberate facts between turns, some told twice.
import { acknowledge } from '../acknowledge.mjs'
import { openStore, send } from '../open-for-workload.mjs'
import { wordOf } from '../turns.mjs'

const store = await openStore()
for (let n = 1; n <= 5; n++) {
  const word = wordOf(`fact-${n}`)
  const sending = send(store, `short-${n}`)
  for (let told = 0; told < (n % 2) + 1; told++) {
    await store.remember({ text: `Remember ${word}.` })
    acknowledge('remembered', word)
  }
  await sending
}
await store.close()
