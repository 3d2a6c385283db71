/** Photos that wait longer than the app has run, and a file store that is late or names another file (RULES EX3, OC9). */
import { describe, expect, test } from 'vitest'
import { FILES_REFUSED } from '#schemas/changes/photo-queue.ts'
import { deletePhoto } from '#data/photos/photos.ts'
import { renamePhoto } from '../../support/rename-photo.ts'
import { until, type Device } from '../../support/device.ts'
import { fileCalls, filesOf, photoOf, photoRow, photoScene, photosSent, take } from '../../support/photos.ts'
import { doubtOf, stateOf, wish } from '../../support/photo-doubt.ts'

const { app } = photoScene()
const { fault, hurrying, inDoubt } = doubtOf(app)
const gone = (device: Device, key: string) => until(async () => (await photoOf(device, key)) === undefined)

async function sent(device: Device) {
  const key = await take(device, 'a.jpg', 1)
  await photosSent(device)
  return key
}

test('[EX2][EX3] a photo that may be a day old is not sent before the CRM has said how late it is', async () => {
  const device = await app.open({ online: false })
  const key = await take(device, 'a.jpg', 1)
  await app.close(device)
  app.phone.now += 48 * 3_600_000
  app.crmNow += 48 * 3_600_000
  await app.phone.signIn()
  await fault('away', 'crm-rest', 500, 'always')
  const later = await app.open()
  await until(
    () =>
      app.crm.calls.filter(({ path, status }) => path.includes('request/search') && status === 500).length >
      1,
  )
  expect(fileCalls(app, 'files/upload')).toEqual([])
  await app.crm.faults.remove('away')
  await hurrying(later, async () => (await stateOf(later, key)) === 'expired')
  expect(fileCalls(app, 'files/upload')).toEqual([])
})

test('[OC3] an upload that is answered with the file of another photo is looked for: two photos, two files', async () => {
  const device = await app.open()
  const first = await sent(device)
  const { fetch } = app.crm
  const fileSeq = (await photoOf(device, first))?.fileSeq
  app.crm.fetch = async (request) => {
    const response = await fetch(request)
    if (!request.url.includes('files/upload')) return response
    const body: object = await response.json()
    return new Response(JSON.stringify({ ...body, file_seq: fileSeq }), { status: response.status })
  }
  const second = await take(device, 'b.jpg', 2)
  await photosSent(device)
  const own = [await photoOf(device, first), await photoOf(device, second)]
  const there = (await filesOf(app)).map(({ file_seq }) => file_seq)
  expect(new Set(own.map((photo) => photo?.fileSeq))).toEqual(new Set(there))
  expect(new Set(there).size).toBe(2)
  expect(fileCalls(app, 'files/upload')).toHaveLength(2)
})

test('[OC9][PL3] an upload in doubt whose file was listed meanwhile is that file: it is not sent again, and there once', async () => {
  const device = await app.open()
  const key = await inDoubt(device)
  const photo = await photoOf(device, key)
  const [file] = await filesOf(app)
  if (!photo || !file) throw new Error('nothing was sent')
  const listed = { key: 'store-1', fileSeq: file.file_seq, storeName: file.name, name: file.name }
  const nothingSaved = { stamp: '', savedAt: '', state: 'accepted' as const, unsent: 'no' as const }
  await device.db.photos.insert({ ...photo, ...listed, ...nothingSaved })
  await app.crm.faults.remove('silent')
  await photosSent(device)
  expect(fileCalls(app, 'files/upload')).toHaveLength(1)
  expect((await device.db.photos.find().exec()).map((doc) => doc.key)).toEqual([key])
})

/** The file store applies a call after the app has given it up. */
describe('[OC9] a slow file store, and one look is not enough', () => {
  const slow = (path: string, ms: number) =>
    app.crm.faults.add({ id: 'slow', kind: 'delay', ms, path, count: 1 })

  test('an upload that is given up meanwhile leaves no file behind', async () => {
    app.phone.timeoutMs = 1_000
    const device = await app.open()
    // an upload has six times the usual time limit
    await slow('files/upload', 6_600)
    const key = await take(device, 'a.jpg', 1)
    await until(async () => (await stateOf(device, key)) === 'unknown')
    await deletePhoto(device.saver(), key)
    await gone(device, key)
    await until(() => fileCalls(app, 'files/upload').every(({ acted }) => acted))
    expect(await filesOf(app)).toEqual([])
  })

  test.each(['rename', 'delete'])('a %s that is taken back is not done behind our back', async (what) => {
    const device = await app.open()
    const key = await sent(device)
    await slow(`files/${what}`, 3_000)
    if (what === 'delete') await deletePhoto(device.saver(), key)
    else await renamePhoto(device.saver(), key, 'b.jpg')
    await until(async () => (await stateOf(device, key)) === 'unknown')
    await wish(device, key, 'discard')
    await until(async () => ['accepted', 'discarded'].includes((await stateOf(device, key)) ?? ''))
    await until(() => fileCalls(app, `files/${what}`).every(({ acted }) => acted))
    await photosSent(device)
    expect((await filesOf(app)).map(({ name }) => name)).toEqual(
      [(await photoOf(device, key))?.name].flatMap((name) => name ?? []),
    )
  })
})

test('[ST1][C16] a file store that takes no token: its photo waits with that reason, and nobody is signed out', async () => {
  const device = await app.open()
  await fault('refuses', 'openapp', 401, 'always')
  const key = await take(device, 'a.jpg', 1)
  await until(async () => (await photoRow(device, key))?.reasons.includes(FILES_REFUSED))
  expect(await photoRow(device, key)).toMatchObject({ state: 'waiting', status: 401 })
  expect(device.session.value?.expired).toBeFalsy()
  await app.crm.faults.remove('refuses')
  await photosSent(device)
  expect(await photoRow(device, key)).toMatchObject({ state: 'accepted', reasons: [] })
  expect(await filesOf(app)).toHaveLength(1)
})
