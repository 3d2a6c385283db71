/** The queue of unsent work (sync RULES ST1). The badge, all counts and 送信状況 use this single query. */
import { combineLatest, map, type Observable } from 'rxjs'
import {
  isSendable,
  queueOf,
  type QueueItem,
  queueWait,
  type QueueWait,
  type SendState,
} from '#schemas/changes/change-queue.ts'
import { photoFacts, photoProgress, type PhotoProgress } from '#schemas/changes/photo-queue.ts'
import type { SendFacts } from '#schemas/change.ts'
import { type DraftForm, draftForms$ } from '#data/drafts/draft-list.ts'
import type { PushCollection } from '#schemas/collections/push-collections.ts'
import { pending$, views$ } from '#data/changes/record-views.ts'
import { perDatabase, type Database } from '#data/database/database.ts'

export interface Outbox {
  queue: QueueItem[]
  photos: PhotoProgress[]
  /** Number of cards in 送信状況. Every count on a screen is this number. */
  unsent: number
  /** True if any item is 失敗 or 期限切れ, about which the user must decide. */
  failed: boolean
  /** Why items wait although there is a connection (sync RULES ST3); null without such a reason. */
  wait: QueueWait | null
  /** Changes that the CRM has accepted within a day, newest first. */
  sent: SendFacts[]
  progress: ReadonlyMap<string, SendFacts>
  drafts: DraftForm[]
}

export const outbox$ = perDatabase((db): Observable<Outbox> => {
  // Photos that were only read from the file store have no stamp and are left out.
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
        // Accepted photos are left out, because photos are counted with their record.
        sent: changes
          .filter(({ state }) => state === 'accepted')
          .toSorted((a, b) => (a.stamp > b.stamp ? -1 : 1)),
        progress,
        drafts,
      }
    }),
  )
})

export const viewsWithOutbox$ = <C extends PushCollection>(db: Database, collection: C, selector: object) =>
  combineLatest([views$(db, collection, selector), outbox$(db)])

/** True if the user must decide about the item: 失敗 or 期限切れ. */
export const isParked = ({ state }: QueueItem): boolean => state === 'failed' || state === 'expired'

const isOfRecord = ({ resource, recordKey }: PhotoProgress, { record }: QueueItem) =>
  record.resource === resource && record.key === recordKey

/** Returns the change on whose card in 送信状況 the photos of a record are shown: the record's last unsent change. */
export const cardOf = (photos: PhotoProgress, queue: readonly QueueItem[]): QueueItem | undefined =>
  queue.findLast((item) => isOfRecord(photos, item))

/** True if the photos have a card of their own: the record is sent, or only a photo needs a decision of the user. */
export function isOwnCard(photos: PhotoProgress, queue: readonly QueueItem[]): boolean {
  const card = cardOf(photos, queue)
  return !card || (photos.items.some(isParked) && !isParked(card))
}

/** Returns the items that are sent without a decision of the user. Photos of a record that needs one are left out. */
export const sendableOf = ({ queue, photos }: Outbox): QueueItem[] => [
  ...queue.filter(isSendable),
  ...photos
    .filter((group) => queue.every((item) => isSendable(item) || !isOfRecord(group, item)))
    .flatMap(({ items }) => items.filter(isSendable)),
]

export type Unsent = { state: SendState; count: number }

const BY_URGENCY: readonly SendState[] = ['failed', 'expired', 'sending', 'waiting']

/** Returns the most urgent state of the items; null if all are sent. */
export function mostUrgent(items: readonly Pick<QueueItem, 'state'>[]): Unsent | null {
  for (const state of BY_URGENCY) {
    const count = items.filter((item) => item.state === state).length
    if (count > 0) return { state, count }
  }
  return null
}

export const unsentOf = (
  { queue, photos }: Pick<Outbox, 'queue' | 'photos'>,
  resource: string,
  key: string,
): Unsent | null =>
  mostUrgent([
    ...queue.filter(({ record }) => record.resource === resource && record.key === key),
    ...photos
      .filter((group) => group.resource === resource && group.recordKey === key)
      .flatMap(({ items }) => items),
  ])
