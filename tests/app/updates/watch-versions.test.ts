import { expect, test, vi } from 'vitest'
import { watchVersions } from '#app/updates/watch-versions.ts'

type State = ServiceWorkerState

/** A worker as a page sees it. */
class Worker extends EventTarget {
  state: State = 'installing'
  postMessage = vi.fn<(message: unknown) => void>()
  become(state: State) {
    this.state = state
    this.dispatchEvent(new Event('statechange'))
  }
}

/** What a page sees of its worker and of those that come after it. */
class Registration extends EventTarget {
  installing: Worker | null = null
  waiting: Worker | null = null
  active: Worker | null = null
  update = vi.fn<() => Promise<void>>(async () => undefined)
  /** A new script was found. */
  find(): Worker {
    this.installing = new Worker()
    this.dispatchEvent(new Event('updatefound'))
    return this.installing
  }
  /** All of it was fetched; or it was not. */
  end(worker: Worker, state: 'installed' | 'redundant') {
    this.installing = null
    if (state === 'installed') this.waiting = worker
    worker.become(state)
  }
}

function scene({ isControlled = true } = {}) {
  const registration = new Registration()
  if (isControlled) registration.active = new Worker()
  const register = vi.fn<() => Promise<Registration>>(async () => registration)
  const container = Object.assign(new EventTarget(), {
    controller: registration.active,
    getRegistration: async () => (registration.active ? registration : undefined),
    register,
  })
  const told = { onWaiting: vi.fn<() => void>(), onTaken: vi.fn<(isFirst: boolean) => void>() }
  return {
    registration,
    told,
    register,
    async watch(free = Promise.resolve()) {
      const versions = await watchVersions(container as unknown as ServiceWorkerContainer, told, free)
      versions.begin()
      return versions
    },
    take: () => container.dispatchEvent(new Event('controllerchange')),
  }
}

test('[PWA][decisions/updates] a version that waits is told of, and takes over when it is told to', async () => {
  const { registration, told, watch } = scene()
  const versions = await watch()
  expect(versions.take()).toBe(false)
  const worker = registration.find()
  expect(told.onWaiting).not.toHaveBeenCalled()
  registration.end(worker, 'installed')
  expect(told.onWaiting).toHaveBeenCalledOnce()
  expect(versions.waiting()).toBe(worker)
  expect(versions.take()).toBe(true)
  expect(worker.postMessage).toHaveBeenCalledWith({ type: 'SKIP_WAITING' })
})

test('[PWA][decisions/updates] one that was being installed, or waited, before the page came to it is told of', async () => {
  const installing = scene()
  const worker = installing.registration.find()
  await installing.watch()
  installing.registration.end(worker, 'installed')
  expect(installing.told.onWaiting).toHaveBeenCalledOnce()

  const waiting = scene()
  waiting.registration.end(waiting.registration.find(), 'installed')
  await waiting.watch()
  expect(waiting.told.onWaiting).toHaveBeenCalledOnce()
})

test('[PWA][decisions/updates] however often one failed, the one after it is told of', async () => {
  const { registration, told, watch } = scene()
  await watch()
  for (let failed = 0; failed < 3; failed += 1) registration.end(registration.find(), 'redundant')
  expect(told.onWaiting).not.toHaveBeenCalled()
  registration.end(registration.find(), 'installed')
  expect(told.onWaiting).toHaveBeenCalledOnce()
})

test('[PWA][decisions/updates] the first version of a device is no new one, and the one after it is', async () => {
  const { registration, told, watch, take } = scene({ isControlled: false })
  await watch()
  const first = registration.find()
  registration.end(first, 'installed')
  registration.waiting = null
  registration.active = first
  first.become('activated')
  take()
  expect(told.onWaiting).not.toHaveBeenCalled()
  expect(told.onTaken.mock.calls).toEqual([[true]])
  registration.end(registration.find(), 'installed')
  expect(told.onWaiting).toHaveBeenCalledOnce()
  take()
  expect(told.onTaken.mock.calls).toEqual([[true], [false]])
})

test('[PWA][decisions/speed] a device without a worker waits for one until its line is free, and hears meanwhile what another tab takes', async () => {
  const { register, told, watch, take } = scene({ isControlled: false })
  let freed = () => undefined as void
  const watching = watch(new Promise((resolve) => (freed = resolve)))
  await Promise.resolve()
  take()
  expect(told.onTaken.mock.calls).toEqual([[true]])
  expect(register).not.toHaveBeenCalled()
  freed()
  await watching
  expect(register).toHaveBeenCalledOnce()
})

test('[PWA][decisions/speed] a device that has one looks for the next at once, also where no worker has this page', async () => {
  const { register, watch } = scene()
  await watch(new Promise(() => undefined))
  expect(register).toHaveBeenCalledOnce()
})
