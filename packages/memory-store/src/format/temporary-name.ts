/** A reserved temporary, written beside its target: `.<target>.tmp-<epoch>-<n>` (FMT-11). */
export interface TemporaryName {
  /** Name of the file that it is to become. */
  readonly target: string
  /** Epoch of the writer that made it; work in progress only while that is the live one. */
  readonly epoch: number
  readonly number: number
}

const TEMPORARY = /^\.(.+)\.tmp-(0|[1-9]\d{0,15})-(0|[1-9]\d{0,15})$/

/** The file name, without directory. @throws {RangeError} a target that is no name, a number that is no count */
export function formatTemporaryName({ target, epoch, number }: TemporaryName): string {
  if (target === '' || target.includes('/')) throw new RangeError('A temporary stands for a file name.')
  if (!Number.isSafeInteger(epoch) || epoch < 0 || !Number.isSafeInteger(number) || number < 0) {
    throw new RangeError('Epoch and number of a temporary are whole numbers from 0.')
  }
  return `.${target}.tmp-${epoch}-${number}`
}

/** Undefined for every name that is not reserved for temporaries. */
export function parseTemporaryName(name: string): TemporaryName | undefined {
  const match = TEMPORARY.exec(name)
  if (match === null) return undefined
  const [epoch, number] = [Number(match[2]), Number(match[3])]
  if (!Number.isSafeInteger(epoch) || !Number.isSafeInteger(number)) return undefined
  return { target: match[1] as string, epoch, number }
}
