/** What the first screen does not need begins once it stands, and begins in any case (decisions/speed). */
import { Subject } from 'rxjs'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { afterFirstPaint } from '#app/startup/after-first-paint.ts'
import { createLiveQueries } from '#data/database/live-queries.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

/** What frame callbacks, and the task after them, do once. */
async function paint(frames: FrameRequestCallback[]) {
  for (const frame of frames) frame(performance.now())
  const { port1, port2 } = new MessageChannel()
  await new Promise((resolve) => {
    port1.addEventListener('message', resolve)
    port1.start()
    port2.postMessage(null)
  })
  port1.close()
}

function asked(isOpening: boolean) {
  const frames: FrameRequestCallback[] = []
  vi.spyOn(globalThis, 'requestAnimationFrame').mockImplementation((frame) => frames.push(frame))
  const run = vi.fn<() => void>()
  return { run, frames, stop: afterFirstPaint(run, isOpening) }
}

test('what waits for the first screen begins after its frame, not before', async () => {
  const { run, frames } = asked(false)
  expect(run).not.toHaveBeenCalled()
  await paint(frames)
  expect(run).toHaveBeenCalled()
})

test('a tab that paints nothing begins all the same', () => {
  const { run } = asked(false)
  vi.advanceTimersByTime(1_000)
  expect(run).toHaveBeenCalledOnce()
})

test("while a user's data open nothing else begins", async () => {
  const { run, frames, stop } = asked(true)
  await paint(frames)
  vi.advanceTimersByTime(4_000)
  stop()
  vi.advanceTimersByTime(60_000)
  expect(run).not.toHaveBeenCalled()
})

test("where a user's data never open, what waits begins without them", () => {
  const { run } = asked(true)
  vi.advanceTimersByTime(5_000)
  expect(run).toHaveBeenCalledOnce()
})

test('what the screen reads from the device comes first, for three seconds at most', async () => {
  const frames: FrameRequestCallback[] = []
  vi.spyOn(globalThis, 'requestAnimationFrame').mockImplementation((frame) => frames.push(frame))
  let isReading = true
  const begin = () => {
    const run = vi.fn<() => void>()
    afterFirstPaint(run, false, () => isReading)
    return run
  }
  const read = begin()
  await paint(frames.splice(0))
  vi.advanceTimersByTime(2_000)
  await paint(frames.splice(0))
  expect(read).not.toHaveBeenCalled()
  isReading = false
  await paint(frames.splice(0))
  expect(read).toHaveBeenCalledOnce()
  isReading = true
  const late = begin()
  await paint(frames.splice(0))
  vi.advanceTimersByTime(2_999)
  expect(late).not.toHaveBeenCalled()
  vi.advanceTimersByTime(1)
  expect(late).toHaveBeenCalledOnce()
})

test('the screen reads while somebody looks at a query that has said nothing yet', () => {
  const rows = new Subject<string>()
  const live = createLiveQueries('device')
  const list = live.store('list', () => rows)
  const other = live.store('other', () => rows)
  expect(live.isReading()).toBe(false)
  const stops = [list.subscribe(() => undefined), other.subscribe(() => undefined)]
  expect(live.isReading()).toBe(true)
  rows.next('none')
  expect(live.isReading()).toBe(false)
  const late = live.store('late', () => new Subject())
  const leave = late.subscribe(() => undefined)
  expect(live.isReading()).toBe(true)
  leave()
  expect(live.isReading()).toBe(false)
  for (const stop of stops) stop()
})
