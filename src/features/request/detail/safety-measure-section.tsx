/** The section 安全対策 of 依頼詳細: one link for each safety type that the request requires or that has a measure. */
import { useLingui } from '@lingui/react/macro'
import { ClipboardList, ListChecks, OctagonAlert, Pencil } from 'lucide-react'
import { SafetyStatus, SafetyType } from '#schemas/codes.ts'
import type { RequestRecord } from '#schemas/resources/request.ts'
import { safetyNames } from '#data/visits/request-facts.ts'
import {
  isRegistered,
  isUnnecessary,
  safetyStatus,
  useSafetyRows,
  type SafetyRow,
} from '#data/resources/safety-measures.ts'
import { Button } from '#ui/controls/button.tsx'
import { Pad } from '#ui/layout/layout.tsx'
import { useOpenPopup, Popup } from '#ui/popup/use-popup.ts'
import { LinkList, PathIcon, PathStatus } from '#ui/controls/links.tsx'
import { SectionHead } from '#ui/layout/section.tsx'
import { useDetailAbsence } from '#data/context/use-fetched-record.ts'
import { ListLoadLine, useMissingTexts, useMissingWords } from '#features/request-form/list-load-state.tsx'
import { PathButton } from '#ui/controls/path-link.tsx'
import { Sheet } from '#ui/popup/sheet.tsx'
import { shownLabel } from '#lib/language.ts'
import { gasSheet, measuredIn, MEASURED_TYPES, useStoredSheet } from '#features/sheet/sheets.ts'
import { useToday } from '#data/context/use-now.ts'
import { shortStampText, timeOn } from '#lib/time/tokyo-time.ts'
import { useSendStateWords } from '#ui/feedback/send-state.tsx'

interface OfRequest {
  request: RequestRecord
}

/** The types with their status on this day. The popup 安全対策一覧 is part of the section. */
export function SafetySection({ request }: OfRequest) {
  const { t } = useLingui()
  const openList = useOpenPopup('safety')
  const found = useSafetyRows(request)
  const status = safetyStatus(request, found ?? [])
  const rows = shownRows(found)
  const absence = useDetailAbsence(request)
  const texts = useMissingTexts()
  return (
    <>
      <SectionHead
        right={status === null ? undefined : shownLabel(SafetyStatus.label(status))}
      >{t`安全対策`}</SectionHead>
      {rows.length === 0 && (
        <Pad>{safetyNames(request).map(shownLabel).join('；') || (absence ? texts[absence] : t`なし`)}</Pad>
      )}
      <LinkList>
        {rows.map((row) => (
          <SafetyItem key={row.type} request={request} row={row} />
        ))}
        {found && <MeasuredRow request={request} path={gasSheetPath(request, found)} />}
      </LinkList>
      <Pad>
        <Button icon={ListChecks} aria-haspopup="dialog" onClick={openList}>{t`安全対策一覧`}</Button>
      </Pad>
      <Popup name="safety">{(close) => <SafetyListSheet request={request} onClose={close} />}</Popup>
    </>
  )
}

/** A row with the visit's lowest oxygen and highest hydrogen sulphide, if the device has its 酸素・硫化水素濃度測定記録. */
function MeasuredRow({ request, path }: OfRequest & { path: string }) {
  const { t } = useLingui()
  const today = useToday()
  const { id: requestId, workingDate } = request
  const sheet = useStoredSheet(gasSheet, { requestId, workingDate }) ?? { fields: {}, rows: [] }
  const { oxygen, sulfide, times } = measuredIn(sheet)
  if (oxygen.length + sulfide.length === 0) return null
  const [from, to] = [times[0], times.at(-1)].map((at = '') => timeOn(at, workingDate, today))
  const [lowest, highest, points] = [Math.min(...oxygen), Math.max(...sulfide), times.length]
  const texts = [
    from === to ? from : `${from}〜${to}`,
    oxygen.length > 0 && t`酸素 ${lowest}%`,
    sulfide.length > 0 && t`硫化水素 ${highest}ppm`,
  ]
  // Non-breaking spaces keep each value on one line with its name.
  const text = texts.flatMap((each) => (each ? [each.replaceAll(' ', '\u00A0')] : [])).join(' ')
  const danger = gasSheet.stopsIn(sheet).length > 0
  return (
    <li>
      <PathIcon path={path} icon={danger ? OctagonAlert : ClipboardList} danger={danger}>
        <span>{t`測定 ${text}（${points}点）`}</span>
      </PathIcon>
    </li>
  )
}

