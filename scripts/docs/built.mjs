import { existsSync } from 'node:fs'

/** The built front door of a package. @throws {Error} if it has not been built */
export async function built(name) {
  const door = new URL(`../../packages/${name}/dist/index.js`, import.meta.url)
  if (!existsSync(door)) throw new Error(`${name} has not been built: run \`npm run build\` first.`)
  return import(door.href)
}

/** Text that stays in its cell of a Markdown table. */
export const cell = (text) => text.replaceAll('|', '\\|').replaceAll('\n', ' ')

export const GENERATED = '<!-- Made from the code by `npm run docs:write`; edit the code instead. -->'
