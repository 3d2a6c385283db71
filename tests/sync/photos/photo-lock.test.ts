/** The lock of a photo over two tabs: the browser's locks, with their real time limits. */
import { afterEach, expect, test, vi } from 'vitest'
import { createPhotoStore } from '#sync/photos/photo-store.ts'
import { applyPhotoRequests } from '#sync/photos/send-photo.ts'
import { createLocks } from '#sync/leadership/lease.ts'
import { until } from '../../support/device.ts'
import { photoOf, photoRow, photoScene, take } from '../../support/photos.ts'
import { NOW } from '../../support/replication.ts'
import { browserLocks } from '../../support/web-locks.ts'
import { patchRow } from '../../support/stored-views.ts'

const { app } = photoScene()

afterEach(() => void vi.useRealTimers())

test('[TB1] 破棄 in another tab waits while an upload has the lock, for as long as that may be', async () => {
  const tab = browserLocks()
  app.phone.locks = createLocks(tab('first'))
  const { fetch: act } = app.crm
  let arrive = () => undefined as void
  const arrived = new Promise<void>((resolve) => (arrive = resolve))
  app.crm.fetch = async (request) => {
    if (request.url.includes('files/upload')) await arrived
    return act(request)
  }
  const device = await app.open()
  const key = await take(device, 'a.jpg', 1)
  await until(async () => (await photoRow(device, key))?.state === 'sending')

  // the clocks that the locks of the second tab use
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval', 'performance'] })
  await patchRow(device.db, key, { wish: 'discard' })
  const applyRequests = applyPhotoRequests({
    store: createPhotoStore(device.db, device.bytes),
    locks: createLocks(tab('second')),
    now: () => NOW,
  })
  const granting = applyRequests([key])
  // an upload is given up after 120 s, and its lease ends after 180 s
  await vi.advanceTimersByTimeAsync(150_000)
  expect(await photoRow(device, key)).toMatchObject({ state: 'sending', wish: 'discard' })
  expect(await photoOf(device, key)).toMatchObject({ wanted: 'kept' })
  vi.useRealTimers()

  arrive()
  await granting
  // 破棄 came too late: the file store has the photo, and the row shows that
  expect(await photoRow(device, key)).toMatchObject({ state: 'accepted', wish: 'none' })
  expect(await photoOf(device, key)).toMatchObject({ wanted: 'kept', unsent: 'no' })
  expect(device.problems).toEqual([])
})
