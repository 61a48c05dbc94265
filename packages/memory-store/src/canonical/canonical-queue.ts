/** Runs jobs one after the other, in the order they came: one queue a root for every writer of canonical files. */
export interface CanonicalQueue {
  /** Resolves or rejects as the job does; a job that fails does not hold up the next one. */
  run<T>(job: () => Promise<T>): Promise<T>
}

export function createCanonicalQueue(): CanonicalQueue {
  let last: Promise<unknown> = Promise.resolve()
  return {
    run<T>(job: () => Promise<T>): Promise<T> {
      const result = last.then(job)
      last = result.catch(() => undefined) // told to the caller of `run`, through `result`
      return result
    },
  }
}
