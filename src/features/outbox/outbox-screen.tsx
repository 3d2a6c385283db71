import { useLingui } from '@lingui/react/macro'
import { Info, Send } from 'lucide-react'
import { useEffect, useState } from 'react'
import { map } from 'rxjs'
import { useLiveQuery, useOnline, useServices, useValue, type CrmState } from '#data/context/app-context.tsx'
import { waitingElsewhere, useShownCrm } from '#data/context/other-crms.ts'
import type { Database } from '#data/database/database.ts'
import { outboxQuery } from '#data/visits/first-queries.ts'
import { sendableOf, type Outbox } from '#data/outbox/outbox.ts'
import { requestRows$ } from '#data/visits/request-rows.ts'
import { useToday } from '#data/context/use-now.ts'
import { shortStampText, timeText, tokyoDay } from '#lib/time/tokyo-time.ts'
import { ActionBar } from '#ui/controls/action-bar.tsx'
import { Button } from '#ui/controls/button.tsx'
import { Empty } from '#ui/feedback/empty.tsx'
import { ViewSkeleton } from '#ui/request/skeleton.tsx'
import { Pad, Summary } from '#ui/layout/layout.tsx'
import { QUEUE_WAIT } from './jobs.ts'
import { Narrow } from '#ui/layout/desk.tsx'
import { UnsavedDrafts } from './unsaved-drafts.tsx'
import { LockedData, useLockedCount } from './locked-data.tsx'
import type { JobRequest, JobRequests } from './outbox-job.tsx'
import { OutboxJobs } from './outbox-jobs.tsx'
import { useRefresh } from '#data/context/use-refresh.ts'
import type { MessageDescriptor } from '@lingui/core'
import { msg } from '@lingui/core/macro'
import { Section } from '#ui/layout/section.tsx'

/** The screen 送信状況: everything that the CRM does not have yet, in sending order. */
export function OutboxScreen() {
  const { t } = useLingui()
  const { Frame, crms } = useServices()
  const others = waitingElsewhere(useValue(crms))
  const outbox = useLiveQuery(outboxQuery.key, outboxQuery.query)
  const requests = useLiveQuery('outbox-requests', requests$)
  const unsent = outbox?.unsent ?? 0
  const isQueueShown = useQueueShown(outbox)
  const sealed = useLockedCount()
  const isRead = outbox !== undefined && requests !== undefined
  // Discarding a card removes its focused button. The focus then moves to the next card.
  useFocusStays()
  return (
    <Frame
      title={t`送信状況`}
      tabs
      center={isRead && unsent + sealed + outbox.sent.length + others.length + outbox.drafts.length === 0}
      footer={outbox && isQueueShown && <SendNow outbox={outbox} />}
    >
      {!isRead && <ViewSkeleton />}
      {sealed > 0 && (
        <Narrow>
          <LockedData />
        </Narrow>
      )}
      {isRead && <UnsavedDrafts requests={requests} />}
      {isRead && isQueueShown && <Unsent outbox={outbox} />}
      {isRead && !isQueueShown && sealed === 0 && <AllSent isAll={others.length === 0} />}
      {isRead && unsent + outbox.sent.length > 0 && <OutboxJobs outbox={outbox} requests={requests} />}
      {isRead && others.length > 0 && (
        <Narrow>
          {others.map((crm) => (
            <OtherCrm key={crm.scope} crm={crm} />
          ))}
        </Narrow>
      )}
    </Frame>
  )
}

function useQueueShown(outbox: Outbox | undefined): boolean {
  const [wasUnsent, setUnsent] = useState(false)
  const { unsent = 0, sent = [] } = outbox ?? {}
  const isShown = unsent > 0 || (wasUnsent && sent.length > 0)
  if (outbox && isShown !== wasUnsent) setUnsent(isShown)
  return isShown
}

/** The number of unsent changes of the chosen CRM. With several CRMs the text names the CRM. */
function Unsent({ outbox: { unsent: count, sent } }: { outbox: Outbox }) {
  const { t } = useLingui()
  const name = useShownCrm()
  const today = useToday()
  const times = sent.map(({ settledAt }) => settledAt).toSorted()
  const last = times.at(-1) ?? null
  const unsentText = count > 0 ? t`未送信 ${count}件` : t`未送信の変更はありません`
  const time = tokyoDay(last) === today ? timeText(last) : shortStampText(last, today)
  return (
    <Summary title={name ? `${name}：${unsentText}` : unsentText}>
      {count > 0 && t`保存した順に送信します。`}
      {time !== '' && <span className="num">{t`最終送信 ${time}`}</span>}
    </Summary>
  )
}

