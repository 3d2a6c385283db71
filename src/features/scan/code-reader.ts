/**
 * Reads codes from pixels. The browser's BarcodeDetector reads first, if available. zxing in a worker reads if there is
 * no detector, or if the detector finds nothing in a still picture. zxing's WebAssembly is loaded from the app's own
 * host on first use (decisions/camera).
 */
import wasmUrl from 'zxing-wasm/reader/zxing_reader.wasm?url'
import { loadCached } from '#lib/browser/cached-file.ts'
import { ownScript } from '#lib/browser/own-script.ts'
import { withTimeLimit } from '#lib/image/read-in-time.ts'
import type { CodeAnswer, CodeCall } from './code-worker.ts'
import worker from './code-worker.ts?worker&url'

const WASM = { cache: 'code-reader', url: wasmUrl, type: 'application/wasm', magic: 0x0061736d }
/** Time limit for one picture. After the limit, the picture counts as unreadable and the worker is terminated. */
const READ_LIMIT_MS = 8_000

/** Why no code was read. `not-here`: zxing is neither on the device nor reachable. `failed`: the picture is unreadable. */
export type NoReading = 'not-here' | 'failed'

export type CodeReader = ReturnType<typeof createCodeReader>

/** The browser's `BarcodeDetector`, which TypeScript's types lack. */
interface Detector {
  detect(pixels: ImageData): Promise<{ rawValue: string }[]>
}
type DetectorClass = { new (): Detector; getSupportedFormats(): Promise<string[]> }

async function browserDetector(): Promise<Detector | null> {
  const { BarcodeDetector } = globalThis as { BarcodeDetector?: DetectorClass }
  try {
    const formats = await BarcodeDetector?.getSupportedFormats()
    return BarcodeDetector && formats?.includes('qr_code') ? new BarcodeDetector() : null
  } catch {
    return null
  }
}

/** Creates a reader. @param spawn starts the worker when zxing is first needed, and after a worker has failed */
export function createCodeReader(spawn = spawnWorker, findDetector = browserDetector) {
  let running: ReturnType<typeof startWorker> | undefined
  let detector: Promise<Detector | null> | undefined
  const detected = async (pixels: ImageData) => {
    detector ??= findDetector()
    const found = await (await detector)?.detect(pixels).catch(() => {
      // Some phones have the API without its implementation. The detector is then not used again.
      detector = Promise.resolve(null)
      return undefined
    })
    return found?.map(({ rawValue }) => rawValue)
  }
  const end = () => {
    void running?.then(({ stop }) => stop()).catch(() => undefined)
    running = undefined
  }
  return {
    /** Returns the texts of all codes in a picture. @param isStill false for a video frame, which is read faster */
    async read(pixels: ImageData, isStill: boolean): Promise<string[] | NoReading> {
      const texts = await detected(pixels)
      // An empty result for a still picture is not final: zxing also finds inverted and dim codes.
      if (texts && (texts.length > 0 || !isStill)) return unique(texts)
      running ??= startWorker(spawn)
      const { read } = await running.catch(() => ({ read: null }))
      if (!read) {
        end()
        return 'not-here'
      }
      const found = await withTimeLimit(read(pixels, isStill), READ_LIMIT_MS).catch(() => null)
      if (!found) end()
      return found ? unique(found) : 'failed'
    },
    close: end,
  }
}

const unique = (texts: readonly string[]) => [...new Set(texts)]

const spawnWorker = () => new Worker(ownScript(worker), { type: 'module' })

/** Starts zxing in a worker. @throws if the WebAssembly is neither on the device nor reachable */
async function startWorker(spawn: () => Worker) {
  const wasmBinary = await loadCached(WASM)
  const codeWorker = spawn()
  const send = (call: CodeCall, transfer: Transferable[]) => codeWorker.postMessage(call, transfer)
  const waiting = new Map<number, (texts: string[] | null) => void>()
  const answer = (id: number, texts: string[] | null) => {
    waiting.get(id)?.(texts)
    waiting.delete(id)
  }
  codeWorker.addEventListener('message', ({ data }: MessageEvent<CodeAnswer>) => answer(data.id, data.texts))
  codeWorker.addEventListener('error', () => {
    for (const id of waiting.keys()) answer(id, null)
  })
  send({ kind: 'start', wasmBinary }, [wasmBinary])
  let count = 0
  return {
    read: (pixels: ImageData, isStill: boolean) =>
      new Promise<string[] | null>((done) => {
        count += 1
        waiting.set(count, done)
        send({ kind: 'read', id: count, pixels, isStill }, [pixels.data.buffer])
      }),
    stop: () => codeWorker.terminate(),
  }
}
