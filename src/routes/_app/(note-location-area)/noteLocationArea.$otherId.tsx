import { createFileRoute } from '@tanstack/react-router'
import { textParam } from '#app/search-params.ts'
import { NoteListScreen } from '#features/note-location-area/note-list-screen.tsx'

const ownSearch = (search: object): { type?: string; requestId?: string; workingDate?: string } => ({
  ...textParam(search, 'type'),
  ...textParam(search, 'requestId'),
  ...textParam(search, 'workingDate'),
})

export const Route = createFileRoute('/_app/(note-location-area)/noteLocationArea/$otherId')({
  validateSearch: ownSearch,
  component: NoteList,
})

function NoteList() {
  const { otherId } = Route.useParams()
  const search = Route.useSearch({ select: ownSearch, structuralSharing: true })
  return <NoteListScreen key={`${otherId} ${search.type}`} otherId={otherId} search={search} />
}
