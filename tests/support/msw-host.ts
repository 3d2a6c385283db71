/** The demo CRM behind MSW, so that tests of the sync go through the real fetch. */
import { http, HttpResponse } from 'msw'
import { setupServer, type SetupServer } from 'msw/node'
import type { DemoCrm } from '#demo-crm/demo-crm.ts'

export interface MswHost {
  server: SetupServer
  stop: () => void
}

/** @param options.origin the CRM's origin, `http://crm.test`; calls to others are errors */
export function startMswHost(crm: DemoCrm, { origin }: { origin: string }): MswHost {
  const server = setupServer(
    http.all('*', async ({ request }) => {
      if (new URL(request.url).origin !== new URL(origin).origin) return HttpResponse.error()
      try {
        return await crm.fetch(request.clone())
      } catch {
        return HttpResponse.error()
      }
    }),
  )
  server.listen({ onUnhandledRequest: 'error' })
  return { server, stop: () => server.close() }
}
