import { expect, test, vi } from 'vitest'
import { appKept } from '#app/updates/install.ts'

test('[PL4][decisions/speed] the app is on the device once its worker is, and not before', async () => {
  let install: (registration: ServiceWorkerRegistration) => void = () => undefined
  const ready = new Promise<ServiceWorkerRegistration>((resolve) => (install = resolve))
  const kept = appKept({ controller: null, ready })
  const heard = vi.fn<() => void>()
  kept.subscribe(heard)
  expect(kept.get()).toBe(false)
  install({} as ServiceWorkerRegistration)
  await vi.waitFor(() => expect(heard).toHaveBeenCalledOnce())
  expect(kept.get()).toBe(true)
})

test('[PL4][decisions/speed] a page that its worker has opened is on the device; where there are no workers it never is', () => {
  const pending = new Promise<ServiceWorkerRegistration>(() => undefined)
  expect(appKept({ controller: {} as ServiceWorker, ready: pending }).get()).toBe(true)
  expect(appKept(undefined).get()).toBe(false)
})
