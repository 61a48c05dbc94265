import { Command } from 'commander'
import type { MemoryReader } from '@mono-agent/memory-bujo'
import { bytes, facts } from '../output/text.js'
import { formatCalibration } from '../output/calibration.js'
import { STALE_NOTE } from '../output/memories.js'
import type { Execute } from '../types.js'

type Stats = Awaited<ReturnType<MemoryReader['stats']>>

export function statsCommand(execute: Execute): Command {
  return new Command('stats').description('Count what the store holds.').action(() =>
    execute(({ withReader }) =>
      withReader(async (reader) => {
        const stats = await reader.stats()
        return { json: stats, text: formatStats(stats), ...(stats.stale ? { diagnostics: [STALE_NOTE] } : {}) }
      }),
    ),
  )
}

function formatStats(stats: Stats): string {
  const { intake, runtime, calibration } = stats
  const isSemantic = stats.mode !== 'lite'
  const isCurated = stats.mode === 'bujo'
  return facts([
    ['mode', stats.mode],
    ['memories', stats.memories],
    ...nonZero('  ', stats.byType),
    ...nonZero('  ', stats.byStatus),
    ['superseded', isCurated ? stats.superseded : undefined],
    ['conversations', stats.conversations],
    ['day files', stats.dayFiles],
    ['index', `${bytes(stats.bytes)}, generation ${stats.generation}`],
    ['vectors', isSemantic ? stats.vectors : undefined],
    ['vectors missing', isSemantic ? stats.missingVectors : undefined],
    ['entities', isCurated ? stats.entities : undefined],
    ['relations', isCurated ? stats.relations : undefined],
    ['associations', isCurated ? stats.associations : undefined],
    ['threads', isCurated ? stats.threads : undefined],
    ['calibration', isSemantic ? formatCalibration(calibration) : undefined],
    ['turns pending', intake.pending],
    ['turns due', intake.due],
    ['turns dead', intake.dead],
    ['receipts', intake.resolved],
    ['writer', runtime === undefined ? 'none is running' : `${runtime.state}, since ${runtime.openedAt}`],
  ])
}

function nonZero(indent: string, counts: Readonly<Record<string, number>>): [string, number][] {
  return Object.entries(counts)
    .filter(([, number]) => number > 0)
    .map(([name, number]) => [`${indent}${name}`, number])
}
