/** A form with photos that is open in two tabs: no photo is lost between them (data/drafts/drafts). */
import { describe, expect, test } from 'vitest'
import { draftOf } from '#data/drafts/drafts.ts'
import { settleDrafts } from '#data/drafts/save-draft.ts'
import { KEY, saveForm, saverOf, take, targetOf, underground, write } from '../../support/drafts.ts'
import { todayScene } from '../../support/replication.ts'

const app = todayScene()

describe('[SV1] while a form with photos is saved', () => {
  test('another tab starts before the record is there: the photo is saved all the same', async () => {
    const { device, request } = await underground(app)
    await take(device, 'p1', 1)
    await saveForm(device, KEY, targetOf(request, 'e1'), async (saver) => {
      await settleDrafts(saverOf(device))
      await write(saver, request, 'e1')
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
    const shared = { ...device, bytes: { ...device.bytes, keys } }
    await saveForm(shared, KEY, targetOf(request, 'e1'), (saver) => write(saver, request, 'e1'))
    expect((await device.db.photos.find().exec()).map(({ key }) => key)).toEqual(['p1'])
    expect(await draftOf(device.db, KEY)).toMatchObject({ saving: '', photos: [{ key: 'p2' }] })
    expect(await device.bytes.get('p2')).toBeDefined()
  })
})
