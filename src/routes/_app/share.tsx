import { createFileRoute } from '@tanstack/react-router'
import { textParam } from '#app/search-params.ts'
import { ReceivedScreen } from '#features/received/received-screen.tsx'

interface ShareSearch {
  left?: string
  visit?: string
}

const ownSearch = (search: object): ShareSearch => ({
  ...textParam(search, 'left'),
  ...textParam(search, 'visit'),
})

/**
 * Screen to which the service worker redirects after the phone has shared photos
 * (`src/app/updates/worker/worker.ts`).
 */
export const Route = createFileRoute('/_app/share')({ validateSearch: ownSearch, component: Share })

function Share() {
  const { left, visit } = Route.useSearch({ select: ownSearch, structuralSharing: true })
  return <ReceivedScreen left={left} visit={visit} />
}
