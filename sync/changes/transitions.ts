/** Reports every transition of a send state in any tab, for diagnostics. */
import type { RxChangeEvent } from 'rxdb/plugins/core'
import { filter, map, merge, type Observable } from 'rxjs'
import { photoFacts } from '#schemas/changes/photo-queue.ts'
import type { StoredState, SendFacts } from '#schemas/change.ts'
import type { SyncDatabase } from '#sync/storage/database.ts'

type Details = Pick<SendFacts, 'kind' | 'status' | 'serverErrors' | 'wish'>

export interface Transition extends Details, Pick<SendFacts, 'resource'> {
  /** Id of the change, or key of the photo. */
  change: string
  /** null for a new change or photo. */
  from: StoredState | null
  to: StoredState
}

export const transitions$ = (db: SyncDatabase): Observable<Transition> =>
  merge(
    transitionsOf(db.changes.$, (change) => change),
    transitionsOf(db.photos.$, photoFacts),
  )

const transitionsOf = <D extends { stamp: string }>(
  events$: Observable<RxChangeEvent<D>>,
  factsOf: (document: D) => SendFacts,
): Observable<Transition> =>
  events$.pipe(
    // Photos that were only listed in the file store have no stamp.
    filter(({ operation, documentData }) => operation !== 'DELETE' && documentData.stamp !== ''),
    map(({ documentData, previousDocumentData: before }) =>
      transitionOf(factsOf(documentData), before ? factsOf(before as D) : null),
    ),
    filter((transition) => transition !== null),
  )

/** @returns null if the state and its details are unchanged */
export function transitionOf(
  { id: change, resource, kind, state: to, status, serverErrors, wish }: SendFacts,
  before: (Details & Pick<SendFacts, 'state'>) | null,
): Transition | null {
  const isSame =
    before?.state === to &&
    before.status === status &&
    before.serverErrors === serverErrors &&
    before.wish === wish
  if (isSame) return null
  // A photo that waits for nothing has no kind, so the previous kind is shown.
  const shownKind = kind || (before?.kind ?? '')
  return { change, resource, kind: shownKind, from: before?.state ?? null, to, status, serverErrors, wish }
}
