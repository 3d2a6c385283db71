/** Reads codes with zxing, off the main thread. Its CSP allows WebAssembly but no requests, so the page sends the code. */
import { prepareZXingModule, readBarcodes, type ReaderOptions } from 'zxing-wasm/reader'

export type CodeCall =
  | { kind: 'start'; wasmBinary: ArrayBuffer }
  | { kind: 'read'; id: number; pixels: ImageData; isStill: boolean }
export interface CodeAnswer {
  id: number
  texts: string[] | null
}

/** `minLineCount` avoids misreadings: a linear code must be found on three lines of the picture. */
const OPTIONS: ReaderOptions = {
  formats: [
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
  ],
  maxNumberOfSymbols: 8,
  minLineCount: 3,
}

addEventListener('message', ({ data }: MessageEvent<CodeCall>) => {
  if (data.kind === 'start') prepareZXingModule({ overrides: { wasmBinary: data.wasmBinary } })
  else void read(data).then((answer) => globalThis.postMessage(answer))
})

async function read({ id, pixels, isStill }: CodeCall & { kind: 'read' }): Promise<CodeAnswer> {
  try {
    // Denoising is slow, so only still pictures are denoised. For video, it is faster to read the next frame.
    const found = await readBarcodes(pixels, { ...OPTIONS, tryDenoise: isStill })
    return { id, texts: found.map(({ text }) => text) }
  } catch {
    return { id, texts: null }
  }
}
