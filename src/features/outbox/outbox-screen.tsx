import { useLingui } from '@lingui/react/macro'
import { Send } from 'lucide-react'
import { useState } from 'react'
import { map } from 'rxjs'
import type { QueueItem } from '#schemas/change-queue.ts'
import type { PhotoProgress } from '#schemas/photo-queue.ts'
import type { QueueWait } from '#schemas/queue-wait.ts'
import { useLiveQuery, useOnline, useServices, useUserData, useValue } from '#data/app-context.tsx'
import { waitingElsewhere } from '#data/crm-standings.ts'
import type { Database } from '#data/database.ts'
import { isOnlyHere } from '#data/discard.ts'
import { outboxQuery } from '#data/first-queries.ts'
import { cardOf, isOwnCard, isParked, sendableOf, type Outbox } from '#data/outbox.ts'
import { photoProgress$ } from '#data/photos.ts'
import { useToday } from '#data/use-now.ts'
import { wish } from '#data/wishes.ts'
import { shortStampText, timeText, tokyoDay } from '#lib/tokyo-time.ts'
import { ActionBar } from '#ui/action-bar.tsx'
import { Button } from '#ui/button.tsx'
import { Empty } from '#ui/empty.tsx'
import { Queue } from '#ui/queue.tsx'
import { ViewSkeleton } from '#ui/skeleton.tsx'
import { Summary } from '#ui/summary.tsx'
import { DiscardSheet } from './discard-sheet.tsx'
import { waitText } from './job-texts.ts'
import { KeptDrafts } from './kept-drafts.tsx'
import { resentWith } from './jobs.ts'
import { OtherCrms } from './other-crms.tsx'
import { SealedAside, useSealed } from './sealed-aside.tsx'
import { type JobRequest, OutboxJob, PhotosJob, SentJob } from './outbox-job.tsx'
import { useDiscardAtOnce } from './use-discard-at-once.ts'
import { useLedTo } from './use-led-to.ts'
import { useRefresh } from '#data/use-refresh.ts'

/** 送信状況: everything the CRM does not have yet, in the order it will get it. */
export function OutboxScreen() {
  const { t } = useLingui()
  const { Frame, crms } = useServices()
  const elsewhere = waitingElsewhere(useValue(crms)).length
  const outbox = useLiveQuery(outboxQuery.key, outboxQuery.query)
  const requests = useLiveQuery('outbox-requests', requests$)
  const unsent = outbox?.unsent ?? 0
  const sealed = useSealed()
  const isRead = outbox !== undefined && requests !== undefined
  return (
    <Frame
      title={t`送信状況`}
      tabs
      center={isRead && unsent + sealed + outbox.sent.length + elsewhere === 0}
      footer={outbox && unsent > 0 && <SendNow wait={outbox.wait} mayGo={sendableOf(outbox).length > 0} />}
    >
      {!isRead && <ViewSkeleton />}
      {isRead && unsent > 0 && <Unsent outbox={outbox} />}
      {isRead && unsent + sealed === 0 && <AllSent />}
      <SealedAside />
      {isRead && unsent + outbox.sent.length > 0 && <Jobs outbox={outbox} requests={requests} />}
      {requests && <KeptDrafts requests={requests} />}
      {isRead && <OtherCrms />}
    </Frame>
  )
}

function Unsent({ outbox: { unsent: count, sent } }: { outbox: Outbox }) {
  const { t } = useLingui()
  const today = useToday()
  const last =
    sent
      .map(({ settledAt }) => settledAt)
      .toSorted()
      .at(-1) ?? null
  const time = tokyoDay(last) === today ? timeText(last) : shortStampText(last, today)
  return (
    <Summary title={t`未送信 ${count}件`}>
      {t`保存した順に送信します。`}
      {time !== '' && <span className="num">{t`最終送信 ${time}`}</span>}
    </Summary>
  )
}

function AllSent() {
  const { t } = useLingui()
  return (
    <Empty
      art="done"
      heading={t`未送信の変更はありません`}
      advice={t`送信を待っている内容も、送信できなかった内容もありません。`}
    />
  )
}

