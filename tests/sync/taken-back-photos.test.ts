/** 破棄 of what is to be done with a photo that the file store has (RULES SV3). */
import { expect, test } from 'vitest'
import { photoItem } from '#schemas/photo-queue.ts'
import { deletePhoto, renamePhoto } from '#data/photo-changes.ts'
import { wish } from '#data/wishes.ts'
import { until } from '../support/device.ts'
import { fileCalls, filesOf, photoOf, photoScene, photosSent, take } from '../support/photos.ts'

const { app } = photoScene()

test('[SV3] 破棄 of a deletion: the new name that was saved before it stays, and goes', async () => {
  const device = await app.open()
  const key = await take(device, 'a.jpg', 1)
  await photosSent(device)
  device.network.next(false)
  await renamePhoto(device.saver(), key, 'b')
  await deletePhoto(device.saver(), key)
  const photo = await device.db.photos.findOne(key).exec(true)
  const item = photoItem(photo.toMutableJSON(), new Map())
  if (!item) throw new Error('nothing to discard')
  await wish(device.db, item, 'discard')
  await until(async () => (await photoOf(device, key))?.wanted === 'kept')
  device.network.next(true)
  await until(async () => (await photoOf(device, key))?.unsent === 'no')
  const [file, ...others] = await filesOf(app)
  expect([file?.name, others]).toEqual([expect.stringMatching(/_b\.jpg$/), []])
  expect(fileCalls(app, 'files/delete')).toEqual([])
})
