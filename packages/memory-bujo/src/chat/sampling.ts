/** The same request should have the same answer, as far as a service can promise it. */
export const SAMPLING = { temperature: 0, seed: 0 } as const
