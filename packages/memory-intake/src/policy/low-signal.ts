/** What an agent answers when a scheduled run found nothing worth telling. */
export const NOTHING_TO_REPORT = 'NOTHING_TO_REPORT'

const LINE_BREAK = /\r\n|[\n\r\u2028\u2029]/u

/**
 * Is there nothing to remember about this turn (INT-14)? True if the final answer is `NOTHING_TO_REPORT`, or ends with it
 * on a final line of its own; white space around it does not count, case does. No word lists: `test` and `ping` are
 * turns like others.
 */
export function isLowSignal(finalAnswer: string | undefined): boolean {
  if (finalAnswer === undefined) return false
  return finalAnswer.trim().split(LINE_BREAK).at(-1)?.trim() === NOTHING_TO_REPORT
}
