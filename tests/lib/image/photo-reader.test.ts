import { describe, expect, test, vi } from 'vitest'
import { createPhotoJobs } from '#lib/image/photo-jobs.ts'
import { createPhotoReader, type PhotoAnswer, type PhotoCall } from '#lib/image/photo-reader.ts'
import { ReadTooLong } from '#lib/image/read-in-time.ts'
import { createWeightedSemaphore } from '#lib/image/photo-jobs.ts'
import { nextTurn } from '../../support/at-rest.ts'
import { exifSegment, fakeImages, jpegFile } from '../../support/image-files.ts'

const options = { keepOriginal: false, now: 0 }
const file = (width = 40, height = 30) => new Blob([jpegFile({ width, height })])

/** A worker that is the same code on this thread, as far as the test lets it. */
function fakeWorker({ first = 'able' as 'able' | 'unable' | null } = {}) {
  const jobs = createPhotoJobs(fakeImages().images)
  const told: ((event: { data: PhotoAnswer }) => void)[] = []
  const died: (() => void)[] = []
  const calls: PhotoCall[] = []
  const tell = (data: PhotoAnswer) =>
    void Promise.resolve().then(() => told.forEach((each) => each({ data })))
  let isMute = false
  if (first) tell({ id: '', kind: first })
  return {
    calls,
    tell,
    mute: () => void (isMute = true),
    die: () => died.forEach((each) => each()),
    worker: {
      postMessage(call: PhotoCall) {
        calls.push(call)
        if (isMute) return
        const { id, kind } = call
        if (kind === 'prepare')
          void jobs.prepare(call.file, call.options).then(
            (result) => tell({ id, kind: 'done', result }),
            () => tell({ id, kind: 'failed' }),
          )
        else {
          const drawn = kind === 'glance' ? jobs.glance(call.file) : jobs.thumb(call.file, call.longEdge)
          void drawn.then((result) => tell({ id, kind: 'done', result }))
        }
      },
      addEventListener(type: string, listener: never) {
        if (type === 'message') told.push(listener)
        else died.push(listener)
      },
    },
  }
}

function reader(spawn: Parameters<typeof createPhotoReader>[0]['spawn']) {
  const load = vi.fn<() => Promise<ReturnType<typeof createPhotoJobs>>>(async () =>
    createPhotoJobs(fakeImages().images),
  )
  return { load, jobs: createPhotoReader({ spawn, load }) }
}

describe('[decisions/photos] photos are read in a worker', () => {
  test('which starts with the first one, and once', async () => {
    const { worker, calls } = fakeWorker()
    const spawn = vi.fn<() => typeof worker>(() => worker)
    const { jobs, load } = reader(spawn)
    expect(spawn).not.toHaveBeenCalled()
    const both = await Promise.all([jobs.prepare(file(), options), jobs.prepare(file(), options)])
    expect(both.map(({ kind }) => kind)).toEqual(['photo', 'photo'])
    expect((await jobs.thumb(file()))?.byteLength).toBeGreaterThan(0)
    expect([spawn.mock.calls.length, calls.length, load.mock.calls.length]).toEqual([1, 3, 0])
  })

  test.each([
    ['there are none', () => undefined],
    ['it cannot draw', () => fakeWorker({ first: 'unable' }).worker],
    [
      'it may not start',
      () => {
        throw new Error('Content-Security-Policy')
      },
    ],
    [
      'it does not start',
      () => {
        const { worker, die } = fakeWorker({ first: null })
        setTimeout(die, 0)
        return worker
      },
    ],
  ])('else on the page: %s', async (_, spawn) => {
    const { jobs, load } = reader(spawn)
    expect((await jobs.prepare(file(), options)).kind).toBe('photo')
    expect((await jobs.thumb(file()))?.byteLength).toBeGreaterThan(0)
    expect(load).toHaveBeenCalledTimes(1)
  })

  test('[decisions/photos] or while the camera is open, so that the first photo finds it running', async () => {
    const { worker } = fakeWorker()
    const spawn = vi.fn<() => typeof worker>(() => worker)
    const { jobs, load } = reader(spawn)
    await jobs.warm()
    expect([spawn.mock.calls.length, load.mock.calls.length]).toEqual([1, 0])
    await jobs.prepare(file(), options)
    expect(spawn).toHaveBeenCalledTimes(1)
  })

  test('[decisions/photos] where there is none, what the page needs is loaded meanwhile', async () => {
    const { jobs, load } = reader(() => undefined)
    await jobs.warm()
    expect(load).toHaveBeenCalledTimes(1)
    await jobs.prepare(file(), options)
    expect(load).toHaveBeenCalledTimes(1)
  })

  test('one that dies takes no photo with it', async () => {
    const { worker, calls, mute, die } = fakeWorker()
    const { jobs, load } = reader(() => worker)
    mute()
    const all = [jobs.prepare(file(), options), jobs.prepare(file(), options)]
    await vi.waitFor(() => expect(calls).toHaveLength(2))
    die()
    expect((await Promise.all(all)).map(({ kind }) => kind)).toEqual(['photo', 'photo'])
    expect((await jobs.prepare(file(), options)).kind).toBe('photo')
    expect([calls.length, load.mock.calls.length]).toEqual([2, 1])
  })

  test('a file that cannot be read is an error of its own', async () => {
    const { worker } = fakeWorker()
    const { jobs } = reader(() => worker)
    const gone = Object.assign(new Blob(), {
      arrayBuffer: () => Promise.reject(new Error('NotReadableError')),
    })
    await expect(jobs.prepare(gone, options)).rejects.toThrow('photo: not read')
    expect((await jobs.prepare(file(), options)).kind).toBe('photo')
  })
})

