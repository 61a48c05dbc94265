import type { ReviewLine } from '../../../src/capture/contract/parse-review.js'
import type { ExtractionContext } from '../../../src/capture/contract/parse-extraction.js'
import { parseExtraction } from '../../../src/capture/contract/parse-extraction.js'
import { parseReconcile } from '../../../src/capture/contract/parse-reconcile.js'
import { parseReview } from '../../../src/capture/contract/parse-review.js'

/** What was said in the turn that the answers below are about. */
export const TURN_TEXT = [
  'User: I moved to Graz last week, and Ana started at Acme.',
  'I prefer  tea.\tThe flat <!--mem is 62 m² --> big.',
  'Assistant: Noted. The build failed once, then passed.',
  'Пользователь: Я купил MacBook Pro.',
].join('\n')

export const CONTEXT: ExtractionContext = { turnTexts: [TURN_TEXT], language: 'speaker', intentLifecycle: false }

/** An answer that uses every field. Rebuilt for each test, which changes one thing of it. */
export function validExtraction() {
  return {
    memories: [
      {
        type: 'note',
        text: 'The user moved to Graz in the week before 2026-09-08.',
        salience: 0.7,
        source: 'user',
        quote: 'I moved to Graz last week',
        entities: ['person:owner', 'place:graz'],
        labels: [
          {
            kind: 'fact',
            entity: 'person:owner',
            key: 'home_location',
            value: { type: 'entity', entityId: 'place:graz' },
            quote: 'I moved to Graz',
            validFrom: '2026-09-01',
            validTo: '2027-09-01T00:00:00+02:00',
          },
          { kind: 'preference', scope: 'agent', quote: 'I prefer tea' },
          { kind: 'lesson', scope: 'project:memory', tool: 'build', quote: 'The build failed once, then passed.' },
        ],
        due: '2026-09-30',
        validFrom: '2026-09-01T08:00:00Z',
        validTo: '2026-09-30',
      },
      {
        type: 'event',
        text: 'Ana started at Acme.',
        salience: 0,
        source: 'assistant',
        quote: 'Ana started at Acme',
        entities: ['person:ana'],
        labels: [
          {
            kind: 'fact',
            entity: 'person:ana',
            key: 'relationship',
            value: { type: 'relationship', role: 'friend', target: 'Owner' },
            quote: 'Ana',
          },
          {
            kind: 'fact',
            entity: 'person:ana',
            key: 'birth_date',
            value: { type: 'date', date: '1990-02-28' },
            quote: 'Ana',
          },
          {
            kind: 'fact',
            entity: 'person:ana',
            key: 'other:shoe-size',
            value: { type: 'text', text: '38' },
            quote: 'Ana',
          },
        ],
      },
    ],
    entities: [
      { id: 'place:graz', name: 'Graz', type: 'place', summary: 'A city in Styria.' },
      { id: 'person:ana', name: 'Ana', type: 'person' },
      { id: 'org:acme', name: 'Acme', type: 'org' },
    ],
    relations: [{ src: 'person:ana', relation: 'works_at', dst: 'org:acme', memories: [1] }],
  }
}

export const LINES: readonly ReviewLine[] = [
  { index: 0, source: 'user', text: 'The user likes tea.', quote: 'I like tea' },
  { index: 3, source: 'assistant', text: 'Vienna is in Austria.', quote: 'Vienna is in Austria' },
]

export const validReview = () => ({
  decisions: [
    { index: 0, action: 'preference' },
    { index: 3, action: 'drop' },
  ],
})

const memory = { quote: 'I drink green tea in Graz' }

export const ENTRIES = [
  { memory, candidates: [{ alias: 'm1' }, { alias: 'm2' }] },
  { memory, candidates: [{ alias: 'm2' }, { alias: 'm3' }] },
  { memory, candidates: [{ alias: 'm3' }] },
  { memory, candidates: [] },
]

export const validReconcile = () => ({
  decisions: [
    { index: 0, action: 'NOOP', target: 'm1' },
    { index: 1, action: 'UPDATE', target: 'm2', text: 'The user drinks green tea.' },
    { index: 2, action: 'SUPERSEDE', target: 'm3', text: 'The user lives in Graz.' },
    { index: 3, action: 'ADD' },
  ],
})

export const extract = (completion: string, context: Partial<ExtractionContext> = {}) =>
  parseExtraction(completion, { ...CONTEXT, ...context })
export const review = (completion: string) => parseReview(completion, LINES)
export const reconcile = (completion: string, language = 'speaker') => parseReconcile(completion, ENTRIES, language)
