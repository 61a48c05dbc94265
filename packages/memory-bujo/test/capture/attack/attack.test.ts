import { describe, expect, test } from 'vitest'
import { DAY } from '../../support/open-store.js'
import type { Attack } from './attack.js'
import { carryOut } from './carry-out.js'
import { legible } from './legible.js'
import { readSections } from './read-sections.js'
import { graph } from './cases/graph.js'
import { labelsAndScopes } from './cases/labels-and-scopes.js'
import { ownerFacts } from './cases/owner-facts.js'
import { secrets } from './cases/secrets.js'
import { targets } from './cases/targets.js'
import { texts } from './cases/texts.js'

const CORPUS: Readonly<Record<string, readonly Attack[]>> = {
  'owner facts (CAP-8, CAP-9)': ownerFacts,
  'labels, scopes, lessons, reviews, intentions (CAP-8, CAP-9, CAP-12, CAP-24)': labelsAndScopes,
  'targets (CAP-15, CAP-16)': targets,
  'the graph (CAP-7, CAP-9)': graph,
  'texts, delimiters, instructions (CAP-26, CAP-28, FMT-5)': texts,
  'secrets (CAP-25)': secrets,
}

/** The sections that each call may have, in order; those of the list that may be missing are not always there. */
const SECTIONS = {
  extract: { all: ['host-facts', 'human-words', 'turn', 'focus'], optional: ['human-words', 'focus'] },
  review: { all: ['host-facts', 'lines'], optional: [] },
  reconcile: { all: ['host-facts', 'new-memories'], optional: [] },
} as const

describe.each(Object.entries(CORPUS))('%s', (_about, attacks) => {
  test.each(attacks.map((attack) => [attack.language, attack.name, attack] as const))(
    '%s: %s',
    async (_l, _n, attack) => {
      const { turn, stored, gone = [], refused, dropped = {}, audit = turn.summary } = attack
      const outcome = await carryOut(attack)
      expect({
        day: outcome.added.day,
        graph: outcome.added.graph,
        replay: outcome.added.replay,
        gone: outcome.gone,
        state: outcome.state,
        rejections: outcome.rejections,
        dropped: outcome.dropped,
        leaks: outcome.leaks,
      }).toEqual({
        day: stored.day ?? [],
        graph: stored.graph ?? [],
        replay: stored.replay ?? [],
        gone,
        state: refused === undefined ? 'curated' : 'projected',
        rejections: refused === undefined ? {} : { [refused]: 1 },
        dropped,
        leaks: [],
      })
      const session = encodeURIComponent(turn.conversationId)
      expect(outcome.audit).toEqual([
        legible(`- ${audit} <!--audit id=audit-attack created=${DAY}T12:00:00.000Z source_session=${session}-->`, []),
      ])
      for (const { stage, user } of outcome.requests) {
        const names = readSections(user).map(([name]) => name)
        const { all, optional } = SECTIONS[stage]
        expect(names).toEqual(
          all.filter((name) => names.includes(name) || !(optional as readonly string[]).includes(name)),
        )
      }
    },
  )
})

test('at least 60 turns in at least six languages', () => {
  const attacks = Object.values(CORPUS).flat()
  expect(attacks.length).toBeGreaterThanOrEqual(60)
  expect(new Set(attacks.map(({ language }) => language)).size).toBeGreaterThanOrEqual(6)
  expect(new Set(attacks.map(({ name, language }) => `${language} ${name}`)).size).toBe(attacks.length)
})
