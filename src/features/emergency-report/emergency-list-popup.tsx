import { useLingui } from '@lingui/react/macro'
import { useMemo } from 'react'
import { useRecordList } from '#data/resources/records-of-request.ts'
import { useVisitsOfReports } from '#data/visits/use-visits.ts'
import { Entries } from '#ui/request/entry.tsx'
import { Sheet } from '#ui/popup/sheet.tsx'
import { usePopup } from '#ui/popup/use-popup.ts'
import { EmergencyEntry } from './emergency-entry.tsx'
import { ListLoadLine } from '#features/request-form/list-load-state.tsx'

/** The popup 緊急報告一覧 over the form 退館報告. It shows the emergency reports of the same request. */
export function EmergencyListPopup({ quickReportId }: { quickReportId: string }) {
  const { isOpen, close } = usePopup('emergencyReports')
  const found = useVisitsOfReports(useMemo(() => [quickReportId], [quickReportId]))
  const requestId = found?.[0]?.report.requestId
  return isOpen && requestId !== undefined ? <ListSheet requestId={requestId} onClose={close} /> : null
}

function ListSheet({ requestId, onClose }: { requestId: string; onClose: () => void }) {
  const { t } = useLingui()
  const { records: reports, loadState } = useRecordList('emergencyReports', requestId)
  return (
    <Sheet heading={t`緊急報告一覧`} onClose={onClose}>
      <Entries>
        {reports?.map((report) => (
          <EmergencyEntry key={report.record.key} report={report} />
        ))}
      </Entries>
      <ListLoadLine loadState={loadState} none={<p>{t`緊急報告はありません`}</p>} />
    </Sheet>
  )
}
