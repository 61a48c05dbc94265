import { describe, expect, test } from 'vitest'
import { EMBEDDING_ERRORS } from '@mono-agent/memory-bujo'
import { formatCalibration } from '../src/output/calibration.js'
import { missingVectorDiagnostics } from '../src/output/ingest-report.js'
import { degradedNote, reasonInWords } from '../src/output/service-reasons.js'

describe('reasons', () => {
  test.each([...Object.keys(EMBEDDING_ERRORS), 'embedding_slow', 'vectors_pending', 'configuration_needed'])(
    '%s is told in words, with its code',
    (code) => expect(reasonInWords(code)).toMatch(new RegExp(`^[A-Z].+\\. \\(${code}\\)$`)),
  )

  test('an unknown one is shown as it is', () => expect(reasonInWords('newer')).toBe('newer'))

  test('only what was answered by words alone is called so', () => {
    expect(degradedNote('vectors_pending')).not.toContain('words alone:')
    expect(degradedNote('embedding_slow')).toContain('answered by words alone: ')
  })
})

test('memories without a vector are told, with the reason if one is known, and only then', () => {
  expect(missingVectorDiagnostics({})).toEqual([])
  expect(missingVectorDiagnostics({ missingVectors: 0, vectorsDelayedBy: 'embedding_slow' })).toEqual([])
  expect(missingVectorDiagnostics({ missingVectors: 1 })).toEqual([
    expect.stringContaining('1 memory waits for its vector and is found'),
  ])
  expect(missingVectorDiagnostics({ missingVectors: 2, vectorsDelayedBy: 'embedding_slow' })).toEqual([
    expect.stringMatching(/2 memories wait .*\(embedding_slow\)$/),
  ])
})

const FLOORS = {
  noiseFloor: 0.5,
  automaticFloor: 0.62,
  automaticWindow: 0.04,
  deliberateFloor: 0.65,
  tail: 0.15,
  lexicalWeight: 0,
}

test.each([
  { basis: undefined, words: 'shipped' },
  { basis: { source: 'sentences', languages: ['de', 'en'] }, words: 'measured in de en' },
  { basis: { source: 'queries' }, words: 'by labelled queries' },
  { basis: { source: 'pairs' }, words: 'by pairs of memories' },
] as const)('a calibration $words', ({ basis, words }) => {
  expect(formatCalibration({ ...FLOORS, basis })).toBe(
    `noise 0.50, automatic 0.62 (window 0.04), deliberate 0.65, tail 0.15, words 0.00, ${words}`,
  )
})

test('a model that was not measured is said to be none', () =>
  expect(formatCalibration(undefined)).toMatch(/^none yet/))
