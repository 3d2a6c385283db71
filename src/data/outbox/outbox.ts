/** The queue as screens see it (sync RULES ST1): the badge, the counts and 送信状況 are this one query. */
import { combineLatest, map, type Observable } from 'rxjs'
import { isSendable, queueOf, type QueueItem } from '#schemas/changes/change-queue.ts'
import { photoFacts, photoProgress, type PhotoProgress } from '#schemas/changes/photo-queue.ts'
import { queueWait, type QueueWait } from '#schemas/changes/queue-wait.ts'
import type { SendFacts } from '#schemas/change.ts'
import type { DraftForm } from '#data/drafts/draft-forms.ts'
import { draftForms$ } from '#data/drafts/draft-list.ts'
import { perDatabase } from '#data/database/per-database.ts'
import { pending$ } from '#data/changes/record-views.ts'

export interface Outbox {
  /** Unsent changes in sending order. */
  queue: QueueItem[]
  /** Unsent photos, by record. */
  photos: PhotoProgress[]
  /** How many cards 送信状況 has of what is unsent: the count everywhere. */
  unsent: number
  /** Somebody must decide about some of it. */
  failed: boolean
  /** What is in the way of what could go (sync RULES ST3). */
  wait: QueueWait | null
  /** What the CRM accepted within the last day, newest first. */
  sent: SendFacts[]
  ledger: ReadonlyMap<string, SendFacts>
  /** Forms with input that is not saved yet. */
  drafts: DraftForm[]
}

export const outbox$ = perDatabase((db): Observable<Outbox> => {
  // those that were only found in the file store have none
  const photos$ = db.photos.find({ selector: { stamp: { $gt: '' } } }).$
  return combineLatest([pending$(db), photos$, draftForms$(db)]).pipe(
    map(([{ records, changes }, photoDocs, drafts]) => {
      const saved = photoDocs.map((doc) => doc.toMutableJSON())
      const ledger = new Map([...saved.map(photoFacts), ...changes].map((entry) => [entry.id, entry]))
      const queue = queueOf(records, ledger)
      const photos = photoProgress(saved.filter(({ unsent }) => unsent === 'yes'))
      return {
        queue,
        photos,
        failed: queue.some(isParked) || photos.some(({ items }) => items.some(isParked)),
        wait: queueWait(queue),
        unsent: queue.length + photos.filter((group) => isOwnCard(group, queue)).length,
        // photos are counted with their record, not listed one by one
        sent: changes
          .filter(({ state }) => state === 'accepted')
          .toSorted((a, b) => (a.stamp > b.stamp ? -1 : 1)),
        ledger,
        drafts,
      }
    }),
  )
})

export const isParked = ({ state }: QueueItem): boolean => state === 'failed' || state === 'expired'

const isOf = ({ resource, recordKey }: PhotoProgress, { record }: QueueItem) =>
  record.resource === resource && record.key === recordKey

/** The change that the photos of a record are shown with: the last one unsent. */
export const cardOf = (photos: PhotoProgress, queue: readonly QueueItem[]): QueueItem | undefined =>
  queue.findLast((item) => isOf(photos, item))

/** Photos whose record the CRM has; and those that somebody must decide about, unless their record is such a one too. */
export function isOwnCard(photos: PhotoProgress, queue: readonly QueueItem[]): boolean {
  const card = cardOf(photos, queue)
  return !card || (photos.items.some(isParked) && !isParked(card))
}

/** What goes by itself: photos, too, unless their record does not go. */
export const sendableOf = ({ queue, photos }: Outbox): QueueItem[] => [
  ...queue.filter(isSendable),
  ...photos
    .filter((group) => queue.every((item) => isSendable(item) || !isOf(group, item)))
    .flatMap(({ items }) => items.filter(isSendable)),
]
