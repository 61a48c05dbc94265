/** Waits for work that others wait for as well: a signal ends this waiting, not the work. @throws the signal's reason */
export async function waitFor<T>(work: Promise<T>, signals: readonly AbortSignal[]): Promise<T> {
  const stopListening: (() => void)[] = []
  const aborted = new Promise<never>((_resolve, reject) => {
    for (const signal of signals) {
      const giveUp = (): void => reject(reasonOf(signal))
      if (signal.aborted) giveUp()
      else signal.addEventListener('abort', giveUp, { once: true })
      stopListening.push(() => signal.removeEventListener('abort', giveUp))
    }
  })
  try {
    return await Promise.race([aborted, work])
  } finally {
    for (const stop of stopListening) stop()
    work.catch(() => undefined) // its failure is for those who still wait
  }
}

/** Hosts may abort with anything. */
function reasonOf({ reason }: AbortSignal): Error {
  return reason instanceof Error ? reason : new DOMException('The call was aborted.', 'AbortError')
}
