import { type ReactNode, useEffect, useLayoutEffect, useRef, useState } from 'react'
import { useRouterState } from '@tanstack/react-router'
import { useLingui } from '@lingui/react/macro'
import type { QueueItem } from '#schemas/changes/change-queue.ts'
import { type PhotoProgress, PHOTOS } from '#schemas/changes/photo-queue.ts'
import { useLiveQuery, useUserData } from '#data/context/app-context.tsx'
import { isOnlyHere } from '#data/outbox/discard.ts'
import { cardOf, isOwnCard, isParked, type Outbox } from '#data/outbox/outbox.ts'
import { photoProgress$ } from '#data/photos/photos.ts'
import { requestInOrder } from '#data/fetch-requests/wishes.ts'
import styles from '#ui/feedback/queue.module.css'
import { ViewSkeleton } from '#ui/request/skeleton.tsx'
import { ConfirmSheet } from '#ui/popup/confirm-sheet.tsx'
import { isSameJson } from '#lib/browser/stored-json.ts'
import { jobName, nameable } from '#features/request-form/job-name.ts'
import { discardedWith, photosDiscardedWith, resentWith } from './jobs.ts'
import { type JobRequest, type JobRequests, OutboxJob, PhotosJob, SentJob } from './outbox-job.tsx'
import { useDiscardAtOnce } from './use-discard-at-once.ts'

/** The cards of 送信状況: one for each queued change, for the unsent photos of each sent record, and each sent change. */
export function OutboxJobs({ outbox, requests }: { outbox: Outbox; requests: JobRequests }) {
  const data = useUserData()
  const progress = useLiveQuery('photo-progress', photoProgress$)
  const [discarding, setDiscarding] = useState<QueueItem[]>([])
  const resend = (items: readonly QueueItem[]) => data && void requestInOrder(data.db, items, 'resend')
  useScrolledTo(progress !== undefined)
  if (!progress) return <ViewSkeleton />
  const { queue, photos } = outbox
  const groups = photos.map((group) => progress.find((all) => isSame(all, group)) ?? group)
  const cards: Cards = {
    ...outbox,
    groups,
    own: groups.filter((group) => isOwnCard(group, queue)),
    requestOf: ({ key, requestId }) => requests.get(key) ?? requests.get(requestId),
    onResend: resend,
    onAskDiscard: setDiscarding,
  }
  return (
    <>
      <JobQueue {...cards} />
      {discarding.length > 0 && (
        <DiscardSheet
          items={discarding}
          queue={queue}
          onYes={() => {
            if (data) void requestInOrder(data.db, discarding, 'discard')
            setDiscarding([])
          }}
          onNo={() => setDiscarding([])}
        />
      )}
    </>
  )
}

/** The cards in sending order, sent changes last. Cards stay in place while the screen is open (`stableOrder`). */
function JobQueue(cards: Cards) {
  const byId = new Map([...useChangeCards(cards), ...useOwnPhotoCards(cards), ...sentCards(cards)])
  const [shown, setShown] = useState<readonly string[]>([...byId.keys()])
  const order = stableOrder(shown, [...byId.keys()])
  if (!isSameJson(order, shown)) setShown(order)
  return (
    <ol className={styles.queue}>
      {order.map((id) => (
        <QueuePlace key={id}>{byId.get(id)}</QueuePlace>
      ))}
    </ol>
  )
}

/** The list item around a card. Its height never shrinks, because cards must not move under the finger. */
function QueuePlace({ children }: { children: ReactNode }) {
  const place = useRef<HTMLLIElement>(null)
  useLayoutEffect(() => {
    const element = place.current
    if (!element) return undefined
    let seenWidth = 0
    const sizes = new ResizeObserver(() => {
      const { offsetWidth, style } = element
      // The min-height was measured at another width and may be wrong.
      if (offsetWidth !== seenWidth) style.minHeight = ''
      seenWidth = offsetWidth
      style.minHeight = `${element.offsetHeight}px`
    })
    sizes.observe(element)
    return () => sizes.disconnect()
  }, [])
  return (
    <li ref={place} className={styles.item}>
      {children}
    </li>
  )
}

interface Cards extends Pick<Outbox, 'queue' | 'sent'> {
  /** The photos of each record, including those already uploaded. */
  groups: PhotoProgress[]
  /** The records whose photos have a card of their own (`isOwnCard`), for example because the record is already sent. */
  own: PhotoProgress[]
  requestOf(record: { key: string; requestId: string }): JobRequest | undefined
  onResend(items: readonly QueueItem[]): void
  /** Opens the confirmation for discarding items that may already have left the device. */
  onAskDiscard(items: QueueItem[]): void
}

/** A card, after an id that stays the same when the change is sent. */
type Place = [id: string, card: ReactNode]

