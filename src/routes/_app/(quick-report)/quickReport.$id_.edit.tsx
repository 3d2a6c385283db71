import { createFileRoute } from '@tanstack/react-router'
import { EmergencyListPopup } from '#features/emergency-report/emergency-list-screen.tsx'
import { QuickReportEditScreen } from '#features/quick-report/quick-report-edit-screen.tsx'

export const Route = createFileRoute('/_app/(quick-report)/quickReport/$id_/edit')({
  component: QuickReportEdit,
})

function QuickReportEdit() {
  const { id } = Route.useParams()
  return (
    <>
      <QuickReportEditScreen key={id} id={id} />
      <EmergencyListPopup quickReportId={id} />
    </>
  )
}
