/** How often a draft is written: a page that goes has time for one write (decisions/drafts). */
import { expect, test, vi } from 'vitest'
import { addDraftPhoto, draftOf, dropDraft, storeValues, takeDraft } from '#data/drafts/drafts.ts'
import type { Device } from '../../support/device.ts'
import { KEY, underground } from '../../support/drafts.ts'
import { todayScene } from '../../support/replication.ts'

const app = todayScene()

/** The tab dies, and is opened again on the same storage. */
async function reopened(device: Device) {
  await app.close(device)
  return app.open({ online: false })
}

test('[draft] what is typed is kept in one write, of a draft that was opened too: a page that goes has no time for a second', async () => {
  const { device } = await underground(app)
  const typed = { emergencyContentsDetails: '満水' }
  const write = vi.spyOn(device.db.drafts.whole.storageInstance, 'bulkWrite')
  await storeValues(device.db, KEY, {})
  expect(write).toHaveBeenCalledTimes(1)
  await storeValues(device.db, KEY, typed)
  expect(write).toHaveBeenCalledTimes(2)
  const next = await reopened(device)
  expect((await draftOf(next.db, KEY))?.values).toBe(JSON.stringify(typed))
  const again = vi.spyOn(next.db.drafts.whole.storageInstance, 'bulkWrite')
  await storeValues(next.db, KEY, {})
  expect(again).toHaveBeenCalledTimes(1)
  // one that is gone is made anew
  await dropDraft(next, KEY)
  await storeValues(next.db, KEY, typed)
  expect((await draftOf(next.db, KEY))?.values).toBe(JSON.stringify(typed))
})

test('[draft] one that goes and is typed into while the database closes: the database closes', async () => {
  const { device } = await underground(app)
  await storeValues(device.db, KEY, { emergencyContentsDetails: '満水' })
  const goes = dropDraft(device, KEY)
  const typed = storeValues(device.db, KEY, { emergencyContentsDetails: '満水です' })
  // from here on RxDB tells nobody what is written, not even its own documents
  expect(await device.db.close()).toBe(true)
  await Promise.allSettled([goes, typed])
})

test('[draft] one that is typed into while it goes is made anew, in the same write', async () => {
  const { device } = await underground(app)
  await storeValues(device.db, KEY, { emergencyContentsDetails: '満水' })
  const goes = dropDraft(device, KEY)
  await storeValues(device.db, KEY, { emergencyContentsDetails: '満水です' })
  await goes
  const draft = await draftOf(device.db, KEY)
  expect(draft?.values).toBe(JSON.stringify({ emergencyContentsDetails: '満水です' }))
  const next = await reopened(device)
  expect((await draftOf(next.db, KEY))?.values).toBe(draft?.values)
})

test.each([
  ['text', 0],
  ['text and a photo', 1],
])('[draft] 元に戻す while the drop is still being heard of brings back all of it: %s', async (_, photos) => {
  const { device } = await underground(app)
  await storeValues(device.db, KEY, { emergencyContentsDetails: '満水' })
  const photo = {
    key: 'p1',
    name: 'p1.jpg',
    takenAt: '',
    placeInfo: '',
    size: 1,
    type: 'image/jpeg' as const,
  }
  for (let n = 0; n < photos; n += 1)
    await addDraftPhoto(device, KEY, photo, { bytes: new ArrayBuffer(1), thumb: undefined })
  const before = await draftOf(device.db, KEY)
  const dropped = await device.db.drafts.findOne(KEY).exec(true)
  const way = await takeDraft(device, KEY)
  // RxDB answers an insert over a deletion that it has not heard of with what was deleted
  vi.spyOn(device.db.drafts, 'insertIfNotExists').mockResolvedValueOnce(dropped.getLatest())
  expect(await way?.back()).toBe('back')
  const { values, photos: named } = (await draftOf(device.db, KEY)) ?? {}
  expect({ values, photos: named }).toEqual({ values: before?.values, photos: before?.photos })
})
