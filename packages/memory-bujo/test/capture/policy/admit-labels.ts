import { boundSource } from '../../../src/capture/policy/attribution.js'
import { admitLabels } from '../../../src/capture/policy/labels.js'
import { spokenTexts } from '../../../src/capture/policy/quotation.js'
import type { CaptureTurn, ExtractedLabel, MemorySourceKind } from '../../../src/capture/types.js'
import { ANA, LUND, OWNER_TURN, planned, VOLVO } from './support.js'

const names = new Map([ANA, LUND, VOLVO].map(({ id, name }) => [id, name]))
export const QUOTES: Readonly<Record<MemorySourceKind, string>> = {
  user: 'I prefer green tea',
  assistant: 'Ana works at Volvo',
  document: 'Ana works at Volvo',
  tool: 'it went through with --force',
}

export function admit(
  labels: readonly ExtractedLabel[],
  {
    turn = OWNER_TURN,
    source = 'user',
    text = 'x',
    isTask = false,
  }: { turn?: CaptureTurn; source?: MemorySourceKind; text?: string; isTask?: boolean } = {},
) {
  const memory = planned({ source, quote: QUOTES[source], text, labels })
  const spoken = spokenTexts(turn)
  const context = { turn, spoken, nameOf: (id: string) => names.get(id) }
  return admitLabels(memory, boundSource(memory, turn, spoken), !isTask, context)
}
