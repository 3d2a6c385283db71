/** 破棄 of a rename or deletion of a photo that the file store has (RULES SV3). */
import { expect, test } from 'vitest'
import { photoItem } from '#schemas/changes/photo-queue.ts'
import { deletePhoto } from '#data/photos/photos.ts'
import { renamePhoto } from '../../support/rename-photo.ts'
import { wish as wishOf } from '#data/fetch-requests/wishes.ts'
import { until } from '../../support/device.ts'
import { doubtOf, itemOf, stateOf, wish } from '../../support/photo-doubt.ts'
import { fileCalls, filesOf, photoOf, photoScene, photosSent, take } from '../../support/photos.ts'

const { app } = photoScene()
const { hurrying, inDoubt } = doubtOf(app)

test('[SV3] 破棄 of a deletion: the new name that was saved before it stays, and goes', async () => {
  const device = await app.open()
  const key = await take(device, 'a.jpg', 1)
  await photosSent(device)
  device.network.next(false)
  await renamePhoto(device.saver(), key, 'b')
  await deletePhoto(device.saver(), key)
  const photo = await device.db.photos.findOne(key).exec(true)
  const item = photoItem(photo.toMutableJSON())
  if (!item) throw new Error('nothing to discard')
  await wishOf(device.db, item, 'discard')
  await until(async () => (await photoOf(device, key))?.wanted === 'kept')
  device.network.next(true)
  await until(async () => (await photoOf(device, key))?.unsent === 'no')
  const [file, ...others] = await filesOf(app)
  expect([file?.name, others]).toEqual([expect.stringMatching(/_b\.jpg$/), []])
  expect(fileCalls(app, 'files/delete')).toEqual([])
})

test('[SV3] 破棄 of a deletion while the upload is in doubt: the new name goes once the upload is found', async () => {
  const device = await app.open()
  const key = await inDoubt(device)
  await renamePhoto(device.saver(), key, 'b')
  await deletePhoto(device.saver(), key)
  const { change } = await itemOf(device, key)
  await until(async () => (await stateOf(device, change.id)) !== undefined)
  await wish(device, change.id, 'discard')
  await until(async () => (await photoOf(device, key))?.wanted === 'kept')
  await app.crm.faults.remove('silent')
  await hurrying(device, async () => (await photoOf(device, key))?.unsent === 'no')
  const [file, ...others] = await filesOf(app)
  expect([file?.name, others]).toEqual([expect.stringMatching(/_b\.jpg$/), []])
})
