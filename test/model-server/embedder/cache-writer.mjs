// Writes vectors into the cache in argv[2] until it has written argv[3] batches, or is killed. Tells of each on its output.
import { tsImport } from 'tsx/esm/api'

const { openVectorCache } = await tsImport('./vector-cache.ts', import.meta.url)
const [, , directory, batches, name] = process.argv
const cache = openVectorCache(directory)
for (let batch = 0; batch < Number(batches); batch++) {
  const texts = Array.from({ length: 20 }, (_, index) => `${name} ${batch} ${index}`)
  const embedded = texts.map((_, index) => ({ vector: Float32Array.of(batch, index), tokens: 1 }))
  cache.put('model', texts, embedded)
  process.stdout.write(`${batch}\n`)
}
cache.close()
