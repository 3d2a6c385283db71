import { createFileRoute } from '@tanstack/react-router'
import { textParam } from '#app/search-params.ts'
import { ReportPopup } from '#features/report-pdf/report-popup.tsx'
import { RequestViewScreen } from '#features/request/detail/request-view.tsx'

export const Route = createFileRoute('/_app/request/$id')({
  validateSearch: (search): { workingDate?: string } => textParam(search, 'workingDate'),
  component: RequestView,
})

function RequestView() {
  const { id } = Route.useParams()
  const workingDate = Route.useSearch({ select: (search) => search.workingDate })
  return (
    <>
      <RequestViewScreen key={`${id} ${workingDate}`} id={id} workingDate={workingDate} />
      <ReportPopup requestId={id} workingDate={workingDate} />
    </>
  )
}
