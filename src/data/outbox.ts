/** The queue as screens see it (sync RULES ST1): the badge, the counts and 送信状況 are this one query. */
import { combineLatest, map, type Observable } from 'rxjs'
import { queueOf, type QueueItem } from '#schemas/change-queue.ts'
import { PHOTOS } from '#schemas/photo-queue.ts'
import { pushCollections } from '#schemas/push-collections.ts'
import type { LedgerEntry } from '#schemas/ledger-entry.ts'
import { perDatabase } from './per-database.ts'
import { pushedCollection } from './pushed-collection.ts'

export interface Outbox {
  /** Unsent changes in sending order. */
  queue: QueueItem[]
  /** What the CRM accepted within the last day, newest first. */
  sent: LedgerEntry[]
  ledger: ReadonlyMap<string, LedgerEntry>
}

export const outbox$ = perDatabase((db): Observable<Outbox> => {
  const pending$ = pushCollections.map((resource) =>
    pushedCollection(db, resource)
      .find({ selector: { unsent: 'yes' } })
      .$.pipe(map((docs) => docs.map((doc) => ({ resource, ...doc.toMutableJSON() })))),
  )
  return combineLatest([combineLatest(pending$), db.ledger.find({ sort: [{ stamp: 'desc' }] }).$]).pipe(
    map(([records, entries]) => {
      const rows = entries.map((doc) => doc.toJSON() as LedgerEntry)
      const ledger = new Map(rows.map((entry) => [entry.id, entry]))
      return {
        queue: queueOf(records.flat(), ledger),
        // photos are counted with their record, not listed one by one (data/photos)
        sent: rows.filter(({ state, resource }) => state === 'accepted' && resource !== PHOTOS),
        ledger,
      }
    }),
  )
})
