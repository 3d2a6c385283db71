import { useLingui } from '@lingui/react/macro'
import { useMemo } from 'react'
import { useFetchedRecord, useFetchedRecords } from '#data/context/use-fetched-record.ts'
import { useOpened, useLatched } from '#data/context/use-latched.ts'
import { useItsRequest, useTheirRequests, useVisitsOfReports } from '#data/visits/use-visits.ts'
import { ExitForm } from './exit-form.tsx'
import { RequestFormAbsent } from '#features/request-form/request-form-frame.tsx'
import { reportedOf } from './reported.ts'
import { otherIds } from './rules.ts'

interface QuickReportAddScreenProps {
  quickReportId: string
  /** Further report ids, comma-separated; one report is saved for all of them. */
  other: string | undefined
}

/** The screen 退館報告登録. */
export function QuickReportAddScreen({ quickReportId, other }: QuickReportAddScreenProps) {
  const { t } = useLingui()
  const ids = useMemo(() => [quickReportId, ...otherIds(other, quickReportId)], [quickReportId, other])
  const found = useVisitsOfReports(ids)
  const { main: known, others, missing } = reportedOf(ids, found ?? [])
  const main = useLatched(quickReportId, useFetchedRecord('quickReports', quickReportId, found && known))
  const isComing = useFetchedRecords('quickReports', found && missing)
  const isHeadComing = useItsRequest(known?.report ?? null, known?.visit !== null)
  useTheirRequests(others.flatMap(({ report, visit }) => (visit ? [] : report)))
  // An open form is not replaced: offline it opened with the visits that were on the device.
  const isOpen = useOpened(typeof main !== 'string' && !isComing && !isHeadComing)
  if (typeof main === 'string') return <RequestFormAbsent title={t`退館報告登録`} state={main} />
  if (!isOpen) return <RequestFormAbsent title={t`退館報告登録`} state="loading" />
  return <ExitForm main={main} others={others} missing={missing} />
}
