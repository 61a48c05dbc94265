import { Command } from 'commander'
import { rebuildMemoryIndex } from '@mono-agent/memory-bujo'
import { untilInterrupted } from '../output/interrupted.js'
import { createProgress } from '../output/progress.js'
import { count, facts } from '../output/text.js'
import type { CommandResult, Execute, Session } from '../types.js'

type RebuildReport = Awaited<ReturnType<typeof rebuildMemoryIndex>>

const STOPPED =
  'Stopped. The former index is still in use. Run the same command again: vectors that were made are kept.'

export function rebuildCommand(execute: Execute): Command {
  return new Command('rebuild')
    .description(
      'Build the index anew from the Markdown, validate it and switch to it. Needs the stopped store. ' +
        'Can be stopped and run again: no vector is made twice.',
    )
    .action(() => execute(rebuild))
}

function rebuild({ access, host }: Session): Promise<CommandResult> {
  const signal = host.interruption()
  const files = createProgress(host.isErrTerminal)
  const vectors = createProgress(host.isErrTerminal)
  return untilInterrupted(signal, STOPPED, async () => {
    try {
      const report = await rebuildMemoryIndex({
        ...access,
        signal,
        onProgress(done, total) {
          signal.throwIfAborted()
          files.update(done, total, `${done} of ${count(total, 'day file')}`)
        },
        onVectorProgress(done, total) {
          files.stop()
          vectors.update(done, total, `${done} of ${count(total, 'vector')}`)
        },
      })
      return { json: report, text: formatReport(report) }
    } finally {
      files.stop()
      vectors.stop()
    }
  })
}

function formatReport({ generation, indexed, skipped, vectors }: RebuildReport): string {
  const summary = facts([
    ['generation', generation],
    ['indexed', indexed],
    ['vectors carried over', vectors?.carriedOver],
    ['vectors made', vectors?.embedded],
    ['vectors refused by the service', vectors?.refused],
    ['skipped, unstructured', skipped.unstructured],
    ['skipped, no identity', skipped.missingIdentity.length],
    ['skipped, id used before', skipped.duplicateIds.length],
  ])
  const places = [...skipped.missingIdentity, ...skipped.duplicateIds]
  return places.length === 0 ? summary : `${summary}\n\n${places.map((place) => `  ${place}`).join('\n')}`
}
