import { IntakeError, type Intake } from '@mono-agent/memory-intake'

/** What became of a turn that a plan names. */
export type TurnState = 'unfinished' | 'settled' | 'unknown'

/** By the id of the turn. One whose receipt was pruned is unknown; its plan went thousands of turns before. */
export async function turnStateOf(intake: Pick<Intake, 'inspect'>, id: string): Promise<TurnState> {
  try {
    const [item] = (await intake.inspect(id)).items
    return item?.state === 'resolved' ? 'settled' : 'unfinished'
  } catch (error) {
    if (error instanceof IntakeError && error.code === 'item_unknown') return 'unknown'
    throw error
  }
}
