import { GENERATED, built, cell } from './built.mjs'
import { packageNames } from '../pack.mjs'

/** Tables of a part of a package, told after the package's own. */
const PARTS = { 'memory-search': ['EMBEDDING_ERRORS'], 'memory-bujo': ['CHAT_ERRORS'] }

/** docs/errors.md, from the `X_ERRORS` tables (code → meaning and mend) of every package. */
export async function errorsPage() {
  const sections = []
  for (const name of packageNames) {
    const door = await built(name)
    const own = Object.keys(door).filter((key) => /^[A-Z]+_ERRORS$/.test(key))
    // The store's table reaches users through every package; it is told once, where it is made.
    const tables = own.filter((key) => key === `${name.replace('memory-', '').toUpperCase()}_ERRORS`)
    for (const part of PARTS[name] ?? []) {
      if (!own.includes(part)) throw new Error(`${name} does not export ${part} from its front door.`)
      tables.push(part)
    }
    if (tables.length === 0) throw new Error(`${name} exports no table of its errors from its front door.`)
    for (const [place, table] of tables.entries()) {
      const thrown =
        table
          .replace('_ERRORS', '')
          .toLowerCase()
          .replace(/^./, (letter) => letter.toUpperCase()) + 'Error'
      const rows = Object.entries(door[table]).map(([code, meaning]) => `| \`${code}\` | ${cell(meaning)} |`)
      sections.push(
        `${place === 0 ? `## ${name}\n\n` : ''}Thrown as \`${thrown}\`.\n\n| code | what happened, what it left, what to do |\n|---|---|\n${rows.join('\n')}\n`,
      )
    }
  }
  return `${GENERATED}

# Errors

Every error that a caller can act on is a \`MemoryError\` with a stable \`code\`; messages may change between versions,
codes do not within a major one. Failed writes (a turn, a Remember, what an operator ends) also carry \`outcome\`:
\`not_written\`, or \`unknown\` where it may be found later: send it again, and the store says whether it is new or \`duplicate\`.
A wrong type of argument is a \`TypeError\` or \`RangeError\`, a bug of the caller; only a turn, which often comes from elsewhere,
is \`turn_invalid\`.

${sections.join('\n')}`
}
