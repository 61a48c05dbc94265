// Imported before the library: stores of a handful of memories have a sidecar, seal it after a few changes, and build it in
// slices of two records, between which others have their turn.
import { register } from 'node:module'

const changes = [
  [/\bSIDECAR_FROM = 256;/, 'SIDECAR_FROM = 4;'],
  [/\bMIN_UNSEALED = 200;/, 'MIN_UNSEALED = 4;'],
  [/recordsAfter\(db, dimension, after, SLICE\d*\)/, 'recordsAfter(db, dimension, after, 2)'],
]
// A module of its own, by its query: a broken rule registers these hooks as well.
register('./break-code-hooks.mjs?lowered', import.meta.url, { data: { package: 'memory-search', changes } })
