import { createFileRoute } from '@tanstack/react-router'
import { NoteEditScreen } from '#features/note-location-area/note-form-screens.tsx'

export const Route = createFileRoute('/_app/(note-location-area)/noteLocationArea/$id_/edit')({
  component: NoteEdit,
})

function NoteEdit() {
  const { id } = Route.useParams()
  return <NoteEditScreen key={id} id={id} />
}
