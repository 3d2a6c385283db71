/** The reader's own code, with a worker in this process; Chromium reads the pictures in `e2e/scan`. */
import { prepareZXingModule } from 'zxing-wasm/reader'
import { describe, expect, test, vi } from 'vitest'
import { createCodeReader } from '#features/scan/code-reader.ts'
import type { CodeCall } from '#features/scan/code-worker.ts'
import { codePictures, drawCodes, pixelsOf, qrModules, readerWasm } from '../../support/code-pictures.ts'
import { sooner } from '../../support/sooner.ts'
import { afterThisTest } from '../../support/undo.ts'

const CODE = drawCodes([qrModules('R26-112001')], { size: 200 }, 320, 240)
const copy = () => pixelsOf(CODE)

/** A worker that answers each picture, or never. */
class FakeWorker extends EventTarget {
  calls: CodeCall[] = []
  terminate = vi.fn<() => void>()
  texts: string[] | null | 'never' | 'breaks'
  constructor(texts: FakeWorker['texts']) {
    super()
    this.texts = texts
  }
  postMessage(call: CodeCall) {
    this.calls.push(call)
    if (call.kind !== 'read' || this.texts === 'never') return
    const event =
      this.texts === 'breaks'
        ? new Event('error')
        : new MessageEvent('message', { data: { id: call.id, texts: this.texts } })
    queueMicrotask(() => this.dispatchEvent(event))
  }
}

/** Cache Storage of a page, with the host's answer for the WebAssembly. */
function putHost(answer: () => Promise<Response>) {
  const stored = new Map<string, Response>()
  const cache = {
    match: async (url: string) => stored.get(url)?.clone(),
    put: async (url: string, response: Response) => void stored.set(url, response),
    keys: async () => [...stored.keys()],
    delete: async (url: string) => stored.delete(url),
  }
  const fetched = vi.fn<() => Promise<Response>>(answer)
  vi.stubGlobal('caches', { open: async () => cache })
  vi.stubGlobal('fetch', fetched)
  afterThisTest(() => vi.unstubAllGlobals())
  return { fetched, stored }
}
const wasm = async () => new Response(new Uint8Array([0, 0x61, 0x73, 0x6d, 1, 0, 0, 0]))

function readerOf(texts: FakeWorker['texts'], detect?: () => Promise<{ rawValue: string }[]>) {
  const workers: FakeWorker[] = []
  const spawn = () => {
    workers.push(new FakeWorker(texts))
    return workers.at(-1) as unknown as Worker
  }
  return { workers, reader: createCodeReader(spawn, async () => (detect ? { detect } : null)) }
}

describe('[decisions/camera] the reader of codes', () => {
  test('fetches the WebAssembly once, and not again from then on', async () => {
    const { fetched } = putHost(wasm)
    for (const _ of [1, 2]) {
      const { reader, workers } = readerOf(['a', 'a', 'b'])
      expect(await reader.read(copy(), false)).toEqual(['a', 'b'])
      expect(await reader.read(copy(), false)).toEqual(['a', 'b'])
      expect(workers).toHaveLength(1)
      reader.close()
      await expect.poll(() => workers[0]?.terminate.mock.calls.length).toBe(1)
    }
    expect(fetched).toHaveBeenCalledOnce()
  })

  test.each([
    ['without a signal', () => Promise.reject(new TypeError('offline'))],
    ['behind a page that wants a login', async () => new Response('<html>')],
    ['gone from the host', async () => new Response('', { status: 404 })],
  ])('says that it is not here, and stores nothing: %s', async (_, answer) => {
    const { stored } = putHost(answer)
    const { reader } = readerOf(['a'])
    expect(await reader.read(copy(), false)).toBe('not-here')
    expect(stored.size).toBe(0)
    putHost(wasm)
    expect(await reader.read(copy(), false)).toEqual(['a'])
  })

  test.each([
    ['a worker that fails', null],
    ['a worker that breaks', 'breaks' as const],
  ])('%s: the picture failed, and the next one has a new worker', async (_, texts) => {
    putHost(wasm)
    const { reader, workers } = readerOf(texts)
    expect(await reader.read(copy(), false)).toBe('failed')
    await reader.read(copy(), false)
    expect(workers).toHaveLength(2)
  })

  test('a picture that takes too long ends its worker', async () => {
    putHost(wasm)
    sooner(8_000)
    const { reader, workers } = readerOf('never')
    expect(await reader.read(copy(), false)).toBe('failed')
    await expect.poll(() => workers[0]?.terminate.mock.calls.length).toBe(1)
  })

  test('a browser with a detector loads nothing for the camera, and zxing only for a still picture without a code', async () => {
    const { fetched } = putHost(wasm)
    let found = ['R26-112001']
    const { reader } = readerOf(['z'], async () => found.map((rawValue) => ({ rawValue })))
    expect(await reader.read(copy(), true)).toEqual(['R26-112001'])
    found = []
    expect(await reader.read(copy(), false)).toEqual([])
    expect(fetched).not.toHaveBeenCalled()
    expect(await reader.read(copy(), true)).toEqual(['z'])
  })

  test('a detector that does not work is like none', async () => {
    putHost(wasm)
    const detect = vi.fn<() => Promise<never>>(() => Promise.reject(new Error('service unavailable')))
    const { reader } = readerOf(['z'], detect)
    expect(await reader.read(copy(), false)).toEqual(['z'])
    expect(await reader.read(copy(), false)).toEqual(['z'])
    expect(detect).toHaveBeenCalledOnce()
  })
})

describe('[decisions/camera] the worker', () => {
  test('reads the pictures of the field, several codes at once, and says when there is none', async () => {
    const answers: { id: number; texts: string[] | null }[] = []
    vi.spyOn(globalThis, 'postMessage').mockImplementation(
      (answer: unknown) => void answers.push(answer as never),
    )
    afterThisTest(() => vi.restoreAllMocks())
    await import('#features/scan/code-worker.ts')
    prepareZXingModule({ overrides: { wasmBinary: readerWasm() } })
    let id = 0
    const read = async (pixels: ImageData) => {
      id += 1
      const data: CodeCall = { kind: 'read', id, pixels, isStill: true }
      dispatchEvent(new MessageEvent('message', { data }))
      await expect.poll(() => answers.find((each) => each.id === id), { timeout: 30_000 }).toBeDefined()
      return answers.find((each) => each.id === id)?.texts
    }
    const every = process.env['SLOW'] ? 1 : 4
    const pictures = await codePictures(every)
    expect(pictures).toHaveLength(24 / every)
    for (const { name, text, picture } of pictures)
      expect([name, await read(pixelsOf(picture))]).toEqual([name, [text]])
    const two = drawCodes([qrModules('A-1'), qrModules('B-2')], { size: 220 })
    expect((await read(pixelsOf(two)))?.toSorted()).toEqual(['A-1', 'B-2'])
    expect(await read(pixelsOf(drawCodes([], { size: 100, noise: 80 })))).toEqual([])
    expect(await read({ width: 10, height: 10, data: new Uint8ClampedArray(3) } as ImageData)).toBeOneOf([
      null,
      [],
    ])
  }, 120_000)
})
