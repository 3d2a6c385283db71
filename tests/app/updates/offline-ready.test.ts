import { expect, test, vi } from 'vitest'
import { offlineReady } from '#app/updates/update.ts'

test('[PL4][decisions/speed] the app is on the device once its worker is, and not before', async () => {
  let install: (registration: ServiceWorkerRegistration) => void = () => undefined
  const ready = new Promise<ServiceWorkerRegistration>((resolve) => (install = resolve))
  const isReady = offlineReady({ controller: null, ready })
  const heard = vi.fn<() => void>()
  isReady.subscribe(heard)
  expect(isReady.get()).toBe(false)
  install({} as ServiceWorkerRegistration)
  await vi.waitFor(() => expect(heard).toHaveBeenCalledOnce())
  expect(isReady.get()).toBe(true)
})

test('[PL4][decisions/speed] a page that its worker has opened is on the device; where there are no workers it never is', () => {
  const pending = new Promise<ServiceWorkerRegistration>(() => undefined)
  expect(offlineReady({ controller: {} as ServiceWorker, ready: pending }).get()).toBe(true)
  expect(offlineReady(undefined).get()).toBe(false)
})
