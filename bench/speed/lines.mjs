// Lines of results beside those that must keep to something.

/** A value that nothing is asked of. @param {{ name: string, value: number, unit?: string, detail?: string }} result */
export function tell({ detail, ...result }) {
  console.log(JSON.stringify({ ...result, floor: 'told', ok: true }))
  const value = `${Number(result.value.toPrecision(4))}${result.unit ? ` ${result.unit}` : ''}`
  console.log(`  told   ${result.name}: ${value}${detail ? `; ${detail}` : ''}`)
}

/** What could not be measured, and why. */
export function skip({ name, floor, why }) {
  console.log(JSON.stringify({ name, value: `skipped: ${why}`, floor, ok: true }))
  console.log(`  skipped ${name}: ${why}`)
}
