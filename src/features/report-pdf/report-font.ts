/**
 * What a report is made with: the PDF library, and a font of 5.5 MB. Both come from the app's own host when somebody wants
 * them, and stay on the device: the font in the page's own cache, the library in the worker's (vite.config.ts).
 */
import fontUrl from '@expo-google-fonts/noto-sans-jp/400Regular/NotoSansJP_400Regular.ttf?url'
import { isCached, loadCached } from '#lib/browser/cached-file.ts'
import { isStorageFull } from '#lib/browser/storage-full.ts'

const FONT = {
  cache: 'report-font',
  url: fontUrl,
  type: 'font/ttf',
  // of TrueType
  magic: 0x00010000,
}
/** Font and library together, as they are transferred. */
export const DOWNLOAD_MB = 6

export interface Writer {
  createSheets: (font: ArrayBuffer) => Promise<import('./pdf/sheets.ts').Sheets>
  font: ArrayBuffer
}

/** Why there is none: neither the device nor the host has it, or it is too large for the device. */
export type WriterMissing = 'not-here' | 'no-room'

export async function isOnDevice(): Promise<boolean> {
  try {
    return (await isCached(FONT)) && (await loadLibrary()) !== null
  } catch {
    return false
  }
}

/** From the device, else from the host. @throws the signal's reason once it is aborted */
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
