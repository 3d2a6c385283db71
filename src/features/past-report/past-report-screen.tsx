import { useLingui } from '@lingui/react/macro'
import { useNavigate } from '@tanstack/react-router'
import { ChevronRight, Siren } from 'lucide-react'
import { useId, useState } from 'react'
import {
  LOAD_MORE_SIZE,
  SCROLL_TRIGGER_PX,
  DEVICE_REPORT_LIMIT,
  DEVICE_REPORT_PAGES_AHEAD,
} from '#schemas/limits.ts'
import type { PastReportRecord } from '#schemas/resources/past-report.ts'
import { useOnline, useServices, useLiveQuery } from '#data/context/app-context.tsx'
import { useBackOr } from '#data/context/use-leave-form.ts'
import { BackButton } from '#ui/layout/app-bar.tsx'
import { Empty } from '#ui/feedback/empty.tsx'
import { ListEnd, Summary } from '#ui/layout/layout.tsx'
import { NearEnd } from '#ui/feedback/near-end.tsx'
import { Fact } from '#ui/feedback/mark.tsx'
import { Icon } from '#ui/base/icon.tsx'
import styles from '#ui/request/past.module.css'
import { ViewSkeleton } from '#ui/request/skeleton.tsx'
import { RetryRow, ListLoadScreen } from '#features/request-form/list-load-state.tsx'
import { pastDayText, timeRange } from '#lib/time/tokyo-time.ts'
import { Brief, BriefItem } from '#ui/request/brief.tsx'
import { Sheet } from '#ui/popup/sheet.tsx'
import { usePopup } from '#ui/popup/use-popup.ts'
import { distinctUntilChanged, map, of, switchMap } from 'rxjs'
import { pastReportsOf } from '#schemas/resources/visit-key.ts'
import type { Database } from '#data/database/database.ts'
import { requestRows$ } from '#data/visits/request-rows.ts'
import { useFetchedList } from '#data/context/use-fetched-list.ts'
import type { RequestRecord } from '#schemas/resources/request.ts'

/** The screen 過去報告 of a machine. */
export function PastReportScreen({ deviceId }: { deviceId: string }) {
  const { t } = useLingui()
  const { Frame } = useServices()
  const navigate = useNavigate()
  const backOr = useBackOr()
  const machine = useMachine(deviceId)
  const { reports, loadState, ...list } = usePastReports(deviceId)
  return (
    <Frame
      title={t`過去報告`}
      back={<BackButton onClick={() => void backOr(() => navigate({ to: '/request', search: {} }))} />}
      center={loadState.state === 'absent' || loadState.state === 'failed'}
    >
      {machine === undefined ? (
        <ViewSkeleton />
      ) : (
        <>
          <Summary title={machine?.model ?? t`機器の過去報告`}>{machine?.place}</Summary>
          {reports && reports.length > 0 && <Reports {...list} reports={reports} />}
          {loadState.state !== 'rows' && (
            <ListLoadScreen
              loadState={loadState}
              onRetry={list.retry}
              none={
                <Empty
                  art="search"
                  heading={t`過去報告はありません`}
                  advice={t`この機器で登録された報告はまだありません。`}
                />
              }
            />
          )}
        </>
      )}
    </Frame>
  )
}

type ReportsProps = Omit<ReturnType<typeof usePastReports>, 'reports' | 'loadState'> & {
  reports: readonly PastReportRecord[]
}

/** The list of past reports. Scrolling near the end adds 20 more reports, from the device or else from the CRM. */
function Reports({ reports, isWhole, isComing, hasFailed, askMore, retry }: ReportsProps) {
  const { t } = useLingui()
  const online = useOnline()
  const [most, setMost] = useState(LOAD_MORE_SIZE)
  const hasMore = reports.length > most
  const canAskMore = !hasMore && !isWhole && online && !isComing && !hasFailed
  const nextPage = () => {
    setMost(most + LOAD_MORE_SIZE)
    if (!hasMore) askMore()
  }
  return (
    <NearEnd
      px={SCROLL_TRIGGER_PX}
      shown={Math.min(most, reports.length)}
      onNear={hasMore || canAskMore ? nextPage : undefined}
    >
      <ol className={styles.pasts}>
        {reports.slice(0, most).map((report) => (
          <PastReportItem key={report.key} report={report} />
        ))}
      </ol>
      <ListEnd loading={hasMore || canAskMore || (isComing && !isWhole)}>
        {isWhole && t`これより前の報告はありません`}
        {!isWhole && (hasFailed ? t`続きを読み込めませんでした` : t`続きは電波の届く場所で表示されます`)}
      </ListEnd>
      {!isWhole && hasFailed && <RetryRow onRetry={retry} />}
    </NearEnd>
  )
}

