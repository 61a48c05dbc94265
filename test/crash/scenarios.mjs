/**
 * What is explored. `workload` is recorded on a store that `prepare` made beforehand, of `variant` and with so much, or what,
 * `prepared`, if it names them. Before any program of it, `loaded` are.
 * `verify` is the module that judges every state, `recover` the program whose own crashes follow. `weight` is the share of
 * the time, `recoverStates` the number of states whose recovery is crashed in turn, where it is not eight. When a rule is broken, `ruleStates` are looked at, and `firstLook` of them at first.
 */
const store = {
  verify: 'verify-store.mjs',
  recover: 'recover.mjs',
  prepare: 'workloads/prepare.mjs',
  prepared: 1,
  weight: 1,
}
const intake = { verify: 'verify-intake.mjs', recover: 'recover-intake.mjs', weight: 1 }

const dayFiles = { verify: 'verify-day-files.mjs', recover: 'recover-day-files.mjs', weight: 0.5 }

const journal = {
  verify: 'verify-journal.mjs',
  recover: 'recover-journal.mjs',
  prepare: 'workloads/prepare-journal.mjs',
  prepared: 2,
  weight: 1.5,
  ruleStates: 300,
  firstLook: 80,
}

const sealing = {
  verify: 'verify-sidecar.mjs',
  recover: 'recover-journal.mjs',
  prepare: 'workloads/prepare-sealing.mjs',
  prepared: 4, // as many as a lowered sidecar is for
  loaded: ['lower-sidecar.mjs'],
  ruleStates: 300,
  firstLook: 80,
}

const rebuild = {
  workload: 'workloads/rebuild.mjs',
  verify: 'verify-rebuild.mjs',
  recover: 'recover-rebuild.mjs',
  prepare: 'workloads/prepare-for-rebuild.mjs',
  prepared: 70, // three requests of 32
  weight: 1.5,
  ruleStates: 100,
}

const rollback = {
  ...rebuild,
  verify: 'verify-rollback.mjs',
  recover: 'recover-rollback.mjs',
  variant: 'other model',
  prepared: 6,
  weight: 2,
}

const capture = {
  workload: 'workloads/capture.mjs',
  verify: 'verify-capture.mjs',
  recover: 'recover-capture.mjs',
  prepare: 'workloads/prepare-capture.mjs',
}

const edited = { verify: 'verify-edited.mjs', recover: 'recover-edited.mjs', variant: 'edited' }

const cut = { ...edited, workload: 'workloads/recover-edited.mjs', prepare: 'workloads/prepare-cut.mjs', weight: 0.5 }

/** Of a scenario that rules with a narrow window need. */
const fewMoments = { ruleStates: 300, firstLook: 80 }

export const SCENARIOS = [
  { name: 'day files alone', workload: 'workloads/day-files.mjs', ...dayFiles },
  { name: 'root creation', workload: 'workloads/creation.mjs', ...store, prepare: undefined, prepared: 0 },
  { name: 'admission, one at a time', workload: 'workloads/serial.mjs', ...store },
  { name: 'admission, 16 at a time', workload: 'workloads/concurrent.mjs', ...store, weight: 1.5 },
  { name: 'projection over several days', workload: 'workloads/projection.mjs', ...store, weight: 1.5 },
  { name: 'Remember', workload: 'workloads/remember.mjs', ...store },
  { name: 'edits by a person', workload: 'workloads/persons-edits.mjs', ...store, weight: 1.5 },
  { name: 'index loss', workload: 'workloads/index-loss.mjs', ...store, prepared: 3 },
  { name: 'reopening', workload: 'workloads/reopen.mjs', ...store },
  { name: 'intake alone', workload: 'workloads/intake-admission.mjs', ...intake },
  {
    name: 'checkpoints and pruning',
    ...{ workload: 'workloads/intake-checkpoints.mjs', ...intake, weight: 1.5, recoverStates: 40 },
  },
  { name: 'retry and resolve', workload: 'workloads/intake-operator.mjs', ...intake },
  { name: 'journal and vectors', workload: 'workloads/journal.mjs', ...journal, weight: 2 },
  { name: 'calibration', workload: 'workloads/calibration.mjs', ...journal, prepare: undefined, prepared: 0 },
  { name: 'sealing', ...sealing, workload: 'workloads/sealing.mjs', weight: 1.5 },
  { name: 'damaged copy', ...sealing, workload: 'workloads/sealing-again.mjs', variant: 'damaged', weight: 0.5 },
  {
    name: 'copy of what was taken back',
    ...sealing,
    workload: 'workloads/sealing-again.mjs',
    variant: 'taken back',
    weight: 0.5,
  },
  { name: 'rebuild from lite', ...rebuild, variant: 'lite' },
  { name: 'rebuild for another model', ...rebuild, variant: 'other model' },
  { name: 'rebuild of a few turns', ...rebuild, variant: 'other model', prepared: 6, weight: 0.5, ...fewMoments },
  { name: 'rollback', ...rollback, workload: 'workloads/rollback.mjs' },
  {
    name: 'first turn after a rebuild',
    ...{ ...rollback, workload: 'workloads/first-turn.mjs', prepare: 'workloads/prepare-rebuilt.mjs' },
    ...{ prepared: 2, weight: 0.5, ...fewMoments },
  },
  { name: 'capture', ...capture, variant: 'capture', weight: 4 },
  { name: 'capture, reconcile failing', ...capture, variant: 'failing', weight: 2 },
  { name: 'Remember by plan', ...capture, variant: 'remember', weight: 3 },
  {
    name: 'Remember, its line removed by hand',
    ...{ ...capture, variant: 'remember and remove', weight: 0.5, ...fewMoments },
  },
  { name: 'replay compaction', ...capture, variant: 'compaction', weight: 1 },
  { name: 'edit before the recovery', ...capture, ...edited, weight: 0.5 },
  { name: 'recovery of a cut append', ...cut, prepared: 'append' },
  { name: 'recovery of what is indexed', ...cut, prepared: 'settlement' },
]

export const MODELS = ['posix', 'ext4']
