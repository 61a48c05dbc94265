// What every bench ends with: one JSON line for bench/run.mjs, one for a person.
/** A bench that came to its end and missed a floor ends with this; any other code but 0 says that it did not come to its end. */
export const MISSED = 3

let missed = 0

/**
 * @param {{ name: string, value: number, floor: string, ok: boolean, unit?: string, detail?: string }} result
 *   `floor`: what `value` must keep to, in words
 */
export function report({ detail, ...result }) {
  console.log(JSON.stringify(result))
  const value = `${Number(result.value.toPrecision(4))}${result.unit ? ` ${result.unit}` : ''}`
  console.log(
    `  ${result.ok ? 'held  ' : 'MISSED'} ${result.name}: ${value} (${result.floor})${detail ? `; ${detail}` : ''}`,
  )
  if (!result.ok) missed++
  process.exitCode = missed > 0 ? MISSED : 0
}

/** @param {number[]} values */
export function median(values) {
  return [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)]
}

/** @param {number} ms */
export const inMs = (ms) => `${ms.toFixed(3)} ms`
