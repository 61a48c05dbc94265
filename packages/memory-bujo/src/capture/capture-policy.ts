import type { MemoryConfig } from '../config.js'
import type { CapturePolicy } from './types.js'

/** What the `capture` block means to the pipeline. */
export function capturePolicyOf({ capture }: Pick<MemoryConfig, 'capture'>): CapturePolicy {
  const { focus, only, intentLifecycle = false, language = 'speaker' } = capture ?? {}
  return {
    ...(focus === undefined ? {} : { focus }),
    ...(only === undefined ? {} : { only }),
    intentLifecycle,
    language,
  }
}
