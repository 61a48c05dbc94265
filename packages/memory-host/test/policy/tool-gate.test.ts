import type { StoreCapabilities } from '@mono-agent/memory-store'
import { expect, test } from 'vitest'
import type { MemoryToolName, ToolPolicy } from '../../src/index.js'
import { advertisedTools } from '../../src/policy/tool-gate.js'
import { CAPABILITIES, scriptedStore } from '../turn/support.js'

const ALL: readonly MemoryToolName[] = ['MemoryRecall', 'MemoryJournal', 'Remember']

test.each<{ name: string; capabilities: Partial<StoreCapabilities>; tools: readonly MemoryToolName[] }>([
  { name: 'everything', capabilities: {}, tools: ALL },
  { name: 'text alone', capabilities: { remember: 'text' }, tools: ALL },
  { name: 'no writing', capabilities: { remember: 'none' }, tools: ['MemoryRecall', 'MemoryJournal'] },
  { name: 'no chronology', capabilities: { chronology: false }, tools: ['MemoryRecall', 'Remember'] },
  { name: 'no read tools', capabilities: { recall: false, chronology: false }, tools: ['Remember'] },
])('a store that affirms $name has $tools', ({ capabilities, tools }) => {
  expect(advertisedTools(scriptedStore({ capabilities: { ...CAPABILITIES, ...capabilities } }), [])).toEqual(tools)
})

test('a store that affirms nothing can be recalled from', () => {
  const { capabilities: _left, ...silent } = scriptedStore()
  expect(advertisedTools(silent, [])).toEqual(['MemoryRecall'])
})

test('what a store affirms and does not have is not advertised', () => {
  const { chronology: _chronology, remember: _remember, ...without } = scriptedStore()
  expect(advertisedTools(without, [])).toEqual(['MemoryRecall'])
})

test.each<{ name: string; policies: readonly (ToolPolicy | undefined)[]; tools: readonly MemoryToolName[] }>([
  { name: 'no list', policies: [undefined, {}], tools: ALL },
  { name: 'an allow-list', policies: [{ allow: ['Remember'] }], tools: ['MemoryRecall', 'Remember'] },
  { name: 'an empty allow-list', policies: [{ allow: [] }], tools: ['MemoryRecall'] },
  { name: 'a deny-list', policies: [{ deny: ['Remember'] }], tools: ['MemoryRecall', 'MemoryJournal'] },
  { name: 'both', policies: [{ allow: ['Remember'], deny: ['Remember'] }], tools: ['MemoryRecall'] },
  { name: 'a denied MemoryRecall, which it does not govern', policies: [{ deny: ['MemoryRecall'] }], tools: ALL },
  {
    name: 'a list of the turn',
    policies: [undefined, { deny: ['MemoryJournal'] }],
    tools: ['MemoryRecall', 'Remember'],
  },
  {
    name: 'two lists that agree on nothing',
    policies: [{ allow: ['Remember'] }, { allow: ['MemoryJournal'] }],
    tools: ['MemoryRecall'],
  },
  { name: 'other names', policies: [{ deny: ['remember', 'mcp__Remember'] }], tools: ALL },
])('with $name there are $tools', ({ policies, tools }) => {
  expect(advertisedTools(scriptedStore(), policies)).toEqual(tools)
})