function PastReportItem({ report }: { report: PastReportRecord }) {
  const { t } = useLingui()
  const id = useId()
  const { workingDate, reportCatName, requestDetail, specialComment, supplierName, supplierStaffName } =
    report
  const { start, end } = timeRange(report.workingStartTime, report.workingEndTime)
  const items = [
    { label: t`依頼内容`, value: requestDetail ?? '' },
    { label: t`特記事項`, value: specialComment ?? '' },
  ].filter(({ value }) => value !== '')
  return (
    <li>
      <article className={styles.past} aria-labelledby={id}>
        <div className={styles.when}>
          <h2 id={id} className="num">
            {pastDayText(workingDate)}
          </h2>
          <Fact>{reportCatName ?? t`区分なし`}</Fact>
        </div>
        <p className={styles.by}>
          {(start || end) && <span className="num">{`${start}〜${end}`}　</span>}
          {supplierName !== null && <span className="keep">{supplierName}　</span>}
          {supplierStaffName !== null && <span className="nb">{supplierStaffName}</span>}
        </p>
        <dl className={styles.items}>
          {items.map(({ label, value }) => (
            <div key={label}>
              <dt>{label}</dt>
              <dd>{value}</dd>
            </div>
          ))}
        </dl>
        {report.emergencyReports.map((emergency, index) => {
          const name = `emergency-${report.id}-${index + 1}`
          return <EmergencyItem key={name} name={name} emergency={emergency} />
        })}
      </article>
    </li>
  )
}

type EmergencyItemProps = { name: string; emergency: PastReportRecord['emergencyReports'][number] }

/** An emergency in a past report, as a button that opens 緊急報告詳細. */
function EmergencyItem({ name, emergency }: EmergencyItemProps) {
  const { t } = useLingui()
  const { isOpen, open, close } = usePopup(name)
  const rows = [
    { label: t`緊急内容`, value: emergency.emergencyContentsName },
    { label: t`リスク`, value: emergency.riskName },
    { label: t`対応日`, value: emergency.correspondenceDateName },
    { label: t`TTS担当者への連絡`, value: emergency.ttsStaffContactName },
    { label: t`緊急内容詳細`, value: emergency.emergencyContentsDetails },
  ]
  return (
    <>
      <button type="button" className={styles.emergency} onClick={open}>
        <Icon as={Siren} />
        <span>
          {t`緊急報告`}
          <small>{emergency.emergencyContentsName ?? t`内容なし`}</small>
        </span>
        <span className={styles.look}>
          {t`見る`}
          <Icon as={ChevronRight} />
        </span>
      </button>
      {isOpen && (
        <Sheet heading={t`緊急報告詳細`} onClose={close}>
          <Brief>
            {rows.map(({ label, value }) => (
              <BriefItem key={label} label={label}>
                {value || t`なし`}
              </BriefItem>
            ))}
          </Brief>
        </Sheet>
      )}
    </>
  )
}

const reports$ = (db: Database, deviceId: string) =>
  db.pastReports
    .find({ selector: pastReportsOf(deviceId) })
    .$.pipe(map((docs) => newestFirst(docs.map((doc) => doc.toMutableJSON()))))

/** Emits a machine's model and place (ベイサイド東雲 A棟 地下ピット 1号機), from any request that names it; null if none does. */
const machine$ = (db: Database, deviceId: string) =>
  requestRows$(db).pipe(
    map(({ rows }) => rows.find(({ devices }) => devices.includes(deviceId))?.key),
    distinctUntilChanged(),
    switchMap((key) => (key === undefined ? of(null) : db.requests.findOne(key).$)),
    map((doc) => doc && machineFacts(deviceId, doc.toMutableJSON())),
  )

const useMachine = (deviceId: string) => useLiveQuery(`machine ${deviceId}`, (db) => machine$(db, deviceId))

/** Returns a machine's past reports, newest first: at once those on the device, then further pages from the CRM. */
function usePastReports(deviceId: string) {
  // Number of pages to read from the CRM; undefined until the user reaches the end of the list.
  const [pages, setPages] = useState<number>()
  const reports = useLiveQuery(`past reports ${deviceId}`, (db) => reports$(db, deviceId))
  const [wanted, setWanted] = useState(false)
  const list = useFetchedList(
    { collection: 'pastReports', owner: deviceId, ...(pages !== undefined && { pages }) },
    { ask: wanted },
  )
  const isUnread = reports !== undefined && !list.isComing && !list.isRead
  if (isUnread && !wanted) setWanted(true)
  // `list.pages` counts only the pages of a fetch request. A machine's first pages are read without one.
  const pagesRead = Math.max(list.pages, list.isRead ? DEVICE_REPORT_PAGES_AHEAD : 0)
  const count = reports?.length ?? 0
  return {
    reports,
    isComing: list.isComing,
    isRead: list.isRead,
    hasFailed: list.hasFailed,
    loadState: list.loadState(reports?.length),
    retry: list.retry,
    /** True if the last page was not full, so that the CRM has no further reports of this machine. */
    isWhole: list.isRead && count < pagesRead * DEVICE_REPORT_LIMIT,
    askMore() {
      setPages(Math.floor(count / DEVICE_REPORT_LIMIT) + 1)
      setWanted(true)
    },
  }
}

const sortKey = ({ workingDate, workingStartTime, id }: PastReportRecord) =>
  `${workingDate} ${workingStartTime ?? ''} ${id}`

const newestFirst = (reports: readonly PastReportRecord[]): PastReportRecord[] =>
  reports.toSorted((a, b) => (sortKey(a) > sortKey(b) ? -1 : 1))

function machineFacts(deviceId: string, { detail, locationName }: RequestRecord) {
  const machine = detail?.devices.find((each) => each.deviceId === deviceId)
  if (!machine) return null
  const place = [machine.site1 || locationName, machine.site2].filter(Boolean).join('　')
  return { model: machine.deviceModel ?? deviceId, place }
}
