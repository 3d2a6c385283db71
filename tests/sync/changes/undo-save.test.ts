/** 元に戻す on the banner of a save while the sender may be sending: on real RxDB, HTTP and the demo CRM. */
import { describe, expect, onTestFinished, test } from 'vitest'
import type { RequestRecord } from '#schemas/resources/request.ts'
import { addDraftPhoto, draftOf } from '#data/drafts/drafts.ts'
import { saveNote } from '#features/note-location-area/commands.ts'
import { toTokyoIso } from '#lib/time/tokyo-time.ts'
import { pickOf, randomOf } from '../../simulate/random.ts'
import { until, type Device } from '../../support/device.ts'
import { enter, leave, nth, todayScene } from '../../support/replication.ts'
import { jpeg, photoOf } from '../../support/photos.ts'
import { FORM, told } from '../../support/told-saves.ts'
import { viewIn, viewsIn } from '../../support/stored-views.ts'

const app = todayScene()

const OFFLINE = '電波がないため、端末に保存しました。電波が戻ると自動で送信します。'

const note = (request: RequestRecord, text: string) => (device: Device) =>
  saveNote(device.saver(), request, { note: text })
const notesOf = async () =>
  (await app.crm.inspect()).notes.filter(({ origin }) => origin === 'call').map((each) => each.note)
const valuesOf = async (device: Device) => (await draftOf(device.db, FORM))?.values ?? null

