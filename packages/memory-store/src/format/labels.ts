import { canonicalJson } from './canonical-json.js'
import { parseLabelValue, type MemoryLabel } from './label-schema.js'

/** Labels of one memory (FMT-6). */
export const MAX_LABELS = 8
/** UTF-8 bytes of one label's canonical JSON (FMT-6). */
export const MAX_LABEL_BYTES = 768

const LABEL_LINE = /^[ \t]*<!--label (.*)-->[ \t]*$/
/** The older form, a ref: `label:v1:` and base64url of the same JSON. */
const LABEL_REF = 'label:v1:'

/** True for a line that is a label comment, whether its JSON can be read or not. */
export function isLabelLine(line: string): boolean {
  return LABEL_LINE.test(line)
}

function parseLabelJson(json: string): MemoryLabel | undefined {
  if (Buffer.byteLength(json) > MAX_LABEL_BYTES) return undefined
  let value: unknown
  try {
    value = JSON.parse(json)
  } catch {
    return undefined // not JSON: an unknown label, which stays in the file as it is
  }
  // Only the canonical spelling counts, so a key that stands twice or a second spelling of a label cannot slip in.
  return typeof value === 'object' && value !== null && canonicalJson(value) === json
    ? parseLabelValue(value)
    : undefined
}

/** Reads one label line; undefined if it is malformed, too long, of a newer version or not canonical. */
export function parseLabelLine(line: string): MemoryLabel | undefined {
  const match = LABEL_LINE.exec(line)
  return match === null ? undefined : parseLabelJson(match[1] as string)
}

/**
 * Writes the line that `parseLabelLine` reads as `label`.
 * @throws {RangeError} the label is not of the schema of FMT-6, or longer than 768 bytes
 */
export function formatLabelLine(label: MemoryLabel): string {
  const line = `  <!--label ${canonicalJson({ ...label, v: 1 })}-->`
  if (parseLabelLine(line) === undefined) throw new RangeError('The label does not fit FMT-6, or is over 768 bytes.')
  return line
}

export function isLabelRef(ref: string): boolean {
  return ref.startsWith(LABEL_REF)
}

/** Reads a label in the older form; undefined if it is malformed. */
export function parseLabelRef(ref: string): MemoryLabel | undefined {
  const encoded = ref.slice(LABEL_REF.length)
  if (!isLabelRef(ref) || !/^[A-Za-z0-9_-]+$/.test(encoded)) return undefined
  const json = Buffer.from(encoded, 'base64url')
  if (json.toString('base64url') !== encoded) return undefined
  const text = json.toString('utf8')
  return Buffer.from(text).equals(json) ? parseLabelJson(text) : undefined
}

/** The labels a memory carries: readable lines first, then readable refs, each once, at most eight (FMT-6). */
export function readLabels(lines: readonly string[], refs: readonly string[]): MemoryLabel[] {
  if (lines.length === 0 && !refs.some(isLabelRef)) return []
  const labels = new Map<string, MemoryLabel>()
  for (const label of [...lines.map(parseLabelLine), ...refs.filter(isLabelRef).map(parseLabelRef)]) {
    if (label !== undefined && labels.size < MAX_LABELS) labels.set(canonicalJson(label), label)
  }
  return [...labels.values()]
}
