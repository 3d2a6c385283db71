import { Suspense } from 'react'
import { useVisitOf } from '#data/visits/use-visits.ts'
import { lazyCode } from '#ui/base/lazy-code.ts'
import { Popup } from '#ui/popup/use-popup.ts'

const ReportSheet = lazyCode(async () => (await import('./report-sheet.tsx')).ReportSheet)

interface ReportOf {
  requestId: string
  workingDate: string | undefined
}

/** The popup 作業報告書 of a visit, which 依頼詳細 opens. Its code is loaded on first use. */
export const ReportPopup = (of: ReportOf) => (
  <Popup name="report">{(close) => <OfVisit {...of} onClose={close} />}</Popup>
)

function OfVisit({ requestId, workingDate, onClose }: ReportOf & { onClose: () => void }) {
  const visit = useVisitOf(requestId, workingDate)
  if (typeof visit === 'string') return null
  return (
    <Suspense>
      <ReportSheet request={visit.request} onClose={onClose} />
    </Suspense>
  )
}
