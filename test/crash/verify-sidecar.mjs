// The verifier of the workloads that seal a sidecar. What it loads of the library is lowered like theirs.
import './lower-sidecar.mjs'

export const { verify } = await import('./verify-sealed.mjs')
