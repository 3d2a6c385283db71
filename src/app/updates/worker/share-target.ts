/**
 * Answers `POST /share`, with which a phone shares photos with the app (decisions/photos). The answer is a redirect to
 * the screen: a reload must not share again. Other requests are left to Workbox.
 */
import { openReceivedStore } from '#data/received/received-store.ts'
import { receive } from '#data/received/receive.ts'
import { leftText, type LeftPhotos } from '#lib/received-left.ts'

const SHARE = '/share'
/** Name of the form field with the files. The web manifest has the same name. */
const FIELD = 'photos'

interface Fetching extends Event {
  readonly request: Request
  respondWith(answer: Promise<Response>): void
}

/** Handles shares from now on. @param report called with problems of reading or storing photos */
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
