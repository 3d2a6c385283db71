/** A photo that is given up after an interrupted save of its form leaves the draft (data/database/leave-drafts). */
import { expect, test } from 'vitest'
import type { Saver } from '#data/changes/changes.ts'
import { draftOf, markUnwanted } from '#data/drafts/drafts.ts'
import { deletePhoto, savePhotos } from '#data/photos/photos.ts'
import { wish } from '#data/fetch-requests/wishes.ts'
import { photoItem } from '#schemas/changes/photo-queue.ts'
import type { Device } from '../../support/device.ts'
import { CRASH, KEY, saveForm, take, targetOf, underground, write } from '../../support/drafts.ts'
import { todayScene } from '../../support/replication.ts'

const app = todayScene()

const discarded = async (device: Device, key: string) => {
  const item = photoItem((await device.db.photos.findOne(key).exec(true)).toMutableJSON())
  if (item) await wish(device.db, item, 'discard')
}
test.each([
  ['is deleted', (device: Device) => deletePhoto(device.saver(), 'p1')],
  ['is discarded', (device: Device) => discarded(device, 'p1')],
  ['is marked as unwanted in the form', (device: Device) => markUnwanted(device.db, KEY, 'p1')],
])('[SV2] a photo whose save was cut short leaves the draft when it %s', async (_, giveUp) => {
  const { device, request } = await underground(app)
  await take(device, 'p1', 1)
  await take(device, 'p2', 2)
  const target = targetOf(request, 'e1')
  const [first] = (await draftOf(device.db, KEY))?.photos ?? []
  const cut = async (saver: Saver): Promise<never> => {
    await write(saver, request, 'e1')
    await savePhotos(saver, first ? [{ ...first, ...target }] : [])
    throw CRASH
  }
  await expect(saveForm(device, KEY, target, cut)).rejects.toBe(CRASH)
  await giveUp(device)
  expect((await draftOf(device.db, KEY))?.photos.map(({ key }) => key)).toEqual(['p2'])
})
