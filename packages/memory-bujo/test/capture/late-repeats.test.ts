import { contentHash } from '@mono-agent/memory-store'
import type { IndexedMemory } from '@mono-agent/memory-search'
import { expect, test } from 'vitest'
import { withoutLateRepeats } from '../../src/capture/reconcile/late-repeats.js'
import type { CaptureAction } from '../../src/capture/types.js'
import { add, indexed, memory, noop, oldBullet, supersede, update } from './commit/support/captures.js'

const line = (id: string, text: string, more: Partial<IndexedMemory> = {}): IndexedMemory => ({
  ...indexed(oldBullet(id, text)),
  ...more,
})
const lund = line('m-lund', 'Ana lives in Lund.')
const porto = line('m-porto', 'Ana lives in Porto.')
const history = line('m-old', 'Ana lives in Bergen.', { supersededBy: 'm-lund' })
const index = {
  findByContentHash: (hash: string): IndexedMemory[] =>
    [lund, porto, history].filter(({ text }) => contentHash(text) === hash),
}
const said = (n: number, text = 'x') => memory(n, text)

test.each<{ name: string; actions: CaptureAction[]; kinds: CaptureAction['kind'][] }>([
  { name: 'words that are nowhere', actions: [add(said(0, 'New.'))], kinds: ['add'] },
  { name: 'words that came meanwhile', actions: [add(said(0, porto.text))], kinds: ['noop'] },
  { name: 'words of history', actions: [add(said(0, history.text))], kinds: ['add'] },
  { name: 'a line reworded', actions: [update(said(0), lund, 'New.')], kinds: ['update'] },
  { name: 'a line reworded as it is', actions: [update(said(0), lund, lund.text)], kinds: ['update'] },
  { name: 'a line reworded as another', actions: [update(said(0), lund, porto.text)], kinds: ['noop'] },
  { name: 'a line reworded as history', actions: [update(said(0), lund, history.text)], kinds: ['update'] },
  { name: 'two lines reworded as one', actions: [update(said(0), lund, 'N.'), update(said(1), porto, 'N.')], kinds: ['update', 'noop'] }, // prettier-ignore
  { name: 'reworded as what is added', actions: [add(said(0, 'N.')), update(said(1), lund, 'N.')], kinds: ['add', 'noop'] }, // prettier-ignore
  { name: 'a line that no longer holds', actions: [supersede(said(0), lund, porto.text)], kinds: ['supersede'] },
  { name: 'a repeat', actions: [noop(said(0), lund), noop(said(1))], kinds: ['noop', 'noop'] },
])('$name (CAP-13)', ({ actions, kinds }) => {
  expect(withoutLateRepeats(index, actions).map(({ kind }) => kind)).toEqual(kinds)
})
