import { Command } from 'commander'
import type { OwnerProfile } from '@mono-agent/memory-bujo'
import { STALE_NOTE } from '../output/memories.js'
import { printableLines } from '../output/text.js'
import type { Execute } from '../types.js'

const OFF = 'note: `profile.enabled` is off: no agent is shown this.'

/** Why there is none, in words. */
const ABSENT: Readonly<Record<NonNullable<OwnerProfile['absent']>, string>> = {
  not_bujo: 'only bujo learns facts and preferences that one could be made from',
  no_labels: 'no memory holds a fact of the owner or a preference for the agent',
  none_eligible:
    'of the facts and preferences of the owner none is an open note that stands, has no `due`, is vouched for by the owner alone and contradicts no other',
  no_room: 'its lines are longer than `maxBytes` allows',
}

export function profileCommand(execute: Execute): Command {
  return new Command('profile')
    .description(
      'Show the owner profile as an agent is shown it, or why there is none; also where `profile.enabled` is off.',
    )
    .action(() =>
      execute(({ withReader, hasConfiguration }) =>
        withReader(async (reader) => {
          const { enabled, ...profile } = await reader.profile()
          const { text, absent, stale } = profile
          const isOff = hasConfiguration && !enabled && absent === undefined
          return {
            json: hasConfiguration ? { enabled, ...profile } : profile,
            text: absent === undefined ? printableLines(text) : `There is no owner profile: ${ABSENT[absent]}.`,
            diagnostics: [...(isOff ? [OFF] : []), ...(stale ? [STALE_NOTE] : [])],
          }
        }),
      ),
    )
}