const requests$ = (db: Database) =>
  db.requests.find().$.pipe(
    map(
      (docs) =>
        new Map<string, JobRequest>(
          // what belongs to no day is found by its request
          docs.flatMap(({ key, id, requestCode, locationName }) =>
            [key, id].map((known) => [known, { requestCode, locationName }]),
          ),
        ),
    ),
  )

interface JobsProps {
  outbox: Outbox
  requests: ReadonlyMap<string, JobRequest>
}

function Jobs({ outbox: { queue, photos, sent }, requests }: JobsProps) {
  const data = useUserData()
  const progress = useLiveQuery('photo-progress', photoProgress$)
  const [discarding, setDiscarding] = useState<QueueItem[]>([])
  const discard = useDiscardAtOnce()
  const ask = (items: readonly QueueItem[], what: 'resend' | 'discard') =>
    data && void Promise.all(items.map((item) => wish(data.db, item, what)))
  useLedTo(progress !== undefined)
  if (!progress) return <ViewSkeleton />
  const requestOf = ({ key, requestId }: { key: string; requestId: string }) =>
    requests.get(key) ?? requests.get(requestId)
  // with those that are there already
  const groups = photos.map((group) => progress.find((all) => isSame(all, group)) ?? group)
  const own = groups.filter((group) => isOwnCard(group, queue))
  const before = (group: PhotoProgress) => sent.find((entry) => isSame(entry, group))
  const done = sent.filter((entry) => !own.some((group) => before(group) === entry))
  return (
    <>
      <Queue>
        {queue.map((item, index) => (
          <OutboxJob
            key={item.change.id}
            no={index + 1}
            item={item}
            queue={queue}
            request={requestOf(item.record)}
            photos={groups.find((group) => cardOf(group, queue) === item && !own.includes(group))}
            onResend={() => ask(resentWith(item, queue, groups), 'resend')}
            onDiscard={() => (isOnlyHere(item) ? discard.change(item) : setDiscarding([item]))}
          />
        ))}
        {own.map((group, index) => (
          <PhotosJob
            key={`${group.resource} ${group.recordKey}`}
            no={queue.length + index + 1}
            photos={group}
            queue={queue}
            sent={before(group)}
            request={requestOf({ key: group.recordKey, requestId: group.items[0]?.record.requestId ?? '' })}
            onResend={() => ask(group.items.filter(isParked), 'resend')}
            onDiscard={() =>
              group.items.every(isOnlyHere) ? discard.photos(group.items) : setDiscarding(group.items)
            }
          />
        ))}
        {done.map((entry) => (
          <SentJob
            key={entry.id}
            entry={entry}
            request={requestOf({ key: entry.recordKey, requestId: entry.requestId })}
          />
        ))}
      </Queue>
      {discarding.length > 0 && (
        <DiscardSheet
          items={discarding}
          queue={queue}
          onYes={() => {
            ask(discarding, 'discard')
            setDiscarding([])
          }}
          onNo={() => setDiscarding([])}
        />
      )}
    </>
  )
}

const isSame = (
  a: { resource: string; recordKey: string },
  b: { resource: string; recordKey: string },
): boolean => a.resource === b.resource && a.recordKey === b.recordKey

interface SendNowProps {
  wait: QueueWait | null
  /** Some of it is sent by itself; the rest waits until somebody decides. */
  mayGo: boolean
}

function SendNow({ wait, mayGo }: SendNowProps) {
  const { t, i18n } = useLingui()
  const online = useOnline()
  const { busy, refresh } = useRefresh()
  const hint = () => {
    if (!mayGo) return t`自動で送信するものはありません。「再送」か「破棄」を選んでください。`
    if (!online) return t`電波が戻ると自動で送信します。`
    return wait ? waitText(i18n, wait) : undefined
  }
  return (
    <ActionBar hint={hint()}>
      <Button
        variant="primary"
        wide
        icon={Send}
        busy={busy && online}
        disabled={!online || !mayGo}
        onClick={refresh}
      >
        {t`今すぐ送信`}
      </Button>
    </ActionBar>
  )
}
