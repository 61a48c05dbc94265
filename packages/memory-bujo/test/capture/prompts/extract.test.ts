import { describe, expect, test } from 'vitest'
import * as bounds from '../../../src/capture/contract/bounds.js'
import { extractPrompt } from '../../../src/capture/prompts/extract.js'
import type { CaptureTurn } from '../../../src/capture/types.js'
import { POLICY, triggered, TURN } from './turns.js'

const { isOwnerTurn: _isOwnerTurn, ...rest } = TURN
const guest: CaptureTurn = { ...rest, isOwnerTurn: false }
const unverified: CaptureTurn = { ...triggered('conversation'), speakerKind: 'unknown' }

test('of a lifelike turn', () => {
  const { system, user } = extractPrompt(TURN, { ...POLICY, focus: 'Family and work; no small talk.' })
  expect(system).toMatchSnapshot('system')
  expect(user).toMatchSnapshot('user')
})

describe('says honestly who spoke', () => {
  test.each<[string, CaptureTurn, RegExp]>([
    ['the owner', TURN, /conversation with the owner of this memory/],
    ['another human', guest, /a human who is not the owner/],
    ['nobody verified', unverified, /nobody verified who speaks/],
    ['a scheduled task', triggered('cron'), /started by a scheduled task.*No human spoke/],
    ['a webhook', triggered('webhook'), /started by a webhook.*No human spoke/],
    ['another agent', triggered('peer'), /with another agent.*No human spoke/],
  ])('%s', (_, turn, rule) => {
    expect(extractPrompt(turn, POLICY).system).toMatch(rule)
  })

  test.each(['cron', 'webhook', 'peer'] as const)('a %s turn has no user, and no words of one', (sourceKind) => {
    const { system, user } = extractPrompt(triggered(sourceKind), POLICY)
    expect(user).not.toMatch(/user|human/i)
    expect(user).not.toContain('<human-words>')
    expect(system).not.toContain('whose own words stand in')
  })
})

test.each([
  ['MAX_MEMORIES', `at most ${bounds.MAX_MEMORIES}`],
  ['MAX_MEMORY_ENTITIES', `0 to ${bounds.MAX_MEMORY_ENTITIES} ids`],
  ['MAX_MEMORY_LABELS', `labels: 0 to ${bounds.MAX_MEMORY_LABELS}`],
  ['MAX_ENTITIES', `entities: at most ${bounds.MAX_ENTITIES}`],
  ['MAX_RELATIONS', `relations: at most ${bounds.MAX_RELATIONS}`],
  ['MAX_QUOTE_BYTES', `1 to ${bounds.MAX_QUOTE_BYTES} UTF-8 bytes`],
  ['MAX_NAME_CODE_POINTS', `1 to ${bounds.MAX_NAME_CODE_POINTS} characters`],
  ['MAX_SUMMARY_BYTES', `at most ${bounds.MAX_SUMMARY_BYTES} UTF-8 bytes`],
  ['MAX_NAME_LENGTH', `at most ${bounds.MAX_NAME_LENGTH} characters`],
  ['OWNER_ENTITY', bounds.OWNER_ENTITY],
  ['a sentence', '1 to 2048 UTF-8 bytes'],
  ['a fact', 'at most 160 characters'],
])('tells the bound %s', (_, words) => {
  expect(extractPrompt(TURN, POLICY).system).toContain(words)
})

test('shows the day, weekday and zone that dates count from', () => {
  const { user } = extractPrompt({ ...TURN, anchor: '2026-09-08T23:30:00.000Z' }, POLICY)
  expect(user).toContain(
    '"now":{"day":"2026-09-09","weekday":"Wednesday","time":"01:30","time_zone":"Europe/Vienna","offset":"+02:00"}',
  )
})

test('knows nothing of intentions where they are off', () => {
  expect(extractPrompt(TURN, POLICY).system).not.toMatch(/intent/i)
  const on = extractPrompt(TURN, { ...POLICY, intentLifecycle: true })
  expect(on.system).toContain('"intentState"')
  expect(on.user).toBe(extractPrompt(TURN, POLICY).user)
})

test('knows nothing of a focus where there is none', () => {
  const { system, user } = extractPrompt(TURN, POLICY)
  expect(system + user).not.toMatch(/focus/i)
})

test.each([
  ['speaker', 'Never translate'],
  ['Deutsch', 'Write each text in this language: "Deutsch"'],
  ['x"\n# Data', '"x\\"\\n# Data"'],
])('language %j', (language, words) => {
  expect(extractPrompt(TURN, { ...POLICY, language }).system).toContain(words)
})

test('outcomes of tools are bounded, and repeats told once', () => {
  const many = Array.from({ length: 1_000 }, (_, at) => ({ category: `t${at}`, outcome: 'failed' as const }))
  const { user } = extractPrompt({ ...TURN, toolOutcomes: many }, POLICY)
  expect(user.match(/"category"/g)).toHaveLength(64)
  expect(extractPrompt(TURN, POLICY).user.match(/"category"/g)).toHaveLength(2)
  const long = [{ category: 'a'.repeat(65), outcome: 'failed' as const }]
  expect(extractPrompt({ ...TURN, toolOutcomes: long }, POLICY).user).toContain('"tool_outcomes":[]')
})

test('a turn of 600,000 characters gives a prompt of bounded size', () => {
  const { system, user } = extractPrompt(
    { ...TURN, text: 'a b '.repeat(150_000), userText: 'c '.repeat(300_000) },
    POLICY,
  )
  expect(user.length).toBeLessThan(48_000 + 16_000 + 1_000)
  expect(system.length).toBeLessThan(12_000)
  expect(user).toContain('"left_out_characters":552000')
})

test('marks that are not seen are not shown: no quote could hold them', () => {
  const { user } = extractPrompt({ ...TURN, text: 'a\u200Fb\u0007c\u{E0041}d' }, POLICY)
  expect(user).toContain('{"text":"abcd"}')
})
