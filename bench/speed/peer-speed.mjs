// A library is filled with the same memories and asked some of the same questions, by turns with the store.
import { fork } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { report } from '../report.mjs'
import { floorsOf } from './floors.mjs'
import { both, p50, timed } from './interleave.mjs'
import { skip } from './lines.mjs'
import { recall } from './store.mjs'

const child = fileURLToPath(new URL('peer-child.mjs', import.meta.url))

/** Questions asked, by memories: mem0 takes ten seconds for one at 100,000. */
const ASKED = { lancedb: [23, 13], orama: [23, 9], mem0: [6, 8] }

/** Questions that the store is asked whenever a library is asked one: of the few that a slow one answers in time, chance would say most. */
const EACH_TURN = 20

/** What a process sends next. @throws {Error} it says that it failed, or ends */
async function nextOf(peer) {
  const waiting = new AbortController()
  const { signal } = waiting
  const ended = once(peer, 'exit', { signal }).then(([code]) => ({ failed: `its process ended with ${code}` }))
  const told = once(peer, 'message', { signal }).then(([message]) => message)
  const message = await Promise.race([told, ended])
  waiting.abort()
  await Promise.allSettled([told, ended])
  if (message.failed !== undefined) throw new Error(message.failed)
  return message
}

/** Starts the process of a library. @returns `{ seconds, ask, close }`  @throws {Error} it could not be filled */
async function peerOf(key, { size, questions }, directory) {
  const peer = fork(child, [key, size, questions.length, directory], { stdio: ['ignore', 'ignore', 'inherit', 'ipc'] })
  const { seconds } = await nextOf(peer)
  return {
    seconds,
    ask(number) {
      peer.send({ ask: number })
      return nextOf(peer)
    },
    close() {
      peer.disconnect()
    },
  }
}

/** By turns, every second time the other way round. The first turns do not count. */
async function byTurns(reader, peer, { questions, turns, warm }) {
  const results = { ours: { times: [], cpu: [] }, theirs: { times: [], cpu: [] } }
  for (let turn = 0; turn < turns; turn++) {
    const own = Array.from({ length: EACH_TURN }, (_, k) => questions[(turn * EACH_TURN + k) % questions.length])
    const keep = (who, { ms, cpu }) => {
      if (turn < warm) return
      results[who].times.push(ms)
      results[who].cpu.push(cpu)
    }
    const ask = {
      ours: async () => {
        for (const question of own) keep('ours', await timed(() => recall(reader, question)))
      },
      theirs: async () => keep('theirs', await peer.ask(turn)),
    }
    for (const who of turn % 2 === 0 ? ['ours', 'theirs'] : ['theirs', 'ours']) await ask[who]()
  }
  return results
}

/** @param key  name of a file in `peers/` */
export async function peerSpeed(key, reader, corpus, directory) {
  const { name, size, questions } = corpus
  const floor = floorsOf(size).peers[key]
  const { name: title } = await import(`./peers/${key}.mjs`)
  const line = { name: `${title}, ${name}, p50 against hybrid recall`, floor: `≥ ${floor} ×` }
  let peer
  try {
    peer = await peerOf(key, corpus, directory)
  } catch (error) {
    return skip({ ...line, why: error.message })
  }
  const turns = ASKED[key][size > 10_000 ? 1 : 0]
  const warm = Math.min(3, Math.floor(turns / 4))
  const { ours, theirs } = await byTurns(reader, peer, { questions, turns, warm })
  peer.close()
  const value = p50(theirs.times) / p50(ours.times)
  report({
    ...line,
    value,
    unit: '× slower',
    ok: value >= floor,
    detail: `${both(theirs)} against ${both(ours)}, ${turns - warm} questions and ${EACH_TURN} to the store each time; filled in ${peer.seconds.toFixed(0)} s`,
  })
}
