/** A start on a full device after a save of a form with photos was cut short (data/drafts). */
import { expect, test, vi } from 'vitest'
import { draftOf, keepValues, saveDraft, settleDrafts } from '#data/drafts.ts'
import { KEY, saverOf, take, targetOf, underground, write } from '../support/drafts.ts'
import { replicationScene } from '../support/replication.ts'

const app = replicationScene()

const CRASH = new Error('crash')
const OTHER = 'noteLocationArea/add/r1'

test('[SV1] keeps nobody from their data: what finds no room is told, and ended by a later start; the others are ended now', async () => {
  const { device, request } = await underground(app)
  await take(device, 'p1', 1)
  const cut = () =>
    write(device, request, 'e1').then((): never => {
      throw CRASH
    })
  await expect(saveDraft(saverOf(device), KEY, targetOf(request, 'e1'), cut)).rejects.toBe(CRASH)
  await keepValues(device.db, OTHER, { note: '途中' })
  const other = await device.db.drafts.findOne(OTHER).exec(true)
  await other.incrementalPatch({ saving: 'new', resource: 'noteLocationAreas', recordKey: 'n1' })

  const full = new DOMException('no room', 'QuotaExceededError')
  const insert = vi.spyOn(device.db.photos, 'bulkInsert').mockRejectedValue(full)
  const failed = vi.fn<(error: unknown) => void>()
  await settleDrafts(saverOf(device), failed)
  expect(failed.mock.calls).toEqual([[full]])
  expect((await draftOf(device.db, OTHER))?.saving).toBe('no')
  expect(await draftOf(device.db, KEY)).toMatchObject({ saving: 'new', photos: [{ key: 'p1' }] })
  expect(await device.bytes.get('p1')).toBeDefined()

  insert.mockRestore()
  await settleDrafts(saverOf(device), failed)
  expect(failed).toHaveBeenCalledOnce()
  expect((await device.db.photos.find().exec()).map(({ recordKey }) => recordKey)).toEqual(['e1'])
})
