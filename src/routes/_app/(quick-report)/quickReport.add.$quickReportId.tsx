import { createFileRoute } from '@tanstack/react-router'
import { textParam } from '#app/search-params.ts'
import { EmergencyListPopup } from '#features/emergency-report/emergency-list-screen.tsx'
import { QuickReportAddScreen } from '#features/quick-report/quick-report-add-screen.tsx'

export const Route = createFileRoute('/_app/(quick-report)/quickReport/add/$quickReportId')({
  validateSearch: (search): { other?: string } => textParam(search, 'other'),
  component: QuickReportAdd,
})

function QuickReportAdd() {
  const { quickReportId } = Route.useParams()
  const other = Route.useSearch({ select: (search) => search.other })
  return (
    <>
      <QuickReportAddScreen key={quickReportId} quickReportId={quickReportId} other={other} />
      <EmergencyListPopup quickReportId={quickReportId} />
    </>
  )
}
