import type { EmbeddingProvider } from '@mono-agent/memory-search'
import { idleWork, openAuditWork, openCaptureWork } from '../capture/capture-work.js'
import { authorityCoverOf, turnStateOf } from '../capture/commit/index.js'
import type { BujoSettings } from '../capture/bujo-settings.js'
import { openCapture, type Capture } from '../capture/open-capture.js'
import type { Host } from '../host.js'
import { hybridReading } from './reading.js'
import type { Tier, TurnWork, WorkParts } from './tier.js'

/** Memories that a chat model curates, with their entity graph; observations go to the audit files alone (CAP-3). */
export function bujoTier(
  embed: EmbeddingProvider,
  settings: BujoSettings,
  host: Pick<Host, 'now' | 'monotonicNow' | 'sleep'>,
): Tier {
  return {
    ...hybridReading('bujo', embed, host),
    authorityCover: ({ intake, ...parts }) => authorityCoverOf(parts, (id) => turnStateOf(intake, id)),
    async openWork(parts) {
      const capture = await openCapture({ ...parts, ...settings, ...host, embed })
      return { ...workOf(settings, capture, parts, host), plannedWrites: capture.writes }
    },
  }
}

function workOf(
  { writeMode }: BujoSettings,
  capture: Capture,
  parts: WorkParts,
  host: Pick<Host, 'now' | 'monotonicNow' | 'sleep'>,
): TurnWork {
  switch (writeMode) {
    case 'capture':
      return openCaptureWork(parts, capture, host)
    case 'append-host-summary':
      return openAuditWork(parts, (id) => capture.hasPlan(id), host)
    case 'disabled':
      return idleWork
  }
}
