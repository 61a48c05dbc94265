import { Command } from 'commander'
import type { IntentReview } from '@mono-agent/memory-bujo'
import { formatMemories, STALE_NOTE } from '../output/memories.js'
import { count, type Style } from '../output/text.js'
import type { Execute } from '../types.js'

export function curateCommand(execute: Execute): Command {
  return new Command('curate')
    .description(
      'List the notes that `recall.intentExpiry` takes out of automatic context, dated and done ones, for review before it is switched on. Changes nothing.',
    )
    .action(() =>
      execute(({ withReader, hasConfiguration, style }) =>
        withReader(async (reader) => {
          const { enabled, ...review } = await reader.intentReview()
          const state = hasConfiguration ? `; \`recall.intentExpiry\` is ${enabled ? 'on' : 'off'}` : ''
          return {
            json: hasConfiguration ? { enabled, ...review } : review,
            text: formatReview(review, state, style),
            ...(review.stale ? { diagnostics: [STALE_NOTE] } : {}),
          }
        }),
      ),
    )
}

function formatReview({ notes, absent }: Omit<IntentReview, 'enabled'>, state: string, style: Style): string {
  if (absent !== undefined) return 'There is nothing to review: `recall.intentExpiry` belongs to bujo.'
  const heading = count(notes.length, 'dated or done note') + state
  if (notes.length === 0) return style.strong(heading)
  return [style.strong(heading), formatMemories(notes, style), style.dim(MEND)].join('\n\n')
}

const MEND =
  'Automatic context leaves them out while it is on; a search finds them, as ended once their day is over. To keep one in, ' +
  'take its `due` out of its day file, or mark it open there: `log <id>` names the line.'
