import { useLingui } from '@lingui/react/macro'
import { useMemo } from 'react'
import { useAskedRecord } from '#data/use-asked-record.ts'
import { useVisitsOfReports } from '#data/use-visits.ts'
import { ExitForm } from './exit-form.tsx'
import { RequestFormAbsent } from '#features/request-form/request-form-frame.tsx'
import { reportedOf } from './reported.ts'
import { otherIds } from './rules.ts'

interface QuickReportAddScreenProps {
  quickReportId: string
  /** Further report ids, comma-separated: one report for all of them. */
  other: string | undefined
}

/** 退館報告登録. */
export function QuickReportAddScreen({ quickReportId, other }: QuickReportAddScreenProps) {
  const { t } = useLingui()
  const ids = useMemo(() => [quickReportId, ...otherIds(other, quickReportId)], [quickReportId, other])
  const found = useVisitsOfReports(ids)
  const { main: known, others, missing } = reportedOf(ids, found ?? [])
  const main = useAskedRecord('quickReports', quickReportId, found && known)
  if (typeof main === 'string') return <RequestFormAbsent title={t`退館報告登録`} state={main} />
  return <ExitForm main={main} others={others} missing={missing} />
}
