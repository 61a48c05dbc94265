import { describe, expect, test } from 'vitest'
import { ContractError, type ContractReason } from '../../../src/capture/contract/contract-error.js'
import { extract, validExtraction } from './answers.js'

type Answer = ReturnType<typeof validExtraction>
type Loose = Record<string, any> // eslint-disable-line @typescript-eslint/no-explicit-any
type Change = (memory: Loose, answer: Loose) => void

/** The valid answer with one change to its first memory, or to the whole. */
function changed(change: Change): string {
  const answer = validExtraction() as Answer & Loose
  change(answer.memories[0] as Loose, answer)
  return JSON.stringify(answer)
}

const valid = JSON.stringify(validExtraction())
const repeated = (count: number, of: unknown): unknown[] => Array.from({ length: count }, () => of)
const label = (memory: Loose, at: number): Loose => (memory['labels'] as Loose[])[at] as Loose

const completions: readonly (readonly [name: string, completion: string, reason: ContractReason])[] = [
  ['a completion of 262,145 units', valid.padEnd(262_145), 'too_long'],
  ['an empty completion', '', 'empty'],
  ['white space', ' \n\t\r ', 'empty'],
  ['a think block alone', '<think>hm</think>', 'empty'],
  ['an empty fence', '```json\n```', 'empty'],
  ['a think block that does not end', `<think>${valid}`, 'unclosed_wrapper'],
  ['a fence that does not end', `\`\`\`json\n${valid}`, 'unclosed_wrapper'],
  ['prose after a fence', `\`\`\`json\n${valid}\n\`\`\`\nDone.`, 'unclosed_wrapper'],
  ['prose before the answer', `Here it is: ${valid}`, 'not_json'],
  ['prose after the answer', `${valid} Done.`, 'not_json'],
  ['a think block after the answer', `${valid}<think>hm</think>`, 'not_json'],
  ['two think blocks', `<think>a</think><think>b</think>${valid}`, 'not_json'],
  ['a think block inside a fence', `\`\`\`\n<think>a</think>${valid}\n\`\`\``, 'not_json'],
  ['two fences', `\`\`\`json\n\`\`\`json\n${valid}\n\`\`\`\n\`\`\``, 'not_json'],
  ['a fence of another language', `\`\`\`yaml\n${valid}\n\`\`\``, 'not_json'],
  ['tildes as a fence', `~~~\n${valid}\n~~~`, 'not_json'],
  ['another tag of reasoning', `<thinking>a</thinking>${valid}`, 'not_json'],
  ['a byte order mark', `\uFEFF${valid}`, 'not_json'],
  ['two values', `${valid}${valid}`, 'not_json'],
  ['two values on two lines', `${valid}\n${valid}`, 'not_json'],
  ['a trailing comma in an array', '{"memories":[],"entities":[],"relations":[],}', 'not_json'],
  ['a trailing comma in an object', valid.replace(/}]}$/, '},]}'), 'not_json'],
  ['a comment', `/* sure */ ${valid}`, 'not_json'],
  ['a line comment', `${valid} // sure`, 'not_json'],
  ['single quotes', "{'memories':[],'entities':[],'relations':[]}", 'not_json'],
  ['a bare key', '{memories:[],"entities":[],"relations":[]}', 'not_json'],
  ['NaN as salience', valid.replace('0.7', 'NaN'), 'not_json'],
  ['Infinity as salience', valid.replace('0.7', 'Infinity'), 'not_json'],
  ['a number with a leading plus', valid.replace('0.7', '+0.7'), 'not_json'],
  ['a number without its zero', valid.replace('0.7', '.7'), 'not_json'],
  ['a raw line break in a string', valid.replace('Ana started', 'Ana\nstarted'), 'not_json'],
  ['half an answer', valid.slice(0, 200), 'not_json'],
  ['arrays 17 deep', `${'['.repeat(17)}${']'.repeat(17)}`, 'too_deep'],
  ['arrays 100,000 deep', `${'['.repeat(100_000)}${']'.repeat(100_000)}`, 'too_deep'],
  [
    'depth that an equal key hides',
    `{"memories":${'['.repeat(90_000)}${']'.repeat(90_000)},"memories":[],"entities":[],"relations":[]}`,
    'too_deep',
  ],
  ['a key twice', '{"memories":[],"entities":[],"relations":[],"memories":[]}', 'duplicate_key'],
  ['a key twice in a memory', valid.replace('"salience":0.7', '"salience":0.1,"salience":0.7'), 'duplicate_key'],
  ['a key twice, once escaped', valid.replace('"type":"note"', '"type":"note","\\u0074ype":"note"'), 'duplicate_key'],
  ['an array instead of an object', '[]', 'wrong_type'],
  ['null', 'null', 'wrong_type'],
  ['a string that holds the answer', JSON.stringify(valid), 'wrong_type'],
  ['an empty object', '{}', 'missing_field'],
  ['a number beyond all bounds', valid.replace('0.7', '1e999'), 'wrong_type'],
]

