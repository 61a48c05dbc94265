import { expect, test } from 'vitest'
import { isLowSignal } from '@mono-agent/memory-intake'

test.each<{ answer: string | undefined; low: boolean }>([
  { answer: 'NOTHING_TO_REPORT', low: true },
  { answer: '  NOTHING_TO_REPORT \n\n', low: true },
  { answer: '\u00a0\tNOTHING_TO_REPORT\u3000', low: true },
  { answer: 'I looked at the inbox.\nNOTHING_TO_REPORT', low: true },
  { answer: 'I looked at the inbox.\r\n\r\n  NOTHING_TO_REPORT  \r\n', low: true },
  { answer: 'I looked.\u2028NOTHING_TO_REPORT', low: true },
  { answer: undefined, low: false },
  { answer: '', low: false },
  { answer: 'nothing_to_report', low: false },
  { answer: 'Nothing to report', low: false },
  { answer: 'NOTHING_TO_REPORT.', low: false },
  { answer: '**NOTHING_TO_REPORT**', low: false },
  { answer: 'NOTHING_TO_REPORT_YET', low: false },
  { answer: 'I shall not answer NOTHING_TO_REPORT', low: false },
  { answer: 'NOTHING_TO_REPORT\nbut the heating is off', low: false },
  { answer: 'NOTHING_TO_REPORT NOTHING_TO_REPORT', low: false },
  { answer: 'test', low: false },
  { answer: 'ping', low: false },
  { answer: 'ok', low: false },
])('low signal (INT-14): $answer → $low', ({ answer, low }) => expect(isLowSignal(answer)).toBe(low))
