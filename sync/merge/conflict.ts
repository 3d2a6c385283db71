/**
 * RxDB's conflict handler for records with changes. The push never reports a conflict (RULES trap 4), so `resolve` only
 * has to be safe: it never throws, and the device's unsent changes always survive.
 */
import { deepEqual, type RxConflictHandler } from 'rxdb/plugins/core'
import type { Records } from '#schemas/collections.ts'
import { pushCollections, type PushCollection } from '#schemas/push-collections.ts'

interface WithChanges {
  changes: readonly { id: string }[]
}

export const conflictHandler = <R extends WithChanges>(): RxConflictHandler<R> => ({
  /** What holds something unsent always counts as different from the master, so that a touch sends it again. */
  isEqual: (a, b, context) =>
    !(context === 'upstream-check-if-equal' && b.changes.length > 0) && deepEqual(a, b),
  resolve: async ({ newDocumentState, realMasterState }) => ({ ...realMasterState, ...newDocumentState }),
})

/** The conflict handler of every collection that is pushed: one for all, RxDB's type names each record. */
export const conflictHandlers = () =>
  Object.fromEntries(pushCollections.map((name) => [name, conflictHandler()])) as {
    [C in PushCollection]: RxConflictHandler<Records[C]>
  }
