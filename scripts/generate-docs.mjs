// Writes the pages that are made from code: docs/errors.md, docs/config.md, docs/config.schema.json, docs/cli.md,
// docs/contracts.md, docs/contracts/*.schema.json, docs/tools.md.
// With --check it writes nothing and exits with 1 if one of them is not what the code says. Needs a build.
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { cliPage } from './docs/cli-page.mjs'
import { contractsPage, contractSchemaFiles } from './docs/contracts-page.mjs'
import { configPage, configSchema } from './docs/config-page.mjs'
import { errorsPage } from './docs/errors-page.mjs'
import { toolsPage } from './docs/tools-page.mjs'

const workspace = fileURLToPath(new URL('..', import.meta.url))

const pages = {
  'docs/errors.md': await errorsPage(),
  'docs/config.md': await configPage(),
  'docs/config.schema.json': await configSchema(),
  'docs/cli.md': await cliPage(),
  'docs/contracts.md': await contractsPage(),
  'docs/tools.md': await toolsPage(),
  ...(await contractSchemaFiles()),
}

const check = process.argv.includes('--check')
let stale = 0
for (const [file, text] of Object.entries(pages)) {
  const path = join(workspace, file)
  const present = existsSync(path) ? readFileSync(path, 'utf8') : undefined
  if (present === text) continue
  stale++
  if (check) console.error(`${file} is not what the code says: run \`npm run docs:write\`.`)
  else {
    writeFileSync(path, text)
    console.log(`wrote ${file}`)
  }
}
if (check) {
  console.log(`${Object.keys(pages).length} generated pages checked, ${stale} stale`)
  process.exitCode = stale > 0 ? 1 : 0
}
