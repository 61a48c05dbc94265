// How long a store that was closed takes to open, until recall is ready for the first question.
import { monitorEventLoopDelay } from 'node:perf_hooks'
import { setTimeout as sleep } from 'node:timers/promises'
import { inMs, report } from '../report.mjs'
import { floorsOf } from './floors.mjs'
import { p50 } from './interleave.mjs'
import { tell } from './lines.mjs'
import { recall } from './store.mjs'

const OPENINGS = 7

export async function openingTime(open, naive, { name, size, questions }) {
  const times = { open: [], first: [], naive: [] }
  const blocks = []
  for (let n = 0; n < OPENINGS; n++) {
    const question = questions[n % questions.length]
    const delay = monitorEventLoopDelay({ resolution: 1 })
    delay.enable()
    const from = performance.now()
    const reader = open()
    await reader.warmRankings()
    times.open.push(performance.now() - from)
    await recall(reader, question)
    times.first.push(performance.now() - from)
    await sleep(3)
    delay.disable()
    blocks.push(delay.max / 1e6)
    await reader.stopAside()
    reader.close()
    const started = performance.now()
    naive.ask(question)
    times.naive.push(performance.now() - started)
  }
  const { opening: most } = floorsOf(size)
  const value = p50(times.open) / p50(times.naive)
  report({
    name: `opening a warm store, ${name}, in naive queries`,
    value,
    floor: `≤ ${most}`,
    ok: value <= most,
    detail: `${inMs(p50(times.open))}; holds the event loop for ${inMs(p50(blocks))}`,
  })
  tell({
    name: `opening a warm store, ${name}, until the first recall is answered, in naive queries`,
    value: p50(times.first) / p50(times.naive),
    detail: inMs(p50(times.first)),
  })
}
