import type { MemoryLabel } from '@mono-agent/memory-store'

export interface Validity {
  readonly validFrom?: string
  readonly validTo?: string
}

/**
 * Puts the validity of a memory onto its fact labels, the coarse one included, which is where a line keeps it. A label that
 * names a validity of its own, even half of one, keeps that: halves of two could end before they begin.
 */
export function withValidity(labels: readonly MemoryLabel[], { validFrom, validTo }: Validity): MemoryLabel[] {
  const given = {
    ...(validFrom === undefined ? {} : { validFrom }),
    ...(validTo === undefined ? {} : { validTo }),
  }
  return labels.map((label) =>
    label.kind === 'fact' && label.validFrom === undefined && label.validTo === undefined
      ? { ...label, ...given }
      : label,
  )
}
