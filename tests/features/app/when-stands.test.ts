/** What the first screen does not need begins once it stands, and begins in any case (decision 0094). */
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { whenStands } from '#app/when-stands.ts'

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
  return { run, frames, stop: whenStands(run, isOpening) }
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
