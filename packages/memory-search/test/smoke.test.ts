import { expect, test } from 'vitest'
import { bullet, makeRoot } from './support/roots.js'
test('smoke', async () => {
  const root = await makeRoot()
  try {
    let t = performance.now()
    let index = await root.open()
    console.log('empty', performance.now() - t)
    t = performance.now()
    index.close()
    console.log('close', performance.now() - t)
    root.write('daily/2026-05-01.md', [bullet({ sentence: 'Morgan prefers green tea.', id: 'a', conversationId: 'c', speaker: 'Ana' }), bullet({ sentence: 'Painting is fun', id: 'b', conversationId: 'c', speaker: 'Bob' })])
    t = performance.now()
    index = await root.open()
    console.log('open', performance.now() - t)
    console.log(await index.catchUp(), await index.catchUp())
    for (const query of ['green tea', 'Ana', 'may 2026', 'paint', 'Bob painting on 1 May 2026', 'Painting is fun'])
      console.log(query, JSON.stringify(index.search({ query, limit: 10, explain: true }).map((h) => [h.id, h.score, h.explanation])))
    console.log(index.stats(), index.isStale())
    index.close()
    expect(1).toBe(1)
  } finally {
    root.free()
  }
})
