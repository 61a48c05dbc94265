import type { ContextBlock } from '@mono-agent/memory-store'
import { expect, test } from 'vitest'
import { automaticBlocks, MAX_SHORT_TEXT, shownBlocks } from '../../src/policy/automatic-gate.js'
import { parseTurn } from '../../src/turn/parse-turn.js'
import type { TurnContext } from '../../src/index.js'

const LONG = 'Where did we put the spare key?'
const ALL = ['profile', 'person', 'background', 'relevant'] as const
const NOT_RELEVANT = ['profile', 'person', 'background'] as const

const blocksOf = (turn: Partial<TurnContext>, ownerText = LONG) =>
  automaticBlocks(parseTurn({ conversationId: 'c', message: ownerText, ...turn }), ownerText)

const OWNER: Pick<TurnContext, 'speaker'> = { speaker: { kind: 'owner' } }

test.each<{ name: string; turn: Partial<TurnContext>; blocks: readonly ContextBlock['kind'][] }>([
  { name: 'the verified owner', turn: OWNER, blocks: ALL },
  {
    name: 'the owner, said to be in a conversation',
    turn: { ...OWNER, source: { kind: 'conversation' } },
    blocks: ALL,
  },
  { name: 'somebody unknown', turn: {}, blocks: [] },
  { name: 'another verified user', turn: { speaker: { kind: 'user', token: 'sam' } }, blocks: [] },
  { name: 'a scheduled turn', turn: { ...OWNER, source: { kind: 'cron' } }, blocks: [] },
  { name: 'a webhook', turn: { ...OWNER, source: { kind: 'webhook' } }, blocks: [] },
  { name: 'a peer', turn: { ...OWNER, source: { kind: 'peer' } }, blocks: [] },
  { name: 'a wake by an ended process', turn: { ...OWNER, wake: 'process_completion' }, blocks: [] },
  { name: 'a continuation', turn: { ...OWNER, wake: 'continuation' }, blocks: [] },
])('$name may have $blocks', ({ turn, blocks }) => {
  expect(blocksOf(turn)).toEqual(blocks)
})

test.each([
  { name: 'no text', text: '', blocks: NOT_RELEVANT },
  { name: 'below the bound', text: 'x'.repeat(MAX_SHORT_TEXT - 1), blocks: NOT_RELEVANT },
  { name: 'at the bound', text: 'x'.repeat(MAX_SHORT_TEXT), blocks: NOT_RELEVANT },
  { name: 'above the bound', text: 'x'.repeat(MAX_SHORT_TEXT + 1), blocks: ALL },
  { name: 'white space around it', text: `  ${'x'.repeat(MAX_SHORT_TEXT)}\n`, blocks: NOT_RELEVANT },
  { name: 'white space within it', text: `x${' '.repeat(MAX_SHORT_TEXT - 1)}x`, blocks: ALL },
  { name: 'code points of two units', text: '𐀀'.repeat(MAX_SHORT_TEXT), blocks: NOT_RELEVANT },
  { name: 'one more of those', text: '𐀀'.repeat(MAX_SHORT_TEXT + 1), blocks: ALL },
  { name: 'letters that compose', text: 'e\u0301'.repeat(MAX_SHORT_TEXT), blocks: NOT_RELEVANT },
  { name: 'letters that do not', text: 'x\u0301'.repeat(MAX_SHORT_TEXT / 2 + 1), blocks: ALL },
])('of a short text nothing possibly relevant: $name', ({ text, blocks }) => {
  expect(MAX_SHORT_TEXT).toBe(16)
  expect(blocksOf(OWNER, text)).toEqual(blocks)
})

test.each([
  { mode: 'hybrid', permitted: ALL, blocks: ALL },
  { mode: 'lexical', permitted: ALL, blocks: ['profile'] },
  { mode: 'lexical', permitted: ['relevant'], blocks: [] },
  { mode: 'lexical', permitted: [], blocks: [] },
] as const)('a $mode lookup shows $blocks of $permitted', ({ mode, permitted, blocks }) => {
  expect(shownBlocks(permitted, mode)).toEqual(blocks)
})