function useChangeCards({ queue, groups, own, requestOf, onResend, onAskDiscard }: Cards): Place[] {
  const discard = useDiscardAtOnce()
  return queue.map((item, index) => {
    // The photos whose progress the card of this change shows.
    const photos = groups.find((group) => cardOf(group, queue) === item && !own.includes(group))
    const lostPhotos = photosDiscardedWith(item, photos)
    const all = [item, ...lostPhotos]
    const card = (
      <OutboxJob
        no={index + 1}
        item={item}
        queue={queue}
        request={requestOf(item.record)}
        photos={photos}
        onResend={() => onResend(resentWith(item, queue, groups))}
        onDiscard={() =>
          all.every(isOnlyHere)
            ? discard.change(item, lostPhotos, discardedWith(item, queue))
            : onAskDiscard(all)
        }
      />
    )
    return [item.change.id, card]
  })
}

/** Returns the cards that show only photos. They are numbered after the cards of changes. */
function useOwnPhotoCards({ queue, own, sent, requestOf, onResend, onAskDiscard }: Cards): Place[] {
  const discard = useDiscardAtOnce()
  return own.map((group, index) => {
    const before = sentBefore(group, sent)
    const card = (
      <PhotosJob
        no={queue.length + index + 1}
        photos={group}
        queue={queue}
        sent={before}
        request={requestOf({ key: group.recordKey, requestId: group.items[0]?.record.requestId ?? '' })}
        onResend={() => onResend(group.items.filter(isParked))}
        onDiscard={() =>
          group.items.every(isOnlyHere) ? discard.photos(group.items) : onAskDiscard(group.items)
        }
      />
    )
    return [before?.id ?? `${group.resource} ${group.recordKey}`, card]
  })
}

/** Returns the cards of sent changes. Omits changes whose photos still have a card. */
function sentCards({ own, sent, requestOf }: Cards): Place[] {
  const shown = new Set(own.map((group) => sentBefore(group, sent)))
  return sent
    .filter((entry) => !shown.has(entry))
    .map((entry) => {
      const request = requestOf({ key: entry.recordKey, requestId: entry.requestId })
      return [entry.id, <SentJob key={entry.id} entry={entry} request={request} />]
    })
}

const sentBefore = (group: PhotoProgress, sent: Outbox['sent']) => sent.find((entry) => isSame(entry, group))

type OfRecord = Pick<PhotoProgress, 'resource' | 'recordKey'>

const isSame = (a: OfRecord, b: OfRecord) => a.resource === b.resource && a.recordKey === b.recordKey

/** Scrolls to the card in the URL (`/outbox#<change id>`) and focuses it. @param ready true once the cards are rendered */
function useScrolledTo(ready: boolean): void {
  const hash = useRouterState({ select: ({ location }) => location.hash })
  useEffect(() => {
    if (!ready || hash === '') return
    const card = document.getElementById(hash)
    card?.scrollIntoView({ block: 'center' })
    card?.focus({ preventScroll: true })
  }, [ready, hash])
}

interface DiscardSheetProps {
  /** One change with the photos that are discarded with it, or the photos of one record. */
  items: readonly QueueItem[]
  queue: readonly QueueItem[]
  onYes: () => void
  onNo: () => void
}

/** Asks before 破棄 of what may have left the device: this cannot be undone. Other changes are discarded at once. */
function DiscardSheet({ items, queue, onYes, onNo }: DiscardSheetProps) {
  const { t, i18n } = useLingui()
  const dependents = items.flatMap((item) => discardedWith(item, queue))
  const [first, ...photos] = items
  // Number of photos that are discarded with a change. If all items are photos, the question itself covers the photos.
  const count = first?.record.resource === PHOTOS ? 0 : photos.length
  const names = dependents.map((item) => jobName(i18n, nameable(item))).join(t`、`)
  return (
    <ConfirmSheet
      question={t`この変更を破棄しますか？送信されていない内容は元に戻せません。`}
      destructive
      onYes={onYes}
      onNo={onNo}
    >
      {count > 0 && <p>{t`写真${count}枚も破棄されます。`}</p>}
      {dependents.length > 0 && <p>{t`この変更の送信を待っている${names}も破棄されます。`}</p>}
    </ConfirmSheet>
  )
}

/** Returns `ids` in the order of `shown`. Each id that is not shown yet follows the id before it in `ids`. */
export function stableOrder(shown: readonly string[], ids: readonly string[]): string[] {
  const order = shown.filter((id) => ids.includes(id))
  ids.forEach((id, index) => {
    if (!order.includes(id)) order.splice(order.indexOf(ids[index - 1] ?? '') + 1, 0, id)
  })
  return order
}
