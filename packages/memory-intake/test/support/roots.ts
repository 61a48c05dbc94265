import { readFileSync } from 'node:fs'
import { parseCatalog } from '../../src/format/catalog.js'
import { Harness, idOf, turn } from './harness.js'

/** A closed root that holds `a` pending and `b` settled, both in records and ledger. */
export async function closedRoot(): Promise<Harness> {
  const harness = new Harness()
  const intake = await harness.open()
  await intake.admit(turn('a'))
  await intake.admit(turn('b'))
  await intake.settle([{ id: idOf('b'), memoryIds: ['m1'] }])
  await harness.close()
  return harness
}

/** The same, but what was admitted is in the log only, and the process died. */
export async function crashedRoot(...runIds: string[]): Promise<Harness> {
  const harness = new Harness()
  const intake = await harness.open()
  for (const runId of runIds) await intake.admit(turn(runId))
  await harness.crash()
  return harness
}

export const storeOf = (harness: Harness): string => parseCatalog(readFileSync(harness.path('catalog')))?.store ?? ''
