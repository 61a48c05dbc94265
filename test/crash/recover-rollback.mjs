// What follows a crash between indexes, and crashes too: the one in use is kept, and a rollback leads to the other.
import { acknowledge } from './acknowledge.mjs'
import { isOffered } from './check-offer.mjs'
import { readManifest } from './check-vectors.mjs'
import { rebuild, rollBack } from './open-journal.mjs'
import { storeRoot } from './paths.mjs'
import { nameOfIdentity, servicesOf } from './rebuilds.mjs'

acknowledge('recovering')
const root = storeRoot(process.env.CRASH_ROOT)
const services = servicesOf()
const active = nameOfIdentity(readManifest(root).identity)
await rebuild(root, services[active], 1)
acknowledge('active', active)
if (isOffered(root)) {
  acknowledge('switching', active) // the same again, kept in both places
  await rollBack(root, services[active], 2)
  acknowledge('active', active)
}
