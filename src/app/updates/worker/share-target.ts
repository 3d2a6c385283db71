/**
 * Handles `POST /share`, by which the phone shares photos with the app (decisions/photos). The answer redirects to the
 * screen, so that a reload does not share the photos again. Workbox handles all other requests.
 */
import { openReceivedStore } from '#data/received/received-store.ts'
import { receive } from '#data/received/receive.ts'
import { leftText, type LeftPhotos } from '#lib/received-left.ts'

const SHARE = '/share'
/** Form field with the files, as named in the web manifest. */
const FIELD = 'photos'

interface Fetching extends Event {
  readonly request: Request
  respondWith(answer: Promise<Response>): void
}

/** @param report called with errors of reading or storing photos */
export function answerShares(report: (problem: unknown) => void): void {
  const parts = {
    store: openReceivedStore(),
    cryptography: crypto,
    now: Date.now,
    newId: () => crypto.randomUUID(),
    room: navigator.storage,
    report,
  }
  const left = async (request: Request): Promise<LeftPhotos[]> => {
    try {
      const files = (await request.formData()).getAll(FIELD).filter((entry) => entry instanceof File)
      return await receive(files, parts)
    } catch (error) {
      report(error)
      return [{ why: 'failed', n: 0 }]
    }
  }
  addEventListener('fetch', (event) => {
    const fetching = event as Fetching
    const { request } = fetching
    const { origin, pathname } = new URL(request.url)
    if (request.method !== 'POST' || origin !== location.origin || pathname !== SHARE) return
    fetching.respondWith(left(request).then(toScreen))
  })
}

function toScreen(left: readonly LeftPhotos[]): Response {
  const query = left.length > 0 ? `?${new URLSearchParams({ left: leftText(left) }).toString()}` : ''
  return Response.redirect(`${SHARE}${query}`, 303)
}
