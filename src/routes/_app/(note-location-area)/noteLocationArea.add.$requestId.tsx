import { createFileRoute } from '@tanstack/react-router'
import { NoteAddScreen } from '#features/note-location-area/note-form-screens.tsx'

export const Route = createFileRoute('/_app/(note-location-area)/noteLocationArea/add/$requestId')({
  component: NoteAdd,
})

function NoteAdd() {
  const { requestId } = Route.useParams()
  return <NoteAddScreen key={requestId} requestId={requestId} />
}
