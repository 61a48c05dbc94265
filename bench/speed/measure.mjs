// All that is measured of one corpus.
import { join } from 'node:path'
import { inMs } from '../report.mjs'
import { accuracy } from './accuracy.mjs'
import { floorsOf, SMALL } from './floors.mjs'
import { tell } from './lines.mjs'
import { openNaive } from './naive.mjs'
import { openingTime } from './opening.mjs'
import { peerSpeed } from './peer-speed.mjs'
import { longestHold, recallSpeed } from './recall-speed.mjs'
import { space } from './space.mjs'
import { withStore } from './store.mjs'

/**
 * @param {import('./corpus.mjs').Corpus} corpus
 * @param options.directory  empty; what is made there stays
 * @param options.peers  names of libraries to be asked as well, where the specification bounds them
 */
export async function measureCorpus(corpus, { directory, peers }) {
  const { name, size } = corpus
  await withStore(corpus, async (store) => {
    const naive = openNaive(join(directory, 'naive.db'), corpus)
    const readers = {
      ours: store.open(),
      weak: store.open({ calibration: corpus.weak }),
      exact: store.open({ sidecarFrom: Infinity }),
    }
    await readers.ours.warmRankings()
    await readers.weak.warmRankings()
    await recallSpeed(readers, naive, corpus)
    if (size >= 100_000) await longestHold(readers.ours, corpus)
    for (const reader of [readers.weak, readers.exact]) {
      await reader.stopAside()
      reader.close()
    }
    if (size > SMALL.size) {
      await openingTime(store.open, naive, corpus)
      await accuracy(store, corpus)
      space(store, naive, corpus, directory)
      tell({
        name: `first build of what recall keeps in memory, ${name}`,
        value: store.sidecarSeconds,
        unit: 's',
        detail: `the index itself ${store.buildSeconds.toFixed(1)} s, naive ${naive.buildSeconds.toFixed(1)} s; the event loop held for ${inMs(store.sidecarHoldMs)}`,
      })
    }
    naive.close()
    if (size > SMALL.size) {
      const known = Object.keys(floorsOf(size).peers)
      for (const key of peers.filter((one) => known.includes(one)))
        await peerSpeed(key, readers.ours, corpus, directory)
    }
    await readers.ours.stopAside()
    readers.ours.close()
  })
}
