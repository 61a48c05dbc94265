// A person edits what a turn speaks of, then the store carries out the plan that a crash has left of the turn.
import { acknowledge } from '../acknowledge.mjs'

acknowledge('admitted', 'before')
await import('../recover-edited.mjs')
