/** A save that the user has undone, or that this tab has not heard of yet, is not sent: no call leaves without its state. */
import { expect, test } from 'vitest'
import { photoItem } from '#schemas/changes/photo-queue.ts'
import { rxQueueStore } from '#sync/changes/change-store.ts'
import { StateChanged } from '#sync/changes/send-adapter.ts'
import { createPhotoStore } from '#sync/photos/photo-store.ts'
import { take } from '../../support/photos.ts'
import { enter, nth, todayScene } from '../../support/replication.ts'

const app = todayScene()

test('[OC1a][SV2] a change that is gone when its call would begin stays unsent', async () => {
  const device = await app.open()
  const request = nth(await app.freeRequests(device), 0)
  device.network.next(false)
  await enter(device, request)
  const item = nth(await device.queue(), 0)
  await device.db.changes.find().remove()
  await expect(rxQueueStore(device.db).begin([item], '{}')).rejects.toThrow(StateChanged)
})

test('[OC3] a change that another tab has sent since it was read begins no second call', async () => {
  const device = await app.open()
  const request = nth(await app.freeRequests(device), 0)
  device.network.next(false)
  await enter(device, request)
  const item = nth(await device.queue(), 0)
  const store = rxQueueStore(device.db)
  expect(await store.begin([item], '{}')).toBe(true)
  await store.put([item], 'lost')
  await expect(store.begin([item], '{}')).rejects.toThrow(StateChanged)
})

test('[OC1a][SV2] a photo that is gone when its call would begin stays unsent', async () => {
  const device = await app.open()
  device.network.next(false)
  const key = await take(device, '写真', 1)
  const store = createPhotoStore(device.db, device.bytes)
  const photo = await store.photo(key)
  const item = photo && photoItem(photo)
  await store.remove(key)
  await expect(store.begin(item ? [item] : [], '{}')).rejects.toThrow(StateChanged)
})
