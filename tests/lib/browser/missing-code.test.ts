import { of } from 'rxjs'
import { expect, test, vi } from 'vitest'
import { createLiveQueries, type LiveQuery } from '#data/database/live-queries.ts'
import { isMissingCode, loadUntilThere, watchMissingCode } from '#lib/browser/missing-code.ts'

/** As Vite tells a page that a chunk could not be had. */
function tell(target: EventTarget, payload: unknown) {
  target.dispatchEvent(Object.assign(new Event('vite:preloadError', { cancelable: true }), { payload }))
}

test('[手9] code that could not be had is known as such, and no more by the text for which the router loads the page anew', () => {
  const target = new EventTarget()
  watchMissingCode(target)
  const error = new TypeError('Failed to fetch dynamically imported module: https://app/assets/outbox.js')
  tell(target, error)
  tell(target, 'no error at all')
  expect(isMissingCode(error)).toBe(true)
  expect(error.message).toMatch(/^not on this device: Failed to fetch/)
  expect(isMissingCode(new TypeError('x is not a function'))).toBe(false)
})

test('[手9] what no screen can stand in for is asked for until it is there; another failure is not asked for again', async () => {
  const missing = Object.assign(new Error('x'), { name: 'MissingCode' })
  const load = vi.fn<() => Promise<string>>(async () => {
    if (load.mock.calls.length < 3) throw missing
    return 'banners'
  })
  const wait = vi.fn<() => Promise<void>>(async () => undefined)
  expect(await loadUntilThere(load, wait)).toBe('banners')
  expect(wait).toHaveBeenCalledTimes(2)
  const broken = vi.fn<() => Promise<string>>(() => Promise.reject(new Error('broken')))
  await expect(loadUntilThere(broken, wait)).rejects.toThrow('broken')
  expect(broken).toHaveBeenCalledOnce()
})

test('[手9] a query whose code is not on the device says nothing until it is there, and then what there is', async () => {
  vi.useFakeTimers()
  try {
    const missing = Object.assign(new Error('x'), { name: 'MissingCode' })
    const load = vi.fn<() => Promise<LiveQuery<string, string>>>(async () => {
      if (load.mock.calls.length < 2) throw missing
      return (source) => of(`read from ${source}`)
    })
    const store = createLiveQueries('the device').store<string>('outbox', { load })
    const leave = store.subscribe(() => undefined)
    await vi.advanceTimersByTimeAsync(1_000)
    expect(store.get()).toBeUndefined()
    await vi.runAllTimersAsync()
    expect(store.get()).toBe('read from the device')
    leave()
  } finally {
    vi.useRealTimers()
  }
})
