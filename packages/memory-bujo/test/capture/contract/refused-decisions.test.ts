import { describe, expect, test } from 'vitest'
import { ContractError, type ContractReason } from '../../../src/capture/contract/contract-error.js'
import { reconcile, review, validReconcile, validReview } from './answers.js'

type Decision = Record<string, unknown>

/** The valid decisions with those of the given places in place of theirs. */
const withDecisions =
  (valid: () => { decisions: readonly Decision[] }) =>
  (changed: Readonly<Record<number, Decision>>): string =>
    JSON.stringify({ decisions: valid().decisions.map((decision, at) => changed[at] ?? decision) })
const reviewed = withDecisions(validReview)
const reconciled = withDecisions(validReconcile)
const decisions = (...given: Decision[]): string => JSON.stringify({ decisions: given })
const [first, second] = validReview().decisions as unknown as [Decision, Decision]
const [noop, update, supersede, add] = validReconcile().decisions as unknown as [Decision, Decision, Decision, Decision]

function reasonOf(run: () => unknown): ContractReason {
  try {
    run()
  } catch (error) {
    if (error instanceof ContractError) return error.reason
    throw error
  }
  throw new Error('It was accepted.')
}

describe('a review is refused', () => {
  test.each<[string, string, ContractReason]>([
    ['a bare array', JSON.stringify(validReview().decisions), 'wrong_type'],
    ['no decisions', '{}', 'missing_field'],
    ['a remark', JSON.stringify({ ...validReview(), remark: '' }), 'unknown_field'],
    ['a decision missing', decisions(first), 'decision_missing'],
    ['none at all', decisions(), 'decision_missing'],
    ['a decision too many', decisions(first, second, { index: 4, action: 'keep' }), 'decision_surplus'],
    ['nine decisions', decisions(...Array.from({ length: 9 }, () => first)), 'too_many'],
    ['the wrong order', decisions(second, first), 'decision_order'],
    ['one line twice', decisions(first, first), 'decision_order'],
    ['a line that was not shown', reviewed({ 1: { index: 1, action: 'keep' } }), 'decision_order'],
    ['an index below 0', reviewed({ 0: { index: -1, action: 'keep' } }), 'out_of_range'],
    ['an index that is text', reviewed({ 0: { index: '0', action: 'keep' } }), 'wrong_type'],
    ['an action that is none', reviewed({ 0: { index: 0, action: 'delete' } }), 'unknown_value'],
    ['a user line dropped', reviewed({ 0: { index: 0, action: 'drop' } }), 'action_not_allowed'],
    ['a preference of the assistant', reviewed({ 1: { index: 3, action: 'preference' } }), 'action_not_allowed'],
    ['a changed text', reviewed({ 0: { ...first, text: 'x' } }), 'unknown_field'],
    ['no action', reviewed({ 0: { index: 0 } }), 'missing_field'],
    ['a key twice', '{"decisions":[],"decisions":[]}', 'duplicate_key'],
  ])('for %s', (_, completion, reason) => {
    expect(reasonOf(() => review(completion))).toBe(reason)
  })
})

describe('a reconcile is refused', () => {
  test.each<[string, string, ContractReason]>([
    ['a decision missing', decisions(noop, update, supersede), 'decision_missing'],
    ['a decision too many', decisions(noop, update, supersede, add, { index: 4, action: 'ADD' }), 'decision_surplus'],
    ['the wrong order', decisions(update, noop, supersede, add), 'decision_order'],
    ['counting from 1', reconciled({ 0: { ...noop, index: 1 } }), 'decision_order'],
    ['ADD with a target', reconciled({ 3: { ...add, target: 'm3' } }), 'unknown_field'],
    ['ADD with a text', reconciled({ 3: { ...add, text: 'x' } }), 'unknown_field'],
    ['NOOP without a target', reconciled({ 0: { index: 0, action: 'NOOP' } }), 'missing_field'],
    ['NOOP with a text', reconciled({ 0: { ...noop, text: 'x' } }), 'unknown_field'],
    ['NOOP with null for a text', reconciled({ 0: { ...noop, text: null } }), 'unknown_field'],
    ['UPDATE without a text', reconciled({ 1: { index: 1, action: 'UPDATE', target: 'm2' } }), 'missing_field'],
    ['UPDATE without a target', reconciled({ 1: { index: 1, action: 'UPDATE', text: 'x' } }), 'missing_field'],
    ['SUPERSEDE without a text', reconciled({ 2: { index: 2, action: 'SUPERSEDE', target: 'm3' } }), 'missing_field'],
    ['UPDATE with a reason', reconciled({ 1: { ...update, reason: 'x' } }), 'unknown_field'],
    ['an empty text', reconciled({ 1: { ...update, text: '' } }), 'text_empty'],
    ['a text of 2,049 bytes', reconciled({ 1: { ...update, text: 'a'.repeat(2_049) } }), 'text_too_long'],
    ['a text of two lines', reconciled({ 1: { ...update, text: 'a\nb' } }), 'text_unsafe'],
    ['an action in lower case', reconciled({ 3: { index: 3, action: 'add' } }), 'unknown_value'],
    ['an action that is none', reconciled({ 3: { index: 3, action: 'DELETE', target: 'm3' } }), 'unknown_value'],
    ['no action', reconciled({ 3: { index: 3 } }), 'missing_field'],
    ['a list of targets', reconciled({ 0: { ...noop, target: ['m1'] } }), 'wrong_type'],
    ['a target that was never offered', reconciled({ 0: { ...noop, target: 'm9' } }), 'target_not_offered'],
    ['a target of another memory', reconciled({ 0: { ...noop, target: 'm3' } }), 'target_not_offered'],
    ['a target where none was offered', reconciled({ 3: { ...noop, index: 3 } }), 'target_not_offered'],
    [
      'the id of a memory as target',
      reconciled({ 0: { ...noop, target: `r-${'a'.repeat(32)}-1` } }),
      'target_not_offered',
    ],
    ['two decisions on one target', reconciled({ 0: { ...noop, target: 'm2' } }), 'target_repeated'],
    ['two repeats of one target', reconciled({ 1: { ...noop, index: 1, target: 'm3' }, 2: { ...noop, index: 2, target: 'm3' } }), 'target_repeated'], // prettier-ignore
    [
      'a text in another script than the quote',
      reconciled({ 1: { ...update, text: 'Пьёт чай.' } }),
      'language_mismatch',
    ],
    ['no decisions for four memories', decisions(), 'decision_missing'],
    ['nine decisions', decisions(...Array.from({ length: 9 }, (__, index) => ({ index, action: 'ADD' }))), 'too_many'],
  ])('for %s', (_, completion, reason) => {
    expect(reasonOf(() => reconcile(completion))).toBe(reason)
  })
})
