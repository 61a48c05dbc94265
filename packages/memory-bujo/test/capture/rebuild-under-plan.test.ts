import { cpSync, readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { nodeFileSystem, type FileSystem } from '@mono-agent/memory-store'
import { expect, test } from 'vitest'
import { makeTemporaryRoot } from '../../../../test/support/temporary-root.js'
import { rebuildMemoryIndex } from '../../src/index.js'
import {
  canonicalBytes,
  decide,
  extraction,
  keepAll,
  memory,
  openBujo,
  ownerTurn,
  scriptedModel,
  wordEmbeddings,
} from '../support/bujo.js'

const DELTA = '.replay-projection-v1.delta.jsonl'

/** Calls back when the first half of an append to the replay delta has been written. */
function withCutAppend(onCut: () => void): FileSystem {
  return {
    ...nodeFileSystem,
    open(path, mode) {
      const file = nodeFileSystem.open(path, mode)
      if (mode === 'read' || basename(path) !== DELTA) return file
      return Object.assign(Object.create(file) as typeof file, {
        write(bytes: Uint8Array, position: number): number {
          file.write(bytes.subarray(0, bytes.length / 2), position)
          onCut()
          return file.write(bytes, position)
        },
      })
    },
  }
}

test('the index is rebuilt after a crash in the middle of an append, and the plan is carried out afterwards', async () => {
  const root = makeTemporaryRoot()
  const crashed = join(makeTemporaryRoot(), 'crashed')
  const llm = scriptedModel()
  llm.script({
    extract: [
      extraction(memory('I live in Lund near the station.')),
      extraction(memory('I live in Malmö near the station.')),
    ],
    review: [keepAll(1), keepAll(1)],
    reconcile: decide({ index: 0, action: 'SUPERSEDE', target: 'm1', text: 'I live in Malmö near the station.' }),
  })
  const fs = withCutAppend(() => {
    cpSync(root, crashed, { recursive: true, filter: (path) => basename(path) !== '.writer-lease' })
  })
  const store = await openBujo(root, llm, { fs })
  await store.persistCompletedTurn(ownerTurn('run-1', 'I live in Lund near the station.'))
  await store.persistCompletedTurn(ownerTurn('run-2', 'I live in Malmö near the station.'))
  expect(await store.whenSettled('run-2')).toMatchObject({ state: 'curated' })
  await store.close()
  expect(readFileSync(join(crashed, DELTA), 'utf8')).not.toMatch(/\n$/)

  const embed = wordEmbeddings()
  const { dimension } = embed.identity
  const embeddings = { provider: 'ollama', model: 'words', dim: dimension } as const
  await rebuildMemoryIndex({ mode: 'bujo', path: crashed, embeddings, embed })
  const idle = scriptedModel()
  const recovered = await openBujo(crashed, idle)
  await recovered.flush()
  expect(await recovered.turnStatus('run-2')).toMatchObject({ state: 'curated' })
  expect(idle.requests).toEqual([])
  expect(canonicalBytes(crashed)).toEqual(canonicalBytes(root))
  const { hits } = await recovered.recallWithOutcome('I live in Lund near the station')
  expect(hits[0]).toMatchObject({ text: 'I live in Lund near the station.', currentness: 'superseded' })
})
