/** The send queue as screens show it (sync RULES ST1). The badge, the counts and 送信状況 all use this one query. */
import { combineLatest, map, type Observable } from 'rxjs'
import { isSendable, queueOf, type QueueItem } from '#schemas/changes/change-queue.ts'
import { photoFacts, photoProgress, type PhotoProgress } from '#schemas/changes/photo-queue.ts'
import { queueWait, type QueueWait } from '#schemas/changes/queue-wait.ts'
import type { SendFacts } from '#schemas/change.ts'
import type { DraftForm } from '#data/drafts/draft-forms.ts'
import { draftForms$ } from '#data/drafts/draft-list.ts'
import { perDatabase } from '#data/database/per-database.ts'
import type { PushCollection } from '#schemas/collections/push-collections.ts'
import { pending$, views$ } from '#data/changes/record-views.ts'
import type { Database } from '#data/database/database.ts'

export interface Outbox {
  /** Unsent changes in sending order. */
  queue: QueueItem[]
  /** Unsent photos, by record. */
  photos: PhotoProgress[]
  /** Number of unsent cards in 送信状況; every count on screen is this number. */
  unsent: number
  /** True if any item is 失敗 or 期限切れ, so that the user must decide about the item. */
  failed: boolean
  /** Why items that could be sent are waiting (sync RULES ST3); null if no reason is known. */
  wait: QueueWait | null
  /** Changes that the CRM accepted within the last day, newest first. */
  sent: SendFacts[]
  /** Send states of changes and photos, by id. */
  progress: ReadonlyMap<string, SendFacts>
  drafts: DraftForm[]
}

export const outbox$ = perDatabase((db): Observable<Outbox> => {
  // Photos that were only found in the file store have no stamp.
  const photos$ = db.photos.find({ selector: { stamp: { $gt: '' } } }).$
  return combineLatest([pending$(db), photos$, draftForms$(db)]).pipe(
    map(([{ records, changes }, photoDocs, drafts]) => {
      const saved = photoDocs.map((doc) => doc.toMutableJSON())
      const progress = new Map([...saved.map(photoFacts), ...changes].map((entry) => [entry.id, entry]))
      const queue = queueOf(records, progress)
      const photos = photoProgress(saved.filter(({ unsent }) => unsent === 'yes'))
      return {
        queue,
        photos,
        failed: queue.some(isParked) || photos.some(({ items }) => items.some(isParked)),
        wait: queueWait(queue),
        unsent: queue.length + photos.filter((group) => isOwnCard(group, queue)).length,
        // Photos are counted with their record, not listed one by one.
        sent: changes
          .filter(({ state }) => state === 'accepted')
          .toSorted((a, b) => (a.stamp > b.stamp ? -1 : 1)),
        progress,
        drafts,
      }
    }),
  )
})

/** Views of the records that a selector finds (`views$`), with the outbox. */
export const viewsWithOutbox$ = <C extends PushCollection>(db: Database, collection: C, selector: object) =>
  combineLatest([views$(db, collection, selector), outbox$(db)])

/** True if the item is 失敗 or 期限切れ: the user must decide about it. */
export const isParked = ({ state }: QueueItem): boolean => state === 'failed' || state === 'expired'

const isOfRecord = ({ resource, recordKey }: PhotoProgress, { record }: QueueItem) =>
  record.resource === resource && record.key === recordKey

/** The change whose card shows the photos of a record: the record's last unsent change. */
export const cardOf = (photos: PhotoProgress, queue: readonly QueueItem[]): QueueItem | undefined =>
  queue.findLast((item) => isOfRecord(photos, item))

/**
 * True if the photos have a card of their own: the record is in the CRM already, or a person must decide
 * about a photo but not about the record.
 */
export function isOwnCard(photos: PhotoProgress, queue: readonly QueueItem[]): boolean {
  const card = cardOf(photos, queue)
  return !card || (photos.items.some(isParked) && !isParked(card))
}

/** Items that are sent without a person's action. Photos wait as long as their record waits. */
export const sendableOf = ({ queue, photos }: Outbox): QueueItem[] => [
  ...queue.filter(isSendable),
  ...photos
    .filter((group) => queue.every((item) => isSendable(item) || !isOfRecord(group, item)))
    .flatMap(({ items }) => items.filter(isSendable)),
]
