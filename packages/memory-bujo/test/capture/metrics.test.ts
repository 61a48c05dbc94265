import { expect, test } from 'vitest'
import { CaptureMetrics } from '../../src/capture/metrics.js'
import type { ChatUsage } from '../../src/index.js'

test.each<[string, unknown, number]>([
  ['a count', 12, 12],
  ['nothing', undefined, 0],
  ['null', null, 0],
  ['a text', 'What the user said.', 0],
  ['a number in a text', '12', 0],
  ['no number', Number.NaN, 0],
  ['no end', Number.POSITIVE_INFINITY, 0],
  ['less than nothing', -3, 0],
  ['half a token', 0.5, 0],
])('tokens that a model of the host reports: %s (CAP-27)', (_name, reported, counted) => {
  const metrics = new CaptureMetrics()
  metrics.called('extract', 1, { promptTokens: reported, completionTokens: reported } as ChatUsage)
  expect(metrics.counts().tokens).toEqual({ prompt: counted, completion: counted })
})
