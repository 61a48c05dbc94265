import { layout } from '@mono-agent/memory-store'
import { mkdirSync, readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { buildIndex } from '../../src/index.js'
import { manifestOf } from '../support/dump.js'
import { bullet, LITE } from '../support/roots.js'
import { DAY, newRoot } from '../support/scenario.js'

test('what killed builds left is removed before the next one takes its place on the disk', async () => {
  const root = await newRoot()
  root.write(DAY, [bullet({ id: 'm-0', sentence: 'Morgan prefers green tea.' })])
  ;(await root.open()).close()
  const { generation } = manifestOf(root.path)
  for (const name of ['g90-0', 'g91-0', 'g91-1']) {
    mkdirSync(join(root.path, layout.generation(name)))
    writeFileSync(join(root.path, layout.database(name)), 'cut')
  }
  const during: string[][] = []
  await buildIndex({
    root: root.path,
    fs: root.fs,
    lease: root.lease,
    identity: LITE,
    now: Date.now,
    onProgress: () => void during.push(readdirSync(join(root.path, layout.generations))),
  })
  expect(during[0]).toHaveLength(2) // the present one and the new one
  expect(during[0]).toContain(generation)
})
