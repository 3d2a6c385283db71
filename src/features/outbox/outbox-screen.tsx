import { useLingui } from '@lingui/react/macro'
import { Send } from 'lucide-react'
import { useState } from 'react'
import { map } from 'rxjs'
import type { QueueItem } from '#schemas/change-queue.ts'
import { useLiveQuery, useOnline, useServices, useUserData } from '#data/app-context.tsx'
import type { Database } from '#data/database.ts'
import { outboxQuery } from '#data/first-queries.ts'
import type { Outbox } from '#data/outbox.ts'
import { wish } from '#data/wishes.ts'
import { shortStampText, timeText, tokyoToday } from '#lib/tokyo-time.ts'
import { ActionBar } from '#ui/action-bar.tsx'
import { Button } from '#ui/button.tsx'
import { Empty } from '#ui/empty.tsx'
import { Queue } from '#ui/queue.tsx'
import { Summary } from '#ui/summary.tsx'
import { DiscardSheet } from './discard-sheet.tsx'
import { type JobRequest, OutboxJob, SentJob } from './outbox-job.tsx'
import { useRefresh } from '#data/use-refresh.ts'

/** 送信状況: everything the CRM does not have yet, in the order it will get it. */
export function OutboxScreen() {
  const { t } = useLingui()
  const { Frame } = useServices()
  const outbox = useLiveQuery(outboxQuery.key, outboxQuery.query)
  const unsent = outbox?.queue.length ?? 0
  return (
    <Frame
      title={t`送信状況`}
      tabs
      center={outbox !== undefined && unsent + outbox.sent.length === 0}
      footer={unsent > 0 && <SendNow />}
    >
      {outbox && (unsent > 0 ? <Unsent outbox={outbox} /> : <AllSent />)}
      {outbox && unsent + outbox.sent.length > 0 && <Jobs outbox={outbox} />}
    </Frame>
  )
}

function Unsent({ outbox: { queue, sent } }: { outbox: Outbox }) {
  const { t } = useLingui()
  const { clock } = useServices()
  const count = queue.length
  const last =
    sent
      .map(({ settledAt }) => settledAt)
      .toSorted()
      .at(-1) ?? null
  const isToday = last !== null && tokyoToday(Date.parse(last)) === tokyoToday(clock.now())
  const time = isToday ? timeText(last) : shortStampText(last)
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
      advice={t`保存した内容はすべて送信されています。`}
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

function Jobs({ outbox: { queue, sent } }: { outbox: Outbox }) {
  const data = useUserData()
  const requests = useLiveQuery('outbox-requests', requests$)
  const [discarding, setDiscarding] = useState<QueueItem | null>(null)
  const ask = (item: QueueItem, what: 'resend' | 'discard') => data && void wish(data.db, item, what)
  if (!requests) return null
  return (
    <>
      <Queue>
        {queue.map((item, index) => (
          <OutboxJob
            key={item.change.id}
            no={index + 1}
            item={item}
            queue={queue}
            request={requests.get(item.record.key) ?? requests.get(item.record.requestId)}
            onResend={() => ask(item, 'resend')}
            onDiscard={() => setDiscarding(item)}
          />
        ))}
        {sent.map((entry) => (
          <SentJob
            key={entry.id}
            entry={entry}
            request={requests.get(entry.recordKey) ?? requests.get(entry.requestId)}
          />
        ))}
      </Queue>
      {discarding && (
        <DiscardSheet
          item={discarding}
          queue={queue}
          onYes={() => {
            ask(discarding, 'discard')
            setDiscarding(null)
          }}
          onNo={() => setDiscarding(null)}
        />
      )}
    </>
  )
}

function SendNow() {
  const { t } = useLingui()
  const online = useOnline()
  const { busy, refresh } = useRefresh()
  return (
    <ActionBar hint={online ? undefined : t`電波が戻ると自動で送信します。`}>
      <Button variant="primary" wide icon={Send} busy={busy && online} disabled={!online} onClick={refresh}>
        {t`今すぐ送信`}
      </Button>
    </ActionBar>
  )
}
