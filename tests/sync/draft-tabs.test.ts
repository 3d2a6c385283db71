/** A form with photos that is open in two tabs: no photo is lost between them (data/drafts). */
import { describe, expect, test } from 'vitest'
import { draftOf, saveDraft, settleDrafts } from '#data/drafts.ts'
import { KEY, saverOf, take, targetOf, underground, write } from '../support/drafts.ts'
import { replicationScene } from '../support/replication.ts'

const app = replicationScene()

describe('[SV1] while a form with photos is saved', () => {
  test('another tab starts before the record is there: the photo is saved all the same', async () => {
    const { device, request } = await underground(app)
    await take(device, 'p1', 1)
    await saveDraft(saverOf(device), KEY, targetOf(request, 'e1'), async () => {
      await settleDrafts(saverOf(device))
      await write(device, request, 'e1')
    })
    expect((await device.db.photos.find().exec()).map(({ key }) => key)).toEqual(['p1'])
  })

  test('another tab takes a photo for it: that stays in the draft, with its bytes', async () => {
    const { device, request } = await underground(app)
    await take(device, 'p1', 1)
    const keys: typeof device.bytes.keys = async (putBefore) => {
      const before = await device.bytes.keys(putBefore)
      await take(device, 'p2', 2)
      return before
    }
    const saver = { ...saverOf(device), bytes: { ...device.bytes, keys } }
    await saveDraft(saver, KEY, targetOf(request, 'e1'), () => write(device, request, 'e1'))
    expect((await device.db.photos.find().exec()).map(({ key }) => key)).toEqual(['p1'])
    expect(await draftOf(device.db, KEY)).toMatchObject({ saving: 'no', photos: [{ key: 'p2' }] })
    expect(await device.bytes.get('p2')).toBeDefined()
  })
})
