/** Puts a value among the greatest so far, which are in falling order, if it is greater than the least of them, which goes. */
export function keepGreatest(greatest: Float64Array, value: number): void {
  let at = greatest.length - 1
  if (value <= (greatest[at] as number)) return
  for (; at > 0 && value > (greatest[at - 1] as number); at--) greatest[at] = greatest[at - 1] as number
  greatest[at] = value
}
