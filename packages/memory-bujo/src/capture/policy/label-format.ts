import { canonicalJson, MAX_LABEL_BYTES, parseLabelValue, type MemoryLabel } from '@mono-agent/memory-store'

/** Whether a label can be written so that it reads back: its schema and its 768 bytes (FMT-6). */
export function fitsFormat(label: MemoryLabel): boolean {
  const written = { ...label, v: 1 }
  return parseLabelValue(written) !== undefined && Buffer.byteLength(canonicalJson(written)) <= MAX_LABEL_BYTES
}
