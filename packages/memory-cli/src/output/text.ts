import { styleText } from 'node:util'

/** How text is marked up; does nothing where there is no terminal that shows colours. */
export interface Style {
  readonly dim: (text: string) => string
  readonly strong: (text: string) => string
}

export function createStyle(hasColor: boolean): Style {
  if (!hasColor) return { dim: (text) => text, strong: (text) => text }
  // Whether colours are wanted was decided by the caller: Node shall not look at a stream of its own choice again.
  const decided = { validateStream: false }
  return { dim: (text) => styleText('dim', text, decided), strong: (text) => styleText('bold', text, decided) }
}

/** Stored text for a terminal: control characters could move its cursor or forge lines, so they are shown as `�`. */
export function printable(text: string): string {
  return text.replace(/[\p{Cc}\u2028\u2029]/gu, '\uFFFD')
}

/** The same for text of several lines, which stay. */
export const printableLines = (text: string): string => text.split('\n').map(printable).join('\n')

/** Label and value in two aligned columns; labels are ASCII. Pairs without a value are left out. */
export function facts(pairs: readonly (readonly [label: string, value: string | number | undefined])[]): string {
  const shown = pairs.filter(([, value]) => value !== undefined)
  const width = Math.max(0, ...shown.map(([label]) => label.length))
  return shown.map(([label, value]) => `${label.padEnd(width)}  ${formatValue(value ?? '')}`).join('\n')
}

/** Rows under a dimmed header, columns as wide as their widest cell; the last column is not padded. */
export function table(header: readonly string[], rows: readonly (readonly string[])[], style: Style): string {
  const widths = header.map((title, column) => Math.max(title.length, ...rows.map((row) => (row[column] ?? '').length)))
  const line = (cells: readonly string[]): string =>
    cells.map((cell, column) => (column === cells.length - 1 ? cell : cell.padEnd(widths[column] ?? 0))).join('  ')
  return [style.dim(line(header)), ...rows.map(line)].join('\n')
}

export function count(number: number, singular: string, plural = `${singular}s`): string {
  return `${formatValue(number)} ${number === 1 ? singular : plural}`
}

/** Bytes as a person reads them; exact below 1,024. */
export function bytes(size: number): string {
  const units = ['bytes', 'KiB', 'MiB', 'GiB', 'TiB'] as const
  let value = size
  let unit = 0
  for (; value >= 1024 && unit < units.length - 1; unit += 1) value /= 1024
  return unit === 0 ? `${value} bytes` : `${value.toFixed(1)} ${units[unit]}`
}

function formatValue(value: string | number): string {
  return typeof value === 'number' ? value.toLocaleString('en-US') : value
}
