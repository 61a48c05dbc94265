import { describe, expect, test, vi } from 'vitest'
import { createEvents } from '../src/events.js'

const BUSY = { kind: 'projection_failed', code: 'file_busy', attemptCounted: false, turns: 3 } as const

describe('events', () => {
  test('reach the listener as they are and the logger as one line', () => {
    const onEvent = vi.fn()
    const logger = { info: vi.fn(), warn: vi.fn() }
    const events = createEvents({ onEvent, logger })
    events.emit(BUSY)
    events.emit({ kind: 'index_built', generation: 'g1', indexed: 2 })
    expect(onEvent).toHaveBeenCalledWith(BUSY)
    expect(logger.warn.mock.calls).toEqual([['memory projection_failed code="file_busy" attemptCounted=false turns=3']])
    expect(logger.info.mock.calls).toEqual([['memory index_built generation="g1" indexed=2']])
    expect(events.failures()).toBe(0)
  })

  test('a listener that throws, one that rejects and a logger that throws are counted, each once', async () => {
    const fail = (): never => {
      throw new Error('x')
    }
    const throwing = createEvents({ onEvent: fail, logger: { info: fail, warn: fail } })
    throwing.emit(BUSY)
    expect(throwing.failures()).toBe(2)
    const rejecting = createEvents({ onEvent: () => Promise.reject(new Error('x')) })
    rejecting.emit(BUSY)
    await Promise.resolve().then(() => undefined)
    expect(rejecting.failures()).toBe(1)
  })
})
