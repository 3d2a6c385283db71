/**
 * The pure cores that are mutated, and the tests that must notice: only quick ones, most without a database. Laws with ten
 * thousand random cases are left to `npm test`; here each mutant would run them all.
 */
const sync = (...names) => names.map((name) => `tests/sync/${name}.test.ts`)

/** Percent of the mutants that the tests must notice. */
export const GOAL = 90

export const table = {
  'sync/merge/merge.ts': sync('merge-cases'),
  'sync/merge/merge-edit.ts': sync('merge-edit'),
  'sync/merge/merge-rows.ts': sync('merge-rows'),
  'sync/merge/others-edits.ts': sync('others-edits-cases'),
  'sync/pull/requests/reconcile.ts': sync('reconcile', 'reconcile-edges'),
  'sync/pull/engine/engine-step.ts': sync('engine-step', 'engine-reads'),
  'sync/pull/engine/engine-reads.ts': sync('engine-reads'),
  'sync/pull/engine/engine-state.ts': sync('engine-state'),
  'schemas/changes/send-state.ts': sync('ledger-table'),
  'schemas/changes/change-queue.ts': ['tests/schemas/change-queue.test.ts', 'tests/schemas/made-on.test.ts'],
  'schemas/changes/record-view.ts': ['tests/schemas/record-view.test.ts'],
  'sync/lib/backoff.ts': sync('backoff'),
  'sync/scheduler/gate.ts': sync('gate', 'gate-cases'),
  'sync/scheduler/read-backoff.ts': sync('read-backoff'),
  'sync/transport/outcome.ts': sync('outcome'),
  'sync/scheduler/circuit-state.ts': sync('circuit-state', 'circuit-kept'),
}
