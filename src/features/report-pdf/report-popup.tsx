import { Suspense } from 'react'
import { useVisitOf } from '#data/visits/use-visit-of.ts'
import { lazyCode } from '#ui/base/lazy-code.ts'
import { usePopup } from '#ui/popup/use-popup.ts'

const ReportSheet = lazyCode(async () => (await import('./report-sheet.tsx')).ReportSheet)

/** The popup 作業報告書 of a visit; 依頼詳細 opens it. */
export function ReportPopup({
  requestId,
  workingDate,
}: {
  requestId: string
  workingDate: string | undefined
}) {
  const { isOpen, close } = usePopup('report')
  return isOpen && <OfVisit requestId={requestId} workingDate={workingDate} onClose={close} />
}

interface OfVisitProps {
  requestId: string
  workingDate: string | undefined
  onClose: () => void
}

function OfVisit({ requestId, workingDate, onClose }: OfVisitProps) {
  const visit = useVisitOf(requestId, workingDate)
  if (typeof visit === 'string') return null
  return (
    <Suspense>
      <ReportSheet request={visit.request} onClose={onClose} />
    </Suspense>
  )
}
