import assert from 'node:assert/strict'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { openIndexReader } from '../../packages/memory-search/dist/index.js'
import { nodeFileSystem } from '../../packages/memory-store/dist/index.js'
import { readManifest } from './check-vectors.mjs'
import { vectorOf } from './embeddings.mjs'
import { readBullets } from './read-root.mjs'
import { wordIn } from './turns.mjs'

/**
 * Whoever takes the sealed copy answers, after what changed since, as the reference path does: the same memories in the same
 * order, with the same scores, for each word and each meaning that there is.
 * @param options.mayBe  why the copy may be refused; for any other reason it may not
 * @returns whether there is a copy, and it was taken
 */
export async function checkSidecar(root, { mayBe = [] } = {}) {
  if (!existsSync(join(root, '.index/manifest.json'))) return false
  const faults = []
  const opened = []
  const fs = countingReads(nodeFileSystem, /[/]memory[.]sidecar$/, opened)
  const { identity } = readManifest(root)
  const options = { root, fs, identity, now: Date.now, onSidecarFault: (error) => faults.push(error) }
  const [fast, exact] = [1, Infinity].map((sidecarFrom) => openIndexReader({ ...options, sidecarFrom }))
  try {
    await fast.warmRankings()
    for (const request of requestsOf(root, identity)) {
      const [found, expected] = [fast, exact].map((index) => JSON.stringify(index.rank(request)))
      assert.ok(found === expected, 'from the sidecar recall is not what it is without it')
    }
    for (const { code, message } of faults) {
      const why = /\((\w+)\)$/.exec(message)?.[1]
      assert.ok(code === 'sidecar_invalid' && mayBe.includes(why), `the sealed copy was not taken: ${code}, ${why}`)
    }
    return opened.length === 1 && faults.length === 0
  } finally {
    fast.close()
    exact.close()
  }
}

/** Each memory is asked for by its word alone and, with a vector, by what it means; some words stand in many. */
function requestsOf(root, { dimension }) {
  const words = [...new Set(readBullets(root).map(({ sentence }) => wordIn(sentence))), 'Ana', 'kettle answered']
  return words.flatMap((query) => {
    const request = { query, limit: 50, explain: true }
    const meaning = `what ${query.slice(1)} is`
    return [request, { ...request, query: meaning, vector: vectorOf(query, dimension) }]
  })
}

/** @param found  gets the path of each file of this name that was opened */
function countingReads(fs, pattern, found) {
  return {
    ...fs,
    open(path, mode) {
      const file = fs.open(path, mode)
      if (pattern.test(path)) found.push(path)
      return file
    },
  }
}
