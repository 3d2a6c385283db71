/**
 * What a report is made with: the PDF library, and a font of 5.5 MB. Both come from the app's own host when somebody wants
 * them, and stay on the device: the font in the page's own cache, the library in the worker's (vite.config.ts).
 */
import fontUrl from '@expo-google-fonts/noto-sans-jp/400Regular/NotoSansJP_400Regular.ttf?url'
import { isStorageFull } from '#lib/browser/storage-full.ts'

const CACHE = 'report-font'
/** Font and library together, as they are transferred. */
export const DOWNLOAD_MB = 6
/** The first bytes of a TrueType file, unlike those of an error page. */
const TRUE_TYPE = 0x00010000

export interface Writer {
  createSheets: (font: ArrayBuffer) => Promise<import('./pdf/sheets.ts').Sheets>
  font: ArrayBuffer
}

/** Why there is none: neither the device nor the host has it, or it is too large for the device. */
export type WriterMissing = 'not-here' | 'no-room'

export async function isOnDevice(): Promise<boolean> {
  try {
    const cache = await caches.open(CACHE)
    return (await cache.match(fontUrl)) !== undefined && (await loadLibrary()) !== null
  } catch {
    return false
  }
}

/** From the device, else from the host. @throws the signal's reason once it is aborted */
export async function loadWriter(signal?: AbortSignal): Promise<Writer | WriterMissing> {
  try {
    const [library, font] = await Promise.all([loadLibrary(), loadFont(signal ?? null)])
    return { createSheets: library.createSheets, font }
  } catch (error) {
    signal?.throwIfAborted()
    return (await isStorageFull(error, undefined)) ? 'no-room' : 'not-here'
  }
}

const loadLibrary = () => import('./pdf/sheets.ts')

async function loadFont(signal: AbortSignal | null): Promise<ArrayBuffer> {
  const cache = await caches.open(CACHE)
  const stored = await cache.match(fontUrl)
  if (stored) return stored.arrayBuffer()
  const answer = await fetch(fontUrl, { signal })
  const bytes = await answer.arrayBuffer()
  if (!answer.ok || bytes.byteLength < 4 || new DataView(bytes).getUint32(0) !== TRUE_TYPE)
    throw new Error(`No font at ${fontUrl}: ${answer.status}`)
  // Fonts of earlier versions.
  for (const before of await cache.keys()) await cache.delete(before)
  await cache.put(fontUrl, new Response(bytes, { headers: { 'content-type': 'font/ttf' } }))
  return bytes
}
