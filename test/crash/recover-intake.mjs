// The recovery of the intake alone, whose own crashes are explored. It says of a turn that it is known.
import { acknowledge } from './acknowledge.mjs'
import { openIntakeAlone } from './open-intake.mjs'
import { storeRoot } from './paths.mjs'
import { turnOf } from './turns.mjs'

const { intake, close } = await openIntakeAlone(storeRoot(process.env.CRASH_ROOT), 24)
await intake.admit(turnOf('short-1'))
acknowledge('turn', 'short-1')
await close()
