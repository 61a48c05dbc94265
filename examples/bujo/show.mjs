// How the demo prints things.
const isTerminal = process.stdout.isTTY === true

export const bold = (text) => (isTerminal ? `\u001b[1m${text}\u001b[0m` : text)
export const dim = (text) => (isTerminal ? `\u001b[2m${text}\u001b[0m` : text)

export function step(title) {
  console.log(`\n${bold(title)}\n`)
}

// eslint-disable-next-line no-control-regex -- the escape is what is looked for
const STYLE = /\u001b\[\d+m/g
const widthOf = (text) => text.replace(STYLE, '').length

/** Rows of texts, all columns but the last padded. */
export function table(rows) {
  const widths = rows[0].map((_, column) => Math.max(...rows.map((row) => widthOf(row[column]))))
  const padded = (cell, column) => cell + ' '.repeat(widths[column] - widthOf(cell))
  for (const row of rows) console.log(row.map(padded).join('   ').trimEnd())
}

/** Says something that the demo has looked at; if it is not so, the demo fails. */
export function claim(isSo, text) {
  console.log(isSo ? `✓ ${text}` : `✗ NOT SO, this is a bug: ${text}`)
  if (!isSo) process.exitCode = 1
}

/** Half are below, half above. @param values  at least one */
export function median(values) {
  const sorted = [...values].sort((a, b) => a - b)
  return sorted[Math.floor(sorted.length / 2)]
}

export const ms = (value) => `${value < 10 ? value.toFixed(1) : Math.round(value)} ms`

/** A label of a memory in a few words. */
export function labelInWords({ kind, scope, entityId, key, value, verified, attribution }) {
  if (kind === 'lesson') return `lesson for ${scope}, ${verified ? 'verified' : 'not verified'}`
  if (kind === 'preference') return `preference for ${scope}, ${attribution}`
  return key === undefined ? `said by ${entityId}` : `fact of ${entityId}: ${key} = ${Object.values(value).at(0)}`
}
