import type { StoreCapabilities, TurnSource } from '@mono-agent/memory-store'
import type { MemoryConfig } from './config.js'

const ALL_SOURCES: readonly TurnSource['kind'][] = ['conversation', 'cron', 'webhook', 'peer']

type CapabilityConfig = Pick<
  MemoryConfig,
  'mode' | 'writeMode' | 'capture' | 'recallTool' | 'rememberTool' | 'maxBytes'
>

/** What a store of this configuration offers, opened for writing (REC-29, CAP-22). */
export function capabilitiesOf(config: CapabilityConfig): StoreCapabilities {
  const { mode, writeMode, capture, recallTool, rememberTool, maxBytes } = config
  const detail = mode === 'bujo' ? 'detail' : 'text'
  return {
    recall: recallTool.enabled,
    labels: mode === 'bujo',
    chronology: recallTool.enabled,
    remember: rememberTool.enabled && writeMode !== 'disabled' ? detail : 'none',
    skippedSources:
      writeMode === 'disabled'
        ? ALL_SOURCES
        : ALL_SOURCES.filter((kind) => (kind === 'cron' || kind === 'webhook') && capture?.[kind] === false),
    maxContextBytes: maxBytes,
  }
}

/** The same of one that is only read. */
export function readerCapabilitiesOf(
  config: Pick<MemoryConfig, 'mode' | 'recallTool' | 'maxBytes'>,
): StoreCapabilities {
  const { mode, recallTool, maxBytes } = config
  return {
    recall: recallTool.enabled,
    labels: mode === 'bujo',
    chronology: recallTool.enabled,
    remember: 'none',
    skippedSources: ALL_SOURCES,
    maxContextBytes: maxBytes,
  }
}