/** The empty state. If another CRM has unsent changes, the text speaks only of the chosen CRM. */
function AllSent({ isAll }: { isAll: boolean }) {
  const { t } = useLingui()
  const name = useShownCrm()
  if (!isAll) return <Empty art="done" heading={t`${name ?? ''}：未送信の変更はありません`} />
  return (
    <Empty
      art="done"
      heading={t`未送信の変更はありません`}
      advice={t`送信を待っている内容も、送信できなかった内容もありません。`}
    />
  )
}

/** Emits a lookup of requests by visit key, and by id for changes that name no day. The first call builds its index. */
const requests$ = (db: Database) =>
  requestRows$(db).pipe(
    map(({ rows }): JobRequests => {
      let known: Map<string, JobRequest> | undefined
      const pairs = () =>
        rows.flatMap((row) => [row.key, row.id].map((id): [string, JobRequest] => [id, row]))
      return { get: (keyOrId) => (known ??= new Map(pairs())).get(keyOrId) }
    }),
  )

function SendNow({ outbox }: { outbox: Outbox }) {
  const { t, i18n } = useLingui()
  const online = useOnline()
  const { busy, refresh } = useRefresh()
  const { wait, unsent } = outbox
  const canSend = sendableOf(outbox).length > 0
  const hint = () => {
    if (unsent === 0) return t`未送信の変更はありません`
    if (!canSend) return t`自動で送信するものはありません。「再送」か「破棄」を選んでください。`
    if (!online) return t`電波が戻ると自動で送信します。`
    return wait ? i18n._(QUEUE_WAIT[wait]) : undefined
  }
  return (
    <ActionBar hint={hint()} hintIcon={online || !canSend ? Info : undefined}>
      <Button
        variant="primary"
        wide
        icon={Send}
        busy={busy && online}
        disabled={!online || !canSend}
        onClick={refresh}
      >
        {t`今すぐ送信`}
      </Button>
    </ActionBar>
  )
}

/** Another CRM with unsent changes (sync RULES SV5). */
function OtherCrm({ crm }: { crm: CrmState }) {
  const { t, i18n } = useLingui()
  const { crms } = useServices()
  const { scope, name, unsent, session, failed } = crm
  return (
    <Section heading={t`${name}：未送信 ${unsent}件`}>
      <Pad>
        <p>{i18n._(session === 'open' && failed ? FAILED : STATES[session])}</p>
      </Pad>
      {session !== 'removed' && (
        <Pad>
          <Button tall wide onClick={() => crms.choose(scope)}>{t`「${name}」に切り替える`}</Button>
        </Pad>
      )}
    </Section>
  )
}

const STATES: Record<CrmState['session'], MessageDescriptor> = {
  removed: msg`接続先の一覧から外れているため、送信できません。内容は端末に残っています。アプリの管理者に連絡してください。`,
  'signed-out': msg`内容は端末に残っています。切り替えてログインすると送信します。`,
  locked: msg`画面のロックがかかっています。切り替えて開くと送信します。`,
  'timed-out': msg`ログインの有効期限が切れています。切り替えてログインすると送信します。`,
  closed: msg`端末の内容を開けないため、送信できません。切り替えて、表示される案内に従ってください。`,
  open: msg`切り替えなくても、自動で送信します。`,
}
const FAILED = msg`送信できなかったものがあります。切り替えて「再送」か「破棄」を選んでください。`

/** Moves the focus from a removed row to the row in its place, else the last row, else the main element. */
function useFocusStays(): void {
  useEffect(() => {
    const main = document.querySelector('main')
    if (!main) return undefined
    const rows = () => [...main.querySelectorAll('li')]
    let focused: Element | null = null
    let rowIndex = -1
    const remember = ({ target }: FocusEvent) => {
      if (!(target instanceof Element)) return
      focused = target
      const row = target.closest('li')
      rowIndex = row ? rows().indexOf(row) : -1
    }
    const moveFocus = () => {
      const isElsewhere = document.activeElement?.isConnected && document.activeElement !== document.body
      if (rowIndex < 0 || focused?.isConnected !== false || isElsewhere) return
      const remaining = rows()
      const next = remaining[Math.min(rowIndex, remaining.length - 1)] ?? main
      next.tabIndex = -1
      next.focus({ preventScroll: true })
    }
    const observer = new MutationObserver(moveFocus)
    observer.observe(main, { childList: true, subtree: true })
    main.addEventListener('focusin', remember)
    return () => {
      observer.disconnect()
      main.removeEventListener('focusin', remember)
    }
  }, [])
}
