import { layout } from '@mono-agent/memory-store'
import { cpSync, existsSync, readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { openWritableIndex } from '../../../src/index.js'
import { countingFileSystem } from '../../../../../test/support/counting-file-system.js'
import { holdRoot } from '../../../../../test/support/held-root.js'
import { manifestOf } from '../../support/dump.js'
import {
  answersOf,
  generationsOf,
  namedGenerations,
  optionsOf,
  rebuildAs,
  rollBackTo,
} from '../../support/rollbacks.js'
import { bullet, type TestRoot } from '../../support/roots.js'
import { DAY, newRoot } from '../../support/scenario.js'
import { HEADER, publish, readBack } from './sidecar-files.js'

// What builds, keeps, copies, proves and removes indexes knows nothing of the sidecar's file: it must not stand in their way.

const QUERIES = ['tea', 'who has a cat']
const TEMPORARY = '.memory.sidecar.tmp-1-77'

const sidecarOf = ({ path }: TestRoot, generation: string): string => join(path, layout.sidecar(generation))
const inUse = ({ path }: TestRoot): string => manifestOf(path).generation
const filesOf = ({ path }: TestRoot, generation: string): string[] =>
  readdirSync(join(path, layout.generation(generation)))

/** An index with a sidecar's file, of no database that there is, and what a killed publication left of one. */
async function withSidecar(): Promise<TestRoot> {
  const root = await newRoot()
  const sentences = ['Morgan prefers green tea.', 'Ana has a cat that drinks tea.']
  root.write(DAY, sentences.map((sentence, at) => bullet({ id: `m-${at}`, sentence }))) // prettier-ignore
  await rebuildAs(root, 'lite')
  await publish(sidecarOf(root, inUse(root)))
  writeFileSync(join(root.path, layout.generation(inUse(root)), TEMPORARY), 'half of it')
  return root
}

test('the index opens beside it, answers and closes; the file stays as it is, what was cut goes', async () => {
  const root = await withSidecar()
  const index = await openWritableIndex(optionsOf(root, 'lite'))
  await index.catchUp()
  index.close()
  expect(answersOf(root, 'lite', QUERIES).map((hits) => hits.length)).toEqual([2, 1])
  expect(readBack(sidecarOf(root, inUse(root)))).toMatchObject({ loaded: { header: HEADER } })
  expect(filesOf(root, inUse(root))).toEqual(['memory.db', 'memory.sidecar'])
})

test('a copy that was sealed is taken in a root that was moved, though `daily/` is another directory', async () => {
  const root = await withSidecar()
  const faults: unknown[] = []
  const counting = countingFileSystem()
  const warmed = async (at: Pick<TestRoot, 'path' | 'lease'>): Promise<void> => {
    const options = { ...optionsOf(root, 'lite'), root: at.path, fs: counting.fs, lease: at.lease, sidecarFrom: 1 }
    const index = await openWritableIndex({ ...options, onSidecarFault: (error) => faults.push(error) })
    await index.catchUp()
    await index.warmRankings()
    index.close()
  }
  await warmed(root)
  expect(faults.splice(0)).toHaveLength(1) // the copy beside it was of no database
  const moved = await holdRoot()
  for (const name of ['daily', '.index']) cpSync(join(root.path, name), join(moved.root, name), { recursive: true })
  counting.reset()
  await warmed({ path: moved.root, lease: moved.lease })
  expect(faults).toEqual([])
  expect(counting.count('open', /memory\.sidecar$/)).toBe(1)
  expect(counting.count('rename', /memory\.sidecar$/)).toBe(0)
})

test('a rebuild begins without one, keeps the outgoing index without it, and removes it with its generation', async () => {
  const root = await withSidecar()
  const outgoing = inUse(root)
  await rebuildAs(root, 'journal')
  expect(generationsOf(root)).toEqual(namedGenerations(root))
  for (const generation of namedGenerations(root)) expect(filesOf(root, generation)).toEqual(['memory.db'])
  expect(existsSync(sidecarOf(root, outgoing))).toBe(false)
})

test('a rollback answers as before, with sidecars beside both indexes, and begins without one', async () => {
  const root = await withSidecar()
  const answers = answersOf(root, 'lite', QUERIES)
  await rebuildAs(root, 'journal')
  for (const generation of namedGenerations(root)) await publish(sidecarOf(root, generation))
  await rollBackTo(root, 'lite')
  expect(answersOf(root, 'lite', QUERIES)).toEqual(answers)
  for (const generation of namedGenerations(root)) expect(filesOf(root, generation)).toEqual(['memory.db'])
  expect(generationsOf(root)).toEqual(namedGenerations(root))
})

test('a generation that no manifest names goes with it', async () => {
  const root = await withSidecar()
  const cut = join(root.path, layout.generation('g7-7'))
  root.fs.makeDirectory(cut)
  await publish(sidecarOf(root, 'g7-7'))
  writeFileSync(join(cut, TEMPORARY), 'half of it')
  ;(await openWritableIndex(optionsOf(root, 'lite'))).close()
  expect(generationsOf(root)).toEqual(namedGenerations(root))
})
