import { existsSync, renameSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { makeTemporaryRoot } from '../../../../test/support/temporary-root.js'
import {
  canonicalBytes,
  decide,
  extraction,
  keepAll,
  memory,
  openBujo,
  ownerTurn,
  scriptedModel,
} from '../support/bujo.js'

const IN_LUND = 'I live in Lund near the station.'
const IN_MALMO = 'I live in Malmö near the station.'
const LATER = 'My bicycle is green.'

test.each(['graph.jsonl', '.replay-projection-v1.delta.jsonl'])(
  '%s is gone under a running writer: the turn stays due, nothing is begun anew; put back, all of it goes on (FMT-7, FMT-8)',
  async (file) => {
    const root = makeTemporaryRoot()
    const llm = scriptedModel()
    const codes: string[] = []
    const store = await openBujo(root, llm, {
      onEvent: (event) => {
        if (event.kind === 'projection_failed') codes.push(`${event.code} ${event.attemptCounted}`)
      },
    })
    const ana = { id: 'person:ana', name: 'Ana', type: 'person' }
    const saying = (text: string) => ({ ...extraction(memory(text, { entities: [ana.id] })), entities: [ana] })
    llm.script({ extract: [saying(IN_LUND), saying(IN_MALMO)], review: [keepAll(1), keepAll(1)] })
    llm.script({ reconcile: decide({ index: 0, action: 'SUPERSEDE', target: 'm1', text: IN_MALMO }) })
    for (const text of [IN_LUND, IN_MALMO]) {
      await store.persistCompletedTurn(ownerTurn(text, text))
      await store.whenSettled(text)
    }
    await store.flush()
    const before = canonicalBytes(root)
    renameSync(join(root, file), join(root, 'away'))

    llm.script({ extract: saying(LATER), review: keepAll(1), reconcile: decide({ index: 0, action: 'ADD' }) })
    await store.persistCompletedTurn(ownerTurn('later', LATER))
    await store.flush()
    expect(new Set(codes)).toEqual(new Set(['canonical_mismatch false']))
    expect(existsSync(join(root, file))).toBe(false)
    const { hits } = await store.recallWithOutcome('live near the station')
    expect(hits.find(({ text }) => text === IN_LUND)?.currentness).toBe('superseded')

    renameSync(join(root, 'away'), join(root, file))
    expect(canonicalBytes(root)).toEqual(before)
    await store.flush() // asks no model again
    expect(await store.turnStatus('later')).toMatchObject({ state: 'curated' })
  },
)
