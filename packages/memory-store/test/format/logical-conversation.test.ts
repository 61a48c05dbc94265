import { expect, test } from 'vitest'
import { logicalConversation } from '../../src/index.js'

test.each([
  { name: 'an id without a day', id: 'chat-7', logical: 'chat-7' },
  { name: 'a day of it', id: 'chat-7#2026-05-01', logical: 'chat-7' },
  { name: 'another day of it', id: 'chat-7#2026-12-31', logical: 'chat-7' },
  { name: 'a mark of its own before the day', id: 'room#7#2026-05-01', logical: 'room#7' },
  { name: 'two days: the last one is the bucket', id: 'log#2026-04-30#2026-05-01', logical: 'log#2026-04-30' },
  { name: 'a day that is not the end', id: 'chat#2026-05-01-late', logical: 'chat#2026-05-01-late' },
  { name: 'a day without its mark', id: 'chat-2026-05-01', logical: 'chat-2026-05-01' },
  { name: 'a day with too few digits', id: 'chat#2026-5-1', logical: 'chat#2026-5-1' },
  { name: 'digits of another script', id: 'chat#٢٠٢٦-٠٥-٠١', logical: 'chat#٢٠٢٦-٠٥-٠١' },
  { name: 'a line end after the day', id: 'chat#2026-05-01\n', logical: 'chat#2026-05-01\n' },
  { name: 'nothing but a day', id: '#2026-05-01', logical: '#2026-05-01' },
  { name: 'nothing at all', id: '', logical: '' },
])('$name', ({ id, logical }) => {
  expect(logicalConversation(id)).toBe(logical)
})
