// What follows a crash in a rebuild, and crashes too: the rebuild again.
import { acknowledge } from './acknowledge.mjs'
import { storeRoot } from './paths.mjs'
import { rebuildTelling } from './rebuilds.mjs'

acknowledge('recovering')
await rebuildTelling(storeRoot(process.env.CRASH_ROOT))
