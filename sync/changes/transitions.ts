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
    // A photo without a stamp was found in a list of the file store. This device sends nothing for it.
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
  const details = { status, serverErrors, wish }
  const isSame =
    before?.state === to &&
    before.status === status &&
    before.serverErrors === serverErrors &&
    before.wish === wish
  // `kind` says what is unsent of a photo. It is empty when all is sent, and the previous kind is then reported.
  const shown = kind || (before?.kind ?? '')
  return isSame ? null : { change, resource, kind: shown, from: before?.state ?? null, to, ...details }
}