describe('[SV1c] a file that never comes', () => {
  const never = () => Object.assign(file(), { arrayBuffer: () => new Promise<never>(() => undefined) })

  test('gives its turn back: those behind it are read', async () => {
    const jobs = createPhotoJobs(fakeImages().images, 20)
    const hung = [never(), never(), never()].map((each) => jobs.prepare(each, options))
    const read = jobs.prepare(file(), options)
    for (const each of hung) await expect(each).rejects.toThrow(ReadTooLong)
    expect((await read).kind).toBe('photo')
  })

  test('is told as such by the worker, too', async () => {
    const { worker, mute, calls, tell } = fakeWorker()
    const { jobs } = reader(() => worker)
    mute()
    const reading = jobs.prepare(file(), options)
    await vi.waitFor(() => expect(calls).toHaveLength(1))
    tell({ id: calls[0]?.id ?? '', kind: 'late' })
    await expect(reading).rejects.toThrow(ReadTooLong)
  })
})

describe('[decisions/photos] the small picture in a file is looked at before the photo is read', () => {
  const thumbnail = jpegFile({ width: 160, height: 120 })
  const camera = new Blob([jpegFile({ segments: [exifSegment({ thumbnail })] })])

  test.each([
    ['in the worker', () => fakeWorker().worker],
    ['on the page', () => undefined],
  ])('%s', async (_, spawn) => {
    const { jobs } = reader(spawn)
    const found = await jobs.glance(camera)
    expect(found && new Uint8Array(found)).toEqual(thumbnail)
    expect(await jobs.glance(file())).toBeUndefined()
  })

  test('it waits for none that are being read', async () => {
    const { images } = fakeImages()
    const jobs = createPhotoJobs({ ...images, decode: () => new Promise<never>(() => undefined) })
    for (let n = 0; n < 5; n += 1) void jobs.prepare(file(), options)
    expect((await jobs.glance(camera))?.byteLength).toBe(thumbnail.byteLength)
  })
})

describe('[decisions/photos] at most three at a time, two of a camera decoded at once', () => {
  test.each([
    ['small ones', 400, 300, 3],
    ['12 megapixels each', 4_032, 3_024, 2],
    ['20 megapixels each', 5_000, 4_000, 1],
    ['50 megapixels each', 10_000, 5_000, 1],
  ])('%s (%d × %d)', async (_, width, height, most) => {
    const { images, seen } = fakeImages()
    const jobs = createPhotoJobs({
      ...images,
      // as many as may have begun by then
      encode: (...call) => nextTurn().then(() => images.encode(...call)),
    })
    const all = await Promise.all(Array.from({ length: 7 }, () => jobs.prepare(file(width, height), options)))
    expect(all.every(({ kind }) => kind === 'photo')).toBe(true)
    expect([seen.most, seen.held]).toEqual([most, 0])
  })

  test('turns go in line; one that asks for more than all there is goes alone', async () => {
    const { take } = createWeightedSemaphore(3)
    const log: string[] = []
    const run = async (name: string, amount: number) => {
      const back = await take(amount)
      log.push(`${name}+`)
      await Promise.resolve()
      log.push(`${name}-`)
      back()
    }
    await Promise.all([run('a', 2), run('b', 9), run('c', 1)])
    expect(log).toEqual(['a+', 'a-', 'b+', 'b-', 'c+', 'c-'])
  })
})
