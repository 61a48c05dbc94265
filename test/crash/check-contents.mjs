import assert from 'node:assert/strict'
import { rewordingOf } from './check-turns.mjs'
import { readBullets } from './read-root.mjs'
import { contentOf, prefixesOf, textOf } from './tellings.mjs'
import { wordOf } from './turns.mjs'

const wordsOf = (text) => text.split(/\s+/).filter(Boolean).join(' ')

/**
 * Each content stands in Markdown once, however often it was told or remembered: all that was acknowledged is there,
 * what was not is there whole or not at all, and nothing else is there.
 * @returns by content, the ids of its bullets in order
 */
export function checkContents(root, acked) {
  const bullets = readBullets(root)
  const told = new Set([...acked.said('will-turn'), ...acked.said('turn')].map(contentOf))
  const contents = new Set([...told, ...acked.said('remembered'), ...acked.said('will-remember')])
  const due = new Set([...[...acked.said('turn')].map(contentOf), ...acked.said('remembered')])
  const found = new Map()
  for (const content of contents) {
    const own = bullets.filter(({ sentence }) => sentence.includes(wordOf(content)))
    if (own.length === 0) {
      assert.ok(!due.has(content), `${content} was acknowledged and is not in Markdown`)
      continue
    }
    checkWhole(content, own, acked)
    found.set(
      content,
      own.map(({ id }) => id),
    )
  }
  const known = new Set([...found.values()].flat())
  for (const { id } of bullets) assert.ok(known.has(id), `a bullet that nobody told: ${id}`)
  assert.equal(known.size, bullets.length, 'a bullet is there twice')
  return found
}

function checkWhole(content, own, acked) {
  const origins = new Set(own.map(({ id }) => originOf(content, id)))
  assert.equal(origins.size, 1, `${content} stands in Markdown more than once`)
  if (!own[0].id.startsWith('m-')) {
    const ordinals = own.map(({ id }) => Number(/-(\d+)$/.exec(id)[1]))
    assert.deepEqual(
      ordinals,
      Array.from(own, (_, at) => at + 1),
      `the bullets of ${content} are not its own, in order`,
    )
  }
  assert.equal(new Set(own.map(({ file }) => file)).size, 1, `${content} is spread over several days`)
  const words = wordsOf(own.map(({ sentence }) => sentence).join(' '))
  const [original, reworded] = [textOf(content), rewordingOf(content)].map(wordsOf)
  if (acked.has('reworded', content)) assert.equal(words, reworded, `the rewording of ${content} is lost`)
  else if (acked.has('will-reword', content)) assert.ok([original, reworded].includes(words), `${content} is damaged`)
  else assert.equal(words, original, `${content} is not whole`)
}

/** Of one content all bullets come from one telling or one Remember. */
function originOf(content, id) {
  if (id.startsWith('m-')) return id
  const prefix = prefixesOf(content).find((each) => id.startsWith(each))
  assert.ok(prefix !== undefined, `a bullet of ${content} under a foreign id: ${id}`)
  return prefix
}
