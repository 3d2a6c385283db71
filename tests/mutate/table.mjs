/**
 * The pure cores that are mutated, and the tests that must notice: only quick ones, most without a database. Laws with ten
 * thousand random cases are left to `npm test`; here each mutant would run them all.
 */
const sync = (...names) => names.map((name) => `tests/sync/${name}.test.ts`)
const schemas = (...names) => names.map((name) => `tests/schemas/${name}.test.ts`)

/** Percent of the mutants that the tests must notice. */
export const GOAL = 90

export const table = {
  'sync/merge/merge.ts': sync('merge-cases'),
  'sync/merge/merge-edit.ts': sync('merge-edit'),
  'sync/merge/merge-rows.ts': sync('merge-rows'),
  'sync/merge/others-edits.ts': sync('others-edits-cases'),
  'sync/merge/reconcile.ts': sync('reconcile', 'reconcile-edges'),
  'sync/transport/outcome.ts': sync('outcome'),
  'sync/transport/circuit-state.ts': sync('circuit-state'),
  'sync/transport/backoff.ts': sync('backoff', 'pacing'),
  'sync/transport/gate.ts': sync('gate', 'read-backoff'),
  'sync/transport/turns.ts': sync('gate', 'circuit'),
  'sync/queue/own-fault.ts': sync('own-fault'),
  'sync/pull/engine-step.ts': sync('pull-engine'),
  'schemas/change-queue.ts': schemas('change-queue', 'queue-wait'),
}
