/**
 * The font of a report: 5.5 MB from the app's own host, fetched when somebody wants it and in the browser's cache from then
 * on, so that a report is made without a signal, too.
 */
import fontUrl from '@expo-google-fonts/noto-sans-jp/400Regular/NotoSansJP_400Regular.ttf?url'

const CACHE = 'report-font'
export const FONT_NAME = 'NotoSansJP'
export const FONT_MB = 6
/** A TrueType file begins with it; the page that a host sends for what it does not have does not. */
const TRUE_TYPE = 0x00010000

interface FontSource {
  caches: CacheStorage
  fetch: typeof fetch
}

/** From the device, else from the host. @throws where neither has it */
export async function loadFont({ caches, fetch }: FontSource, signal: AbortSignal): Promise<ArrayBuffer> {
  const cache = await caches.open(CACHE)
  const here = await cache.match(fontUrl)
  if (here) return here.arrayBuffer()
  const answer = await fetch(fontUrl, { signal })
  const bytes = await answer.arrayBuffer()
  if (!answer.ok || bytes.byteLength < 4 || new DataView(bytes).getUint32(0) !== TRUE_TYPE)
    throw new Error(`No font at ${fontUrl}: ${answer.status}`)
  await replaceIn(cache, bytes).catch(() => undefined)
  return bytes
}

/** Those of earlier versions go. A full device does without: it is fetched again. */
async function replaceIn(cache: Cache, bytes: ArrayBuffer): Promise<void> {
  for (const before of await cache.keys()) await cache.delete(before)
  await cache.put(fontUrl, new Response(bytes, { headers: { 'content-type': 'font/ttf' } }))
}
