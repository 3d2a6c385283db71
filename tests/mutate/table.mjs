/**
 * The pure cores that are mutated, and the tests that must notice: only quick ones, most without a database. Laws with ten
 * thousand random cases are left to `npm test`; here each mutant would run them all.
 */
const sync = (...names) => names.map((name) => `tests/sync/${name}.test.ts`)

/** Percent of the mutants that the tests must notice. */
export const GOAL = 90

export const table = {
  'sync/merge/merge.ts': sync('merge/merge-cases', 'merge/merge-edit', 'merge/others-edits-cases'),
  'sync/merge/merge-rows.ts': sync('merge/merge-rows'),
  'sync/pull/engine/freshness.ts': sync('pull/freshness', 'pull/reconcile', 'pull/reconcile-edges'),
  'sync/scheduler/read-pages.ts': sync('pull/snapshot', 'pull/reconcile', 'transport/hostile-answers'),
  'schemas/send-state.ts': sync('changes/state-table'),
  'schemas/changes/change-queue.ts': ['change-queue', 'made-on', 'queue-wait', 'settled-changes'].map(
    (name) => `tests/schemas/${name}.test.ts`,
  ),
  'schemas/changes/record-view.ts': ['tests/schemas/record-view.test.ts'],
  'sync/lib/backoff.ts': sync('scheduler/backoff', 'transport/outcome'),
  'sync/scheduler/schedule.ts': sync('scheduler/lanes', 'scheduler/trials', 'scheduler/read-places'),
  'sync/scheduler/read-backoff.ts': sync('scheduler/read-backoff'),
  'sync/transport/outcome.ts': sync('transport/outcome'),
  'sync/scheduler/circuit.ts': sync('scheduler/circuit', 'scheduler/circuit-laws'),
}
