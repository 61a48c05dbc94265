// Packs every package as it would be published: `npm run pack [-- FOLDER]`, by default into packed/.
import { existsSync, mkdirSync, readFileSync, readdirSync, rmSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { pnpm } from './pnpm.mjs'

const packagesFolder = fileURLToPath(new URL('../packages/', import.meta.url))

/** Names of the package folders, e.g. `memory-store`. */
export const packageNames = readdirSync(packagesFolder).filter((name) =>
  existsSync(join(packagesFolder, name, 'package.json')),
)

/**
 * Packs every package into `folder`, replacing tarballs that lie there.
 * @returns one entry a package: its full name and the path of its tarball
 * @throws {Error} if a package has not been built, or pnpm fails
 */
export function packAll(folder) {
  mkdirSync(folder, { recursive: true })
  for (const file of readdirSync(folder)) if (file.endsWith('.tgz')) rmSync(join(folder, file))
  return packageNames.map((name) => {
    const cwd = join(packagesFolder, name)
    if (!existsSync(join(cwd, 'dist/index.js')))
      throw new Error(`${name} has not been built: run \`npm run build\` first.`)
    const { name: fullName } = JSON.parse(readFileSync(join(cwd, 'package.json'), 'utf8'))
    const { filename } = JSON.parse(pnpm(['pack', '--json', '--pack-destination', folder], { cwd }))
    return { name: fullName, tarball: resolve(cwd, filename) }
  })
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const folder = resolve(process.argv[2] ?? fileURLToPath(new URL('../packed', import.meta.url)))
  for (const { name, tarball } of packAll(folder)) console.log(`${name}\t${tarball}`)
}
