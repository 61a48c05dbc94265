import { Command } from 'commander'
import { rebuildMemoryIndex } from '@mono-agent/memory-bujo'
import { createProgress } from '../output/progress.js'
import { count, facts } from '../output/text.js'
import type { Execute } from '../types.js'

type RebuildReport = Awaited<ReturnType<typeof rebuildMemoryIndex>>

export function rebuildCommand(execute: Execute): Command {
  return new Command('rebuild')
    .description('Build the index anew from the Markdown, validate it and switch to it. Needs the stopped store.')
    .action(() =>
      execute(async ({ config, host }) => {
        const progress = createProgress(host.isErrTerminal)
        try {
          const report = await rebuildMemoryIndex({
            path: config.path,
            mode: config.mode,
            onProgress: (done, total) => progress.update(done, total, `${done} of ${count(total, 'day file')}`),
          })
          return { json: report, text: formatReport(report) }
        } finally {
          progress.stop()
        }
      }),
    )
}

function formatReport({ generation, indexed, skipped }: RebuildReport): string {
  const summary = facts([
    ['generation', generation],
    ['indexed', indexed],
    ['skipped, unstructured', skipped.unstructured],
    ['skipped, no identity', skipped.missingIdentity.length],
    ['skipped, id used before', skipped.duplicateIds.length],
  ])
  const places = [...skipped.missingIdentity, ...skipped.duplicateIds]
  return places.length === 0 ? summary : `${summary}\n\n${places.map((place) => `  ${place}`).join('\n')}`
}
