import assert from 'node:assert/strict'
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { readManifest } from './check-vectors.mjs'

/**
 * The generations that the manifest names are there and no others, each of one file.
 * @param options.mayHoldStaged  a cut rebuild may have left vectors for the next one
 */
export function checkIndexFolder(root, { mayHoldStaged = false } = {}) {
  const { generation, previous } = readManifest(root)
  const named = previous === undefined ? [generation] : [generation, previous.generation]
  const generations = join(root, '.index/generations')
  assert.deepEqual(readdirSync(generations).sort(), named.sort(), 'other generations than the manifest names')
  for (const name of named) assert.deepEqual(readdirSync(join(generations, name)), ['memory.db'])
  const staged = readdirSync(join(root, '.index')).filter((name) => name.startsWith('rebuild-vectors'))
  if (!mayHoldStaged) assert.deepEqual(staged, [], 'staged vectors are left')
}
