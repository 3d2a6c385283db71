import { BehaviorSubject, Subject } from 'rxjs'
import { expect, test, vi } from 'vitest'
import type { PhotoProgress } from '#schemas/changes/photo-queue.ts'
import { keepAwake } from '#app/network/device-signals.ts'

const photos = (...states: ('waiting' | 'sending' | 'failed')[]) =>
  states.map((state) => ({
    resource: 'r',
    recordKey: 'k',
    sent: 0,
    total: 1,
    items: [{ state }],
  })) as unknown as PhotoProgress[]

function scene() {
  const progress$ = new Subject<PhotoProgress[]>()
  const visible$ = new BehaviorSubject(true)
  let on = 0
  const request = vi.fn<WakeLock['request']>(async () => {
    on += 1
    return { release: async () => void (on -= 1) } as unknown as WakeLockSentinel
  })
  return {
    progress$,
    request,
    visible$,
    /** Until so many locks are held. */
    on: (count: number) => vi.waitFor(() => expect(on).toBe(count)),
  }
}

test('[設定] the screen stays on while a photo is on its way, and no longer', async () => {
  const { progress$, request, visible$, on } = scene()
  const stop = keepAwake({ progress$, wakeLock: { request }, visible$ })
  progress$.next(photos('waiting', 'failed'))
  expect(request).not.toHaveBeenCalled()
  progress$.next(photos('waiting', 'sending'))
  progress$.next(photos('sending'))
  await on(1)
  expect(request).toHaveBeenCalledTimes(1)
  visible$.next(false)
  await on(0)
  visible$.next(true)
  await on(1)
  progress$.next([])
  await on(0)
  progress$.next(photos('sending'))
  stop()
  await on(0)
})

test('where the browser refuses it, or has none, nothing happens', async () => {
  const { progress$, visible$ } = scene()
  const refusing = { request: () => Promise.reject(new Error('low battery')) }
  const asked = vi.spyOn(refusing, 'request')
  const stops = [refusing, undefined].map((wakeLock) => keepAwake({ progress$, wakeLock, visible$ }))
  progress$.next(photos('sending'))
  for (const stop of stops) stop()
  await vi.waitFor(() => expect(asked).toHaveBeenCalledTimes(1))
})
