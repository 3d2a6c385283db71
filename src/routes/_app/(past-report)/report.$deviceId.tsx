import { createFileRoute } from '@tanstack/react-router'
import { PastReportScreen } from '#features/past-report/past-report-screen.tsx'

export const Route = createFileRoute('/_app/(past-report)/report/$deviceId')({ component: PastReports })

function PastReports() {
  const { deviceId } = Route.useParams()
  return <PastReportScreen key={deviceId} deviceId={deviceId} />
}
