/** A start after a save of a form with photos was cut short: of an edit, and on a full device (data/drafts/drafts). */
import { describe, expect, test, vi } from 'vitest'
import type { Saver } from '#data/changes/changes.ts'
import { saveEmergencyReport } from '#features/emergency-report/commands.ts'
import { draftOf, storeValues, markUnwanted } from '#data/drafts/drafts.ts'
import { settleDrafts } from '#data/drafts/save-draft.ts'
import type { Device } from '../../support/device.ts'
import { CRASH, KEY, saveForm, saverOf, take, targetOf, underground, write } from '../../support/drafts.ts'
import { EMERGENCY } from '../../support/record-saves.ts'
import { todayScene } from '../../support/replication.ts'
import { viewIn } from '../../support/stored-views.ts'

const app = todayScene()

const OTHER = 'noteLocationArea/add/r1'

test('[SV1d] keeps nobody from their data: what finds no room is told, and ended by a later start; the others are ended now', async () => {
  const { device, request } = await underground(app)
  await take(device, 'p1', 1)
  const cut = (saver: Saver) =>
    write(saver, request, 'e1').then((): never => {
      throw CRASH
    })
  await expect(saveForm(device, KEY, targetOf(request, 'e1'), cut)).rejects.toBe(CRASH)
  await storeValues(device.db, OTHER, { note: '途中' })
  const other = await device.db.drafts.findOne(OTHER).exec(true)
  await other.incrementalPatch({ saving: '1-0-never', resource: 'noteLocationAreas', recordKey: 'n1' })

  const full = new DOMException('no room', 'QuotaExceededError')
  const insert = vi.spyOn(device.db.photos, 'bulkInsert').mockRejectedValue(full)
  const failed = vi.fn<(error: unknown) => void>()
  await settleDrafts(saverOf(device), failed)
  expect(failed.mock.calls).toEqual([[full]])
  expect((await draftOf(device.db, OTHER))?.saving).toBe('')
  expect(await draftOf(device.db, KEY)).toMatchObject({
    saving: expect.stringMatching(/./),
    photos: [{ key: 'p1' }],
  })
  expect(await device.bytes.get('p1')).toBeDefined()

  insert.mockRestore()
  await settleDrafts(saverOf(device), failed)
  expect(failed).toHaveBeenCalledOnce()
  expect((await device.db.photos.find().exec()).map(({ recordKey }) => recordKey)).toEqual(['e1'])
})

const failing = (): never => {
  throw CRASH
}
/** The tab dies and the app is started again on the same storage, as openUserData does it. */
async function restart(device: Device) {
  await app.close(device)
  const next = await app.open({ online: false })
  await settleDrafts(saverOf(next))
  return next
}

describe('[SV1d][OR2] a crash in the save of an edit with photos', () => {
  /** A report with a photo, and a draft that edits it, adds one and deletes the other. */
  async function editing() {
    const { device, request } = await underground(app)
    await take(device, 'p1', 1)
    const target = targetOf(request, 'e1')
    await saveForm(device, KEY, target, (saver) => write(saver, request, 'e1'))
    expect(await draftOf(device.db, KEY)).toBeNull()
    await take(device, 'p2', 2)
    await markUnwanted(device.db, KEY, 'p1')
    await storeValues(device.db, KEY, { emergencyContentsDetails: '排水中' })
    expect((await device.db.photos.findOne('p1').exec())?.wanted).toBe('kept')
    return { device, request, target }
  }
  const TYPED = JSON.stringify({ emergencyContentsDetails: '排水中' })
  const photosIn = async ({ db }: Device) =>
    (await db.photos.find().exec()).map(({ key, wanted }) => `${key} ${wanted}`).toSorted()

  test('that was written: its draft goes, and the photos are saved; a deletion, too', async () => {
    const { device, request, target } = await editing()
    const made = await viewIn(device.db, 'emergencyReports', 'e1')
    const edit = (saver: Saver) => saveEmergencyReport(saver, request, EMERGENCY, made)
    await expect(saveForm(device, KEY, target, edit, 1)).rejects.toBe(CRASH)
    const next = await restart(device)
    expect(await draftOf(next.db, KEY)).toBeNull()
    expect(await photosIn(next)).toEqual(['p1 deleted', 'p2 kept'])
  })

  test('[SV2] that was not written: no photo is added, none is deleted; all of it is in the draft', async () => {
    const { device, target } = await editing()
    await expect(saveForm(device, KEY, target, async () => failing())).rejects.toBe(CRASH)
    const next = await restart(device)
    expect(await draftOf(next.db, KEY)).toMatchObject({
      photos: [{ key: 'p2' }],
      unwanted: ['p1'],
      values: TYPED,
    })
    expect(await photosIn(next)).toEqual(['p1 kept'])
  })
})
