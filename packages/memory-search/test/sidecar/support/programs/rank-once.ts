// Answers requests of a store in a process of its own, from the sidecar, and ends: `rank-once <root> <tier> <requests>`.
import { nodeFileSystem } from '@mono-agent/memory-store'
import { openIndexReader, type RankRequest } from '../../../../src/index.js'
import { TIERS, type TierName } from '../tiers.js'

const [, , root = '', tier = 'lite', requests = '[]'] = process.argv
const { identity, vectorOf } = TIERS[tier as TierName]
const faults: unknown[] = []
const reader = openIndexReader({
  root,
  fs: nodeFileSystem,
  identity,
  now: Date.now,
  sidecarFrom: 1,
  onSidecarFault: (error) => faults.push(String(error)),
})
await reader.warmRankings()
const answers = (JSON.parse(requests) as RankRequest[]).map((request) =>
  reader.rank(vectorOf === undefined ? request : { ...request, vector: vectorOf(request.query) }),
)
reader.close()
console.log(JSON.stringify({ answers, faults }))
