/**
 * Reads codes from pixels: with the browser's own detector if it has one, otherwise, or if a still picture seems to
 * have no code, with zxing in a worker. Its WebAssembly is loaded from the app's own host on first use
 * (decisions/camera).
 */
import wasmUrl from 'zxing-wasm/reader/zxing_reader.wasm?url'
import { loadCached } from '#lib/browser/cached-file.ts'
import { ownScript } from '#lib/browser/own-script.ts'
import { withTimeLimit } from '#lib/image/read-in-time.ts'
import type { CodeAnswer, CodeCall } from './code-worker.ts'
import worker from './code-worker.ts?worker&url'

const WASM = { cache: 'code-reader', url: wasmUrl, type: 'application/wasm', magic: 0x0061736d }
/** Time limit for one picture. After it the picture counts as unreadable, and the worker is ended. */
const READ_LIMIT_MS = 8_000

/** `not-here`: the reader's code is neither on the device nor reachable. `failed`: the picture could not be read. */
export type NoReading = 'not-here' | 'failed'

export interface CodeReader {
  /** The texts of all codes in the picture, each once. @param isStill true to take more time */
  read(pixels: ImageData, isStill: boolean): Promise<string[] | NoReading>
  close(): void
}

/** The browser's `BarcodeDetector`, which TypeScript's types do not include. */
interface Detector {
  detect(pixels: ImageData): Promise<{ rawValue: string }[]>
}
type DetectorClass = { new (): Detector; getSupportedFormats(): Promise<string[]> }

/** @returns null if the browser has none, or one that does not know QR codes */
async function browserDetector(): Promise<Detector | null> {
  const { BarcodeDetector } = globalThis as { BarcodeDetector?: DetectorClass }
  try {
    const formats = await BarcodeDetector?.getSupportedFormats()
    return BarcodeDetector && formats?.includes('qr_code') ? new BarcodeDetector() : null
  } catch {
    return null
  }
}

/** @param spawn makes the worker, and is called again after one has failed */
export function createCodeReader(spawn = spawnWorker, findDetector = browserDetector): CodeReader {
  let own: ReturnType<typeof startWorker> | undefined
  let detector: Promise<Detector | null> | undefined
  const detected = async (pixels: ImageData) => {
    detector ??= findDetector()
    const found = await (await detector)?.detect(pixels).catch(() => {
      // Some phones have the API, but not the component that does the reading.
      detector = Promise.resolve(null)
      return undefined
    })
    return found?.map(({ rawValue }) => rawValue)
  }
  const end = () => {
    void own?.then(({ stop }) => stop()).catch(() => undefined)
    own = undefined
  }
  return {
    async read(pixels, isStill) {
      const texts = await detected(pixels)
      // A detector misses codes that are inverted or dim, which zxing finds.
      if (texts && (texts.length > 0 || !isStill)) return unique(texts)
      own ??= startWorker(spawn)
      const { read } = await own.catch(() => ({ read: null }))
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

/** @throws if the WebAssembly is neither on the device nor reachable */
async function startWorker(spawn: () => Worker) {
  const wasmBinary = await loadCached(WASM)
  const running = spawn()
  const say = (call: CodeCall, transfer: Transferable[]) => running.postMessage(call, transfer)
  const waiting = new Map<number, (texts: string[] | null) => void>()
  const answer = (id: number, texts: string[] | null) => {
    waiting.get(id)?.(texts)
    waiting.delete(id)
  }
  running.addEventListener('message', ({ data }: MessageEvent<CodeAnswer>) => answer(data.id, data.texts))
  running.addEventListener('error', () => {
    for (const id of waiting.keys()) answer(id, null)
  })
  say({ kind: 'start', wasmBinary }, [wasmBinary])
  let count = 0
  return {
    read: (pixels: ImageData, isStill: boolean) =>
      new Promise<string[] | null>((done) => {
        count += 1
        waiting.set(count, done)
        say({ kind: 'read', id: count, pixels, isStill }, [pixels.data.buffer])
      }),
    stop: () => running.terminate(),
  }
}
