import { createFileRoute } from '@tanstack/react-router'
import { requirePermission } from '#app/guards.ts'
import { textParam } from '#app/search-params.ts'
import { Shell } from '#app/shell/frame.tsx'
import { ScanPopup } from '#features/scan/scan-popup.tsx'
import { RequestListPane } from '#features/request/list/request-search-screen.tsx'

/** Layout of all screens that require a login and a permission. */
export const Route = createFileRoute('/_app')({
  validateSearch: (search): { popup?: string; photo?: string; marks?: string; sheet?: string } => ({
    ...textParam(search, 'popup'),
    ...textParam(search, 'photo'),
    ...textParam(search, 'marks'),
    ...textParam(search, 'sheet'),
  }),
  beforeLoad: requirePermission,
  component: () => (
    <>
      <Shell List={RequestListPane} />
      <ScanPopup />
    </>
  ),
})
