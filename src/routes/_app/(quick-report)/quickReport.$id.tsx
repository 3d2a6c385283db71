import { createFileRoute } from '@tanstack/react-router'
import { QuickReportViewScreen } from '#features/quick-report/quick-report-view-screen.tsx'

export const Route = createFileRoute('/_app/(quick-report)/quickReport/$id')({ component: QuickReportView })

function QuickReportView() {
  const { id } = Route.useParams()
  return <QuickReportViewScreen key={id} id={id} />
}
