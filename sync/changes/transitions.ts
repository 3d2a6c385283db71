/** Each step of a send state, whichever tab wrote it, for diagnostics only. */
import { filter, map, merge, type Observable } from 'rxjs'
import type { LedgerEntry, LedgerState } from '#schemas/changes/ledger-entry.ts'
import type { SyncDatabase } from '#sync/storage/database.ts'

export interface Transition {
  /** The change's id. */
  change: string
  /** Collection of its record. */
  resource: string
  kind: string
  /** null: the row is new. */
  from: LedgerState | null
  to: LedgerState
  /** HTTP status of the last answer, 0 where there was none. */
  status: number
  /** How often the CRM answered 5xx to it. */
  serverErrors: number
  wish: LedgerEntry['wish']
}

export const transitions$ = (db: SyncDatabase): Observable<Transition> =>
  merge(db.changes.$, db.ledger.$).pipe(
    filter(({ operation }) => operation !== 'DELETE'),
    map(({ documentData, previousDocumentData }) => transitionOf(documentData, previousDocumentData ?? null)),
    filter((transition) => transition !== null),
  )

/** @returns null where nothing of it moved */
export function transitionOf(
  { id: change, resource, kind, state: to, status, serverErrors, wish }: LedgerEntry,
  before: Pick<LedgerEntry, 'state' | 'status' | 'serverErrors' | 'wish'> | null,
): Transition | null {
  const isSame =
    before?.state === to &&
    before.status === status &&
    before.serverErrors === serverErrors &&
    before.wish === wish
  if (isSame) return null
  return { change, resource, kind, from: before?.state ?? null, to, status, serverErrors, wish }
}