describe('[hands 3][SV1][SV2] 元に戻す of a save that has not left the device', () => {
  test('pressed while its form is still being left: what was typed is a draft, and stays', async () => {
    const device = await app.open()
    const request = nth(await app.freeRequests(device), 0)
    device.network.next(false)
    const { save, back, said, drafts } = told(device)
    const end = drafts.submits(FORM, {}, Promise.resolve())
    await save(note(request, '足場あり'), { note: '足場あり' })
    await back()
    end()
    await said('保存を元に戻しました。')
    expect(await valuesOf(device)).toBe(JSON.stringify({ note: '足場あり' }))
  })

  test('what was typed is a draft again, nothing is sent, and the banner leads back to the form', async () => {
    const device = await app.open()
    const request = nth(await app.freeRequests(device), 0)
    device.network.next(false)
    const { save, back, banner, said } = told(device)
    await save(note(request, '段差あり'), { note: '段差あり' })
    await said(OFFLINE)
    await back()
    await said('保存を元に戻しました。')
    expect(banner()?.link).toMatchObject({ path: '/form' })
    expect(await valuesOf(device)).toBe('{"note":"段差あり"}')
    expect(await device.queue()).toEqual([])
    device.network.next(true)
    await save(note(request, '二つ目'))
    await until(async () => (await device.queue()).length === 0)
    expect(await notesOf()).toEqual(['二つ目'])
  })

  test('photos go back with it, with their bytes', async () => {
    const device = await app.open()
    const request = nth(await app.freeRequests(device), 0)
    device.network.next(false)
    const { save, back, said } = told(device)
    const photo = { key: 'p1', name: 'a.jpg', placeInfo: '35,139', takenAt: toTokyoIso(app.phone.now) }
    const origin = { taken: 'exif', place: 'exif' } as const
    const parts = { bytes: jpeg(1), thumb: jpeg(2, 300), origin }
    await addDraftPhoto(device, FORM, { ...photo, size: 3_000, type: 'image/jpeg' }, parts)
    const target = { resource: 'noteLocationAreas', recordKey: 'n1', requestId: request.id, workingDate: '' }
    const write = (saving: Device) => saveNote(saving.saver(), request, { note: '写真' }, null, 'n1')
    await save(write, { note: '写真' }, target)
    expect((await photoOf(device, 'p1'))?.unsent).toBe('yes')
    await back()
    await said('保存を元に戻しました。')
    const draft = await draftOf(device.db, FORM)
    expect(draft).toMatchObject({ values: '{"note":"写真"}', saving: '', recordKey: '' })
    const [kept, ...more] = draft?.photos ?? []
    expect(more).toEqual([])
    expect(kept).toMatchObject({ placeInfo: photo.placeInfo, takenAt: photo.takenAt, size: 3_000 })
    expect(await device.bytes.get(kept?.key ?? '')).toEqual(parts.bytes)
    expect(await device.bytes.origin(kept?.key ?? '')).toEqual(origin)
    expect(await photoOf(device, 'p1')).toBeUndefined()
    expect(await viewsIn(device.db, 'noteLocationAreas')).toEqual([])
  })

  test('an unsent save that it had replaced stands there again, and is sent', async () => {
    const device = await app.open()
    const request = nth(await app.freeRequests(device), 0)
    device.network.next(false)
    const { save, back, said } = told(device)
    await enter(device, request)
    await leave(device, [request], { reportContent: '一度目' })
    await save((saving) => leave(saving, [request], { reportContent: '二度目' }), { reportContent: '二度目' })
    await back()
    await said('保存を元に戻しました。')
    expect((await device.queue()).map(({ change }) => change.kind)).toEqual(['entry', 'exit'])
    device.network.next(true)
    await app.sent(device)
    expect(await app.reports(request.id)).toMatchObject([{ reportContent: '一度目' }])
  })

  test('it is not offered where something that may have left would go with it, nor while it is being sent', async () => {
    const device = await app.open()
    const request = nth(await app.freeRequests(device), 0)
    const refusal = { kind: 'status', status: 202, body: { message: 'ec00030' } } as const
    await app.crm.faults.add({ id: 'no', ...refusal, path: 'noteLocationArea/$', count: 1 })
    await saveNote(device.saver(), request, { note: '断られた' }, null, 'n1')
    await until(async () => (await device.queue())[0]?.state === 'failed')
    device.network.next(false)
    const { save, banner, said } = told(device)
    const record = async () => await viewIn(device.db, 'noteLocationAreas', 'n1')
    await save(async (saving) => saveNote(saving.saver(), request, { note: '直した' }, await record()))
    await said(OFFLINE)
    await until(async () => (await device.queue()).length === 1)
    expect(banner()?.act).toBeUndefined()
    await save(note(request, '別のメモ'))
    await until(() => banner()?.act !== undefined)
    device.network.next(true)
    await until(() => banner()?.act === undefined)
    await until(async () => (await device.queue()).length === 0)
  })

  test('what was typed into the same form since is not overwritten', async () => {
    const device = await app.open()
    const request = nth(await app.freeRequests(device), 0)
    device.network.next(false)
    const { save, back, said, drafts } = told(device)
    await save(note(request, '一つ目'), { note: '一つ目' })
    await drafts.keep(FORM, { note: '二つ目' })
    await back()
    await said('同じ画面に新しい入力があるため、')
    expect(await valuesOf(device)).toBe('{"note":"二つ目"}')
    expect(await device.queue()).toHaveLength(1)
  })

  test('a form that is open again hears that its draft is back', async () => {
    const device = await app.open()
    const request = nth(await app.freeRequests(device), 0)
    device.network.next(false)
    const { save, back, drafts } = told(device)
    await save(note(request, '一つ目'), { note: '一つ目' })
    let heard = 0
    onTestFinished(drafts.watch(FORM, () => (heard += 1)))
    await back()
    await until(() => heard === 1)
  })

  test.each([2, 8, 13, 23])(
    'seed %i: whenever it is pressed, each note is in the CRM once or in its draft, and never in both',
    async (seed) => {
      const random = randomOf(seed)
      const device = await app.open()
      const free = (await app.freeRequests(device)).slice(0, 4)
      const faults = [
        { kind: 'delay', ms: 120 },
        { kind: 'lostAnswer' },
        { kind: 'unreachable' },
        { kind: 'status', status: 500, after: true },
      ] as const
      for (const [index, request] of free.entries()) {
        const isOnline = random() < 0.4
        device.network.next(isOnline)
        const { save, drafts, banner, flash } = told(device, isOnline)
        const fault = pickOf(faults, random()) ?? faults[0]
        const where = { path: 'noteLocationArea/', method: 'POST', count: 1 }
        await app.crm.faults.add({ ...fault, ...where, id: `fault ${index}` })
        const text = `メモ${index}`
        await save(note(request, text), { note: text })
        await new Promise((resolve) => setTimeout(resolve, random() * 80))
        if (random() < 0.5) device.network.next(true)
        const act = banner()?.act
        act?.run()
        if (act)
          await until(() => flash.get().every(({ text: said }) => said !== '保存を元に戻しています'), 60_000)
        const typed = await valuesOf(device)
        const isBack = banner()?.text.startsWith('保存を元に戻しました。') === true
        expect(typed, `${seed} ${index}`).toBe(isBack ? JSON.stringify({ note: text }) : null)
        await drafts.drop(FORM)
        await app.crm.faults.clear()
        device.network.next(true)
        await until(async () => (await device.queue()).length === 0, 60_000)
        const made = (await notesOf()).filter((each) => each === text)
        expect(made.length, `${seed} ${index}`).toBe(isBack ? 0 : 1)
      }
      expect(device.problems).toEqual([])
    },
    90_000,
  )
})