/** The popup 安全対策一覧: this day's measures with their authors, and a link to 安全対策選択. */
function SafetyListSheet({ request, onClose }: OfRequest & { onClose: () => void }) {
  const { t } = useLingui()
  const found = useSafetyRows(request)
  const rows = shownRows(found)
  const absence = useDetailAbsence(request)
  // The request's details name all measures, so the list is complete once they are read.
  const state = found ? (absence ?? 'none') : 'reading'
  return (
    <Sheet
      heading={t`安全対策一覧`}
      onClose={onClose}
      footer={
        <PathButton path={safetySelectPath(request)} variant="primary" icon={Pencil}>
          {t`安全対策を選択`}
        </PathButton>
      }
    >
      <LinkList>
        {rows.map((row) => (
          <SafetyItem key={row.type} request={request} row={row} withAuthor />
        ))}
      </LinkList>
      <ListLoadLine
        loadState={rows.length > 0 ? { state: 'rows', rest: absence } : { state }}
        none={<p>{t`この作業日の安全対策はありません`}</p>}
      />
    </Sheet>
  )
}

const shownRows = (rows: readonly SafetyRow[] = []) => rows.filter(({ named, measure }) => named || measure)

/** A registered measure links to its screen, any other type to 安全対策選択. @param withAuthor true to name the author */
function SafetyItem({ request, row, withAuthor }: OfRequest & { row: SafetyRow; withAuthor?: boolean }) {
  const { t } = useLingui()
  const today = useToday()
  const words = useSendStateWords()
  const missing = useMissingWords()
  const absence = useDetailAbsence(request)
  const { type, measure, isUnknown } = row
  const registered = registeredIn(row)
  const unneeded = registered && isUnnecessary(registered)
  const notes = [
    measure && shortStampText(measure.createdAt, today),
    withAuthor && measure?.createdBy,
    measure?.unsent && words[measure.unsent],
  ]
  return (
    <li>
      <PathStatus
        path={registered ? measurePath(registered) : safetySelectPath(request, type)}
        name={shownLabel(measure?.typeName ?? SafetyType.label(type))}
        note={notes.filter(Boolean).join('・') || undefined}
        status={isUnknown ? 'unknown' : unneeded ? 'barred' : registered ? 'done' : 'todo'}
        word={isUnknown ? missing[absence ?? 'absent'] : unneeded ? t`不要` : undefined}
      />
    </li>
  )
}

/** Returns the measure of a row, unless its registration failed. */
const registeredIn = ({ measure }: SafetyRow) => (measure && isRegistered(measure) ? measure : null)

const measurePath = ({ id }: { id: string }) => `/safetyMeasure/${encodeURIComponent(id)}`

/** Returns the URL path of 安全対策選択 for a visit. @param safetyType the type whose question opens at once */
export function safetySelectPath(
  { id, workingDate, workingDateType }: RequestRecord,
  safetyType?: SafetyRow['type'],
): string {
  const query = new URLSearchParams({ workingDateType: workingDateType ?? '', workingDate })
  if (safetyType !== undefined) query.set('safetyType', safetyType)
  return `/safetyMeasure/select/${encodeURIComponent(id)}?${query.toString()}`
}

/** Returns the path of a form with 測定記録: 安全対策 of a type that needs a measurement, or 緊急報告 if all are 不要. */
function gasSheetPath(request: RequestRecord, rows: readonly SafetyRow[]): string {
  const { id, workingDate, workingDateType } = request
  const measured = rows.filter(({ type }) => MEASURED_TYPES.includes(type))
  const sheet = `sheet=${gasSheet.name}`
  const done = measured.map(registeredIn).find((measure) => measure && !isUnnecessary(measure))
  if (done) return `${measurePath(done)}/edit?${sheet}`
  const open = measured.filter((row) => !registeredIn(row))
  const safetyType = (open.find(({ named }) => named) ?? open[0])?.type
  if (safetyType === undefined)
    return `/emergencyReport/add/${encodeURIComponent(id)}?workingDate=${workingDate}&${sheet}`
  const query = { requestId: id, safetyType, workingDate, ...(workingDateType && { workingDateType }) }
  return `/safetyMeasure/add?${new URLSearchParams(query).toString()}&${sheet}`
}