const changes: readonly (readonly [name: string, change: Change, reason: ContractReason])[] = [
  ['no array of memories', (_, answer) => delete answer['memories'], 'missing_field'],
  ['no array of entities', (_, answer) => delete answer['entities'], 'missing_field'],
  ['no array of relations', (_, answer) => delete answer['relations'], 'missing_field'],
  ['null for an array', (_, answer) => (answer['relations'] = null), 'wrong_type'],
  ['an object for an array', (_, answer) => (answer['entities'] = {}), 'wrong_type'],
  ['a field beside the arrays', (_, answer) => (answer['summary'] = 'x'), 'unknown_field'],
  ['an own __proto__', (memory) => Object.defineProperty(memory, '__proto__', { value: 1, enumerable: true }), 'unknown_field'], // prettier-ignore
  ['nine memories', (memory, answer) => (answer['memories'] = repeated(9, memory)), 'too_many'],
  ['a string for a memory', (_, answer) => (answer['memories'] = ['Ana']), 'wrong_type'],
  ['a memory without labels', (memory) => delete memory['labels'], 'missing_field'],
  ['a memory without entities', (memory) => delete memory['entities'], 'missing_field'],
  ['a memory without a quote', (memory) => delete memory['quote'], 'missing_field'],
  ['a memory without a type', (memory) => delete memory['type'], 'missing_field'],
  ['a memory with a confidence', (memory) => (memory['confidence'] = 1), 'unknown_field'],
  ['an intention where they are off', (memory) => (memory['intentState'] = 'planned'), 'unknown_field'],
  ['a type of memory that is none', (memory) => (memory['type'] = 'fact'), 'unknown_value'],
  ['a type in capitals', (memory) => (memory['type'] = 'NOTE'), 'unknown_value'],
  ['a number as type', (memory) => (memory['type'] = 1), 'wrong_type'],
  ['a source that is none', (memory) => (memory['source'] = 'system'), 'unknown_value'],
  ['null as due', (memory) => (memory['due'] = null), 'wrong_type'],
  ['salience 1.5', (memory) => (memory['salience'] = 1.5), 'out_of_range'],
  ['salience just above 1', (memory) => (memory['salience'] = 1.0000001), 'out_of_range'],
  ['salience below 0', (memory) => (memory['salience'] = -0.1), 'out_of_range'],
  ['salience in per cent', (memory) => (memory['salience'] = 70), 'out_of_range'],
  ['salience "0.7"', (memory) => (memory['salience'] = '0.7'), 'wrong_type'],
  ['salience true', (memory) => (memory['salience'] = true), 'wrong_type'],
  ['text that is empty', (memory) => (memory['text'] = ''), 'text_empty'],
  ['text of white space', (memory) => (memory['text'] = ' \u3000'), 'text_empty'],
  ['text of 2,049 bytes', (memory) => (memory['text'] = 'a'.repeat(2_049)), 'text_too_long'],
  ['text of 2,049 bytes in Greek', (memory) => (memory['text'] = `${'α'.repeat(1_024)}a`), 'text_too_long'],
  ['text with a space at its end', (memory) => (memory['text'] = 'Ana. '), 'text_unsafe'],
  ['text of two lines', (memory) => (memory['text'] = 'Ana.\nBob.'), 'text_unsafe'],
  ['text with a paragraph separator', (memory) => (memory['text'] = 'Ana.\u2029Bob.'), 'text_unsafe'],
  ['text with an escape character', (memory) => (memory['text'] = 'Ana \u001b[31mred'), 'text_unsafe'],
  ['text with NUL', (memory) => (memory['text'] = 'Ana\u0000'), 'text_unsafe'],
  ['text with a bidi override', (memory) => (memory['text'] = 'Ana \u202Egnp.exe'), 'text_unsafe'],
  ['text with a bidi isolate', (memory) => (memory['text'] = '\u2066Ana\u2069'), 'text_unsafe'],
  ['text with a zero-width space', (memory) => (memory['text'] = 'An\u200Ba'), 'text_unsafe'],
  ['text with hidden tags', (memory) => (memory['text'] = 'Ana\u{E0041}\u{E0042}'), 'text_unsafe'],
  ['text with half a surrogate pair', (memory) => (memory['text'] = 'Ana \ud83d'), 'text_unsafe'],
  ['text with a metadata comment', (memory) => (memory['text'] = 'Ana <!--mem id=1-->'), 'text_unsafe'],
  ['an empty quote', (memory) => (memory['quote'] = ''), 'text_empty'],
  ['a quote of line breaks', (memory) => (memory['quote'] = '\n\n'), 'text_empty'],
  ['a quote of 1,025 bytes', (memory) => (memory['quote'] = 'a'.repeat(1_025)), 'text_too_long'],
  ['a quote with a control character', (memory) => (memory['quote'] = 'I moved\u0007'), 'text_unsafe'],
  ['a quote with a bidi mark', (memory) => (memory['quote'] = 'I moved\u200F to Graz'), 'text_unsafe'],
  ['a quote that nobody said', (memory) => (memory['quote'] = 'I moved to Linz'), 'quote_not_in_turn'],
  ['a quote in another case', (memory) => (memory['quote'] = 'i moved to graz'), 'quote_not_in_turn'],
  ['a quote with an ellipsis', (memory) => (memory['quote'] = 'I moved … last week'), 'quote_not_in_turn'],
  ['a translated memory', (memory) => (memory['text'] = 'Пользователь переехал в Грац.'), 'language_mismatch'],
  ['an English memory of a Russian quote', (memory) => { memory['quote'] = 'Я купил MacBook Pro.'; memory['text'] = 'The user bought a computer.' }, 'language_mismatch'], // prettier-ignore
  ['nine entities of a memory', (memory) => (memory['entities'] = repeated(9, 'place:graz')), 'too_many'],
  ['an entity id without a type', (memory) => (memory['entities'] = ['graz']), 'id_invalid'],
  ['an entity id in capitals', (memory) => (memory['entities'] = ['Place:graz']), 'id_invalid'],
  ['the owner’s id in capitals', (memory) => (memory['entities'] = ['person:Owner']), 'id_invalid'],
  ['the owner’s id in wide letters', (memory) => (memory['entities'] = ['person:ｏｗｎｅｒ']), 'id_invalid'],
  ['an entity id with a space', (memory) => (memory['entities'] = ['place:st polten']), 'id_invalid'],
  ['an entity id with a colon too many', (memory) => (memory['entities'] = ['place:at:graz']), 'id_invalid'],
  ['an entity id of 129 in its slug', (memory) => (memory['entities'] = [`place:${'a'.repeat(129)}`]), 'id_invalid'],
  ['an entity that is not declared', (memory) => (memory['entities'] = ['place:linz']), 'entity_undeclared'],
  [
    'an entity twice in a memory',
    (memory) => (memory['entities'] = ['place:graz', 'place:graz']),
    'reference_repeated',
  ],
  ['a due day that does not exist', (memory) => (memory['due'] = '2026-02-30'), 'date_invalid'],
  ['a due date in words', (memory) => (memory['due'] = 'next Friday'), 'date_invalid'],
  ['a due month', (memory) => (memory['due'] = '2026-09'), 'date_invalid'],
  ['an instant without an offset', (memory) => (memory['validFrom'] = '2026-09-01T08:00:00'), 'date_invalid'],
  ['a validity that ends before it begins', (memory) => (memory['validTo'] = '2026-08-31'), 'validity_reversed'],
  ['a validity that ends an instant too early', (memory) => (memory['validTo'] = '2026-09-01T07:59:59.999Z'), 'validity_reversed'], // prettier-ignore
  ['seven labels', (memory) => (memory['labels'] = repeated(7, label(memory, 1))), 'too_many'],
  ['a kind of label that is none', (memory) => (label(memory, 1)['kind'] = 'opinion'), 'unknown_value'],
  ['a label without a kind', (memory) => delete label(memory, 1)['kind'], 'missing_field'],
  ['a label without a quote', (memory) => delete label(memory, 1)['quote'], 'missing_field'],
  [
    'a label that names its attribution',
    (memory) => (label(memory, 1)['attribution'] = 'user-stated'),
    'unknown_field',
  ],
  ['a lesson that calls itself verified', (memory) => (label(memory, 2)['verified'] = true), 'unknown_field'],
  ['a label quote with a control character', (memory) => (label(memory, 1)['quote'] = 'a\u0001'), 'text_unsafe'],
  ['a scope of the store', (memory) => (label(memory, 1)['scope'] = 'user:ana'), 'scope_invalid'],
  ['a scope of a conversation by name', (memory) => (label(memory, 1)['scope'] = 'conversation:c1'), 'scope_invalid'],
  ['a project without a name', (memory) => (label(memory, 1)['scope'] = 'project:'), 'scope_invalid'],
  [
    'a project of 65 characters',
    (memory) => (label(memory, 1)['scope'] = `project:${'a'.repeat(65)}`),
    'scope_invalid',
  ],
  ['a scope that is no text', (memory) => (label(memory, 1)['scope'] = ['agent']), 'wrong_type'],
  ['a label without a scope', (memory) => delete label(memory, 1)['scope'], 'missing_field'],
  ['a tool of 65 characters', (memory) => (label(memory, 2)['tool'] = 'a'.repeat(65)), 'text_too_long'],
  ['a fact key that is none', (memory) => (label(memory, 0)['key'] = 'shoe_size'), 'fact_key_invalid'],
  ['an other: key in capitals', (memory) => (label(memory, 0)['key'] = 'other:Shoe'), 'fact_key_invalid'],
  ['an inherited name as a key', (memory) => (label(memory, 0)['key'] = 'constructor'), 'fact_key_invalid'],
  ['a coarse fact', (memory) => delete label(memory, 0)['key'], 'missing_field'],
  [
    'a value of a type its key does not take',
    (memory) => (label(memory, 0)['key'] = 'birth_date'),
    'fact_value_invalid',
  ],
  ['a date that is no day', (memory) => { label(memory, 0)['key'] = 'birth_date'; label(memory, 0)['value'] = { type: 'date', date: '1990' } }, 'fact_value_invalid'], // prettier-ignore
  ['a text of 161 characters', (memory) => (label(memory, 0)['value'] = { type: 'text', text: 'a'.repeat(161) }), 'fact_value_invalid'], // prettier-ignore
  ['a value of two types', (memory) => ((label(memory, 0)['value'] as Loose)['text'] = 'Graz'), 'unknown_field'],
  ['a value that is a bare text', (memory) => (label(memory, 0)['value'] = 'Graz'), 'wrong_type'],
  ['a fact about an entity not declared', (memory) => (label(memory, 0)['entity'] = 'person:bob'), 'entity_undeclared'],
  ['a fact valued with one not declared', (memory) => ((label(memory, 0)['value'] as Loose)['entityId'] = 'place:linz'), 'entity_undeclared'], // prettier-ignore
  ['a fact whose validity is reversed', (memory) => (label(memory, 0)['validTo'] = '2026-08-31'), 'validity_reversed'],
  ['seventeen entities', (_, answer) => (answer['entities'] = Array.from({ length: 17 }, (__, at) => ({ id: `org:o${at}`, name: 'O', type: 'org' }))), 'too_many'], // prettier-ignore
  ['an entity declared twice', (_, answer) => (answer['entities'] as unknown[]).push({ id: 'org:acme', name: 'ACME', type: 'org' }), 'entity_declared_twice'], // prettier-ignore
  ['an entity of another type than its id', (_, answer) => ((answer['entities'] as Loose[])[2]!['type'] = 'company'), 'type_invalid'], // prettier-ignore
  ['an entity without a name', (_, answer) => delete (answer['entities'] as Loose[])[2]!['name'], 'missing_field'],
  ['a name of 161 characters', (_, answer) => ((answer['entities'] as Loose[])[2]!['name'] = '𝒜'.repeat(161)), 'text_too_long'], // prettier-ignore
  ['a summary of 513 bytes', (_, answer) => ((answer['entities'] as Loose[])[0]!['summary'] = 'a'.repeat(513)), 'text_too_long'], // prettier-ignore
  ['an entity with an alias', (_, answer) => ((answer['entities'] as Loose[])[0]!['alias'] = 'G'), 'unknown_field'],
  ['seventeen relations', (_, answer) => (answer['relations'] = repeated(17, (answer['relations'] as unknown[])[0])), 'too_many'], // prettier-ignore
  ['a relation in capitals', (_, answer) => ((answer['relations'] as Loose[])[0]!['relation'] = 'Works_At'), 'name_invalid'], // prettier-ignore
  ['a relation of two words', (_, answer) => ((answer['relations'] as Loose[])[0]!['relation'] = 'works at'), 'name_invalid'], // prettier-ignore
  ['a relation of 65 characters', (_, answer) => ((answer['relations'] as Loose[])[0]!['relation'] = 'a'.repeat(65)), 'name_invalid'], // prettier-ignore
  ['a relation to an entity not declared', (_, answer) => ((answer['relations'] as Loose[])[0]!['dst'] = 'org:b'), 'entity_undeclared'], // prettier-ignore
  ['a relation from an entity not declared', (_, answer) => ((answer['relations'] as Loose[])[0]!['src'] = 'org:b'), 'entity_undeclared'], // prettier-ignore
  ['a relation that no memory says', (_, answer) => ((answer['relations'] as Loose[])[0]!['memories'] = []), 'too_few'],
  ['a relation by a memory that is not there', (_, answer) => ((answer['relations'] as Loose[])[0]!['memories'] = [2]), 'out_of_range'], // prettier-ignore
  ['a relation by memory 8', (_, answer) => ((answer['relations'] as Loose[])[0]!['memories'] = [8]), 'out_of_range'],
  ['a relation by memory -1', (_, answer) => ((answer['relations'] as Loose[])[0]!['memories'] = [-1]), 'out_of_range'],
  [
    'a relation by half a memory',
    (_, answer) => ((answer['relations'] as Loose[])[0]!['memories'] = [0.5]),
    'wrong_type',
  ],
  ['a relation by the text of a number', (_, answer) => ((answer['relations'] as Loose[])[0]!['memories'] = ['1']), 'wrong_type'], // prettier-ignore
  ['a relation by one memory twice', (_, answer) => ((answer['relations'] as Loose[])[0]!['memories'] = [1, 1]), 'reference_repeated'], // prettier-ignore
]

function refusal(run: () => unknown): ContractError {
  try {
    run()
  } catch (error) {
    if (error instanceof ContractError) return error
    throw error
  }
  throw new Error('It was accepted.')
}

describe('an extraction is refused', () => {
  test.each(completions)('for %s', (_, completion, reason) => {
    expect(refusal(() => extract(completion)).reason).toBe(reason)
  })

  test.each(changes)('for %s', (_, change, reason) => {
    expect(refusal(() => extract(changed(change))).reason).toBe(reason)
  })

  test('by an error that says where, and nothing of what the model said', () => {
    const error = refusal(() => extract(changed((memory) => (label(memory, 1)['secretary'] = 'topsecret'))))
    expect(error.code).toBe('model_output_invalid')
    expect(error.message).toContain('memories[0].labels[1]')
    expect(error.message).not.toContain('secret')
    expect(error.cause).toBeUndefined()
  })
})
