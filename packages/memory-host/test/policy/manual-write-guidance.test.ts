import type { StoreCapabilities } from '@mono-agent/memory-store'
import { expect, test } from 'vitest'
import type { MemoryToolName, TurnContext } from '../../src/index.js'
import { manualWriteGuidance } from '../../src/policy/manual-write-guidance.js'
import { CAPABILITIES } from '../turn/support.js'

const ALL: readonly MemoryToolName[] = ['MemoryRecall', 'MemoryJournal', 'Remember']
const CRON: Pick<TurnContext, 'source'> = { source: { kind: 'cron' } }

interface Case {
  readonly turn?: Pick<TurnContext, 'source' | 'wake'>
  readonly skipped?: StoreCapabilities['skippedSources']
  readonly remember?: StoreCapabilities['remember']
  readonly tools?: readonly MemoryToolName[]
}

const guidance = ({ turn = CRON, skipped = ['cron'], remember = 'text', tools = ALL }: Case) =>
  manualWriteGuidance({ wake: 'message', ...turn }, { ...CAPABILITIES, skippedSources: skipped, remember }, tools)

test.each<Case & { name: string }>([
  { name: 'a captured source', turn: { source: { kind: 'webhook' } } },
  { name: 'a conversation, which is what a turn is by default', turn: {} },
  { name: 'nothing skipped', skipped: [] },
  { name: 'no Remember', tools: ['MemoryRecall', 'MemoryJournal'] },
  { name: 'a continuation', turn: { ...CRON, wake: 'continuation' } },
])('there is none with $name', (given) => {
  expect(guidance(given)).toBeUndefined()
})

test('there is none where the store says nothing of itself', () => {
  expect(manualWriteGuidance({ ...CRON, wake: 'message' }, undefined, ALL)).toBeUndefined()
})

test('text alone is spoken of where the store takes no more', () => {
  expect(guidance({})).toMatch(/^<memory-guidance>\n.*call Remember with one.*\n<\/memory-guidance>$/)
  expect(guidance({})).not.toMatch(/supersedes|about`|replaceable/)
})

test('the details are spoken of where the store takes them', () => {
  expect(guidance({ remember: 'detail' })).toMatch(/supersedes.*about.*replaceable/)
})

test('nothing is to be looked for where there is no MemoryRecall', () => {
  const words = guidance({ remember: 'detail', tools: ['Remember'] })
  expect(words).toMatch(/about.*replaceable/)
  expect(words).not.toMatch(/MemoryRecall|supersedes/)
})

test('it is short', () => {
  expect(Buffer.byteLength(guidance({ remember: 'detail' }) ?? '')).toBeLessThan(600)
})

test('a skipped conversation has it as well', () => {
  expect(guidance({ turn: {}, skipped: ['conversation'] })).toBeDefined()
})
