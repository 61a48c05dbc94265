/** Waits for work that others wait for as well: the signal ends this waiting, not the work. @throws the signal's reason */
export async function waitFor<T>(work: Promise<T>, signal: AbortSignal | undefined): Promise<T> {
  if (signal === undefined) return work
  let giveUp: (() => void) | undefined
  const aborted = new Promise<never>((_resolve, reject) => {
    giveUp = () => reject(reasonOf(signal))
    if (signal.aborted) giveUp()
    else signal.addEventListener('abort', giveUp, { once: true })
  })
  try {
    return await Promise.race([aborted, work])
  } finally {
    if (giveUp !== undefined) signal.removeEventListener('abort', giveUp)
    work.catch(() => undefined) // its failure is for those who still wait
  }
}

/** Hosts may abort with anything. */
function reasonOf({ reason }: AbortSignal): Error {
  return reason instanceof Error ? reason : new DOMException('The call was aborted.', 'AbortError')
}
