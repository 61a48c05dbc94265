// The libraries that are measured beside the store: no dependencies of the workspace, fetched when they are first asked for.
import { createRequire } from 'node:module'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { pnpm } from '../../../scripts/pnpm.mjs'

const home = fileURLToPath(new URL('..', import.meta.url))
const require = createRequire(new URL('../package.json', import.meta.url))

process.env.MEM0_TELEMETRY = 'false' // nothing is sent to anybody while it is measured
process.env.LANCEDB_LOG = 'error' // or each query warns of a release to come

/** No peers of theirs, which are services to connect to, and no scripts: what is native comes built. */
const INSTALL = 'install --frozen-lockfile --ignore-workspace --ignore-scripts --config.auto-install-peers=false'.split(
  ' ',
)

let isInstalled = false

/** The module of a peer. @throws {Error} it cannot be installed or loaded */
export async function peerModule(name) {
  if (!isInstalled) pnpm(INSTALL, { cwd: home })
  isInstalled = true
  return import(pathToFileURL(require.resolve(name)).href)
}
