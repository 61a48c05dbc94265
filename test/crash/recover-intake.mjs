// The recovery of the intake alone, whose own crashes are explored.
import { openIntakeAlone } from './open-intake.mjs'
import { storeRoot } from './paths.mjs'

const { close } = await openIntakeAlone(storeRoot(process.env.CRASH_ROOT), 24)
await close()
