/** Loads the PDF library and a font of 5.5 MB from the app's own host. Both stay on the device after the first use. */
import fontUrl from '@expo-google-fonts/noto-sans-jp/400Regular/NotoSansJP_400Regular.ttf?url'
import { isCached, loadCached } from '#lib/browser/cached-file.ts'
import { isStorageFull } from '#lib/browser/storage-full.ts'

const FONT = {
  cache: 'report-font',
  url: fontUrl,
  type: 'font/ttf',
  // A TrueType file begins with these bytes.
  magic: 0x00010000,
}
/** Download size of the font and the library together. */
export const DOWNLOAD_MB = 6

export interface Writer {
  createSheets: (font: ArrayBuffer) => Promise<import('./pdf/sheets.ts').Sheets>
  font: ArrayBuffer
}

/** `not-here`: the font or the library is neither on the device nor reachable. `no-room`: the storage is full. */
export type WriterMissing = 'not-here' | 'no-room'

export async function isOnDevice(): Promise<boolean> {
  try {
    return (await isCached(FONT)) && (await loadLibrary()) !== null
  } catch {
    return false
  }
}

/** Loads the font and the library from the device, or else from the host. @throws the signal's reason once it is aborted */
export async function loadWriter(signal?: AbortSignal): Promise<Writer | WriterMissing> {
  try {
    const [library, font] = await Promise.all([loadLibrary(), loadCached(FONT, signal)])
    return { createSheets: library.createSheets, font }
  } catch (error) {
    signal?.throwIfAborted()
    return (await isStorageFull(error, undefined)) ? 'no-room' : 'not-here'
  }
}

const loadLibrary = () => import('./pdf/sheets.ts')
