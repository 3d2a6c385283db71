/**
 * Reads codes with zxing, off the main thread. Its own policy allows WebAssembly and nothing else: it fetches nothing, and
 * the page sends it the WebAssembly and the pixels (.build/content-policy.ts, decisions/camera).
 */
import { prepareZXingModule, readBarcodes, type ReaderOptions } from 'zxing-wasm/reader'

/** To the worker: first the WebAssembly, then pictures. */
export type CodeCall =
  | { kind: 'start'; wasmBinary: ArrayBuffer }
  | { kind: 'read'; id: number; pixels: ImageData; isStill: boolean }
/** The texts in a picture; null if it cannot be read. */
export interface CodeAnswer {
  id: number
  texts: string[] | null
}

/** What labels of machines and papers have. Codes without a check digit are read from several lines of a picture. */
const FORMATS: NonNullable<ReaderOptions['formats']> = [
  'QRCode',
  'MicroQRCode',
  'RMQRCode',
  'DataMatrix',
  'Aztec',
  'PDF417',
  'Code128',
  'Code39',
  'Code93',
  'Codabar',
  'ITF',
  'EAN13',
  'EAN8',
  'UPCA',
  'UPCE',
]
const OPTIONS: ReaderOptions = { formats: FORMATS, maxNumberOfSymbols: 8, minLineCount: 3 }

addEventListener('message', ({ data }: MessageEvent<CodeCall>) => {
  if (data.kind === 'start') prepareZXingModule({ overrides: { wasmBinary: data.wasmBinary } })
  else void read(data).then((answer) => globalThis.postMessage(answer))
})

async function read({ id, pixels, isStill }: CodeCall & { kind: 'read' }): Promise<CodeAnswer> {
  try {
    // Noise is removed from a still picture only: a live one soon has a better frame.
    const found = await readBarcodes(pixels, { ...OPTIONS, tryDenoise: isStill })
    return { id, texts: found.map(({ text }) => text) }
  } catch {
    return { id, texts: null }
  }
}
