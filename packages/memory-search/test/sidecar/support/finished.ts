/** What work in turns comes to, without a break. */
export function finished<T>(turns: Generator<void, T>): T {
  for (;;) {
    const turn = turns.next()
    if (turn.done === true) return turn.value
  }
}
