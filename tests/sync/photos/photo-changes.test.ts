import { IDBFactory, IDBKeyRange } from 'fake-indexeddb'
import { describe, expect, test, vi } from 'vitest'
import { firstValueFrom } from 'rxjs'
import { openPhotoBytes, photoBytesName } from '#data/photos/photo-bytes.ts'
import {
  deletePhoto,
  requestPhotoBytes,
  requestPhotos,
  photoProgress$,
  photosRequestKey,
  photosOf$,
} from '#data/photos/photos.ts'
import { renamePhoto } from '../../support/rename-photo.ts'
import { atRest } from '../../support/at-rest.ts'
import { until, type Device } from '../../support/device.ts'
import {
  fileCalls,
  filesOf,
  jpeg,
  otherPhone,
  photoOf,
  photoRow,
  photoScene,
  photosSent,
  RECORD_KEY,
  sha256,
  take,
} from '../../support/photos.ts'
import { enter, nth, NOW } from '../../support/replication.ts'
import { patchRow } from '../../support/stored-views.ts'
import { PLAIN } from '../../support/plain-sealer.ts'

const { app } = photoScene()

const namesIn = async () => (await filesOf(app)).map(({ name }) => name)
const unsentPhotos = async (device: Device) => (await firstValueFrom(photoProgress$(device.db)))[0]
const wish = async (device: Device, id: string, what: 'resend' | 'discard') =>
  patchRow(device.db, id, { wish: what })

describe('deleting', () => {
  test('[SV2] before the upload: nothing is ever sent, photo and bytes go', async () => {
    const device = await app.open({ online: false })
    const key = await take(device, 'a.jpg', 1)
    await deletePhoto(device.saver(), key)
    device.network.next(true)
    await until(async () => (await photoOf(device, key)) === undefined)
    await until(async () => (await device.bytes.get(key)) === undefined)
    expect(fileCalls(app, 'doccloud')).toEqual([])
  })

  test('[OC3] while the end of the upload is not known: it is read back, and the file deleted', async () => {
    const device = await app.open()
    await app.crm.faults.add({ id: 'lost', kind: 'lostAnswer', path: 'files/upload', count: 1 })
    const key = await take(device, 'a.jpg', 1)
    await until(async () => (await photoRow(device, key))?.state === 'unknown')
    await deletePhoto(device.saver(), key)
    await until(async () => (await photoOf(device, key)) === undefined)
    expect(await filesOf(app)).toEqual([])
    expect(fileCalls(app, 'files/upload')).toHaveLength(1)
  })

  test('after the upload: the file goes, also offline and when the answer is lost', async () => {
    const device = await app.open()
    const key = await take(device, 'a.jpg', 1)
    await photosSent(device)
    device.network.next(false)
    await deletePhoto(device.saver(), key)
    expect(await firstValueFrom(photosOf$(device.db, 'safetyMeasures', RECORD_KEY))).toEqual([])
    await app.crm.faults.add({ id: 'lost', kind: 'lostAnswer', path: 'files/delete', count: 1 })
    device.network.next(true)
    await until(async () => (await photoOf(device, key)) === undefined)
    expect(await filesOf(app)).toEqual([])
  })

  test('[OC2] what the file store refuses is 失敗; 破棄 keeps the photo', async () => {
    const device = await app.open()
    const key = await take(device, 'a.jpg', 1)
    await photosSent(device)
    const body = { success: false, message: '権限がありません。' }
    await app.crm.faults.add({ id: 'no', kind: 'status', status: 200, body, path: 'files/delete', count: 1 })
    await deletePhoto(device.saver(), key)
    await until(async () => (await photoRow(device, key))?.state === 'refused')
    expect(await photoRow(device, key)).toMatchObject({
      kind: 'delete',
      reasons: ['権限がありません。'],
    })
    await wish(device, key, 'discard')
    await photosSent(device)
    expect(await photoOf(device, key)).toMatchObject({ wanted: 'kept' })
    expect(await filesOf(app)).toHaveLength(1)
  })
})

describe('renaming', () => {
  test('before and after the upload; a clash gets a suffix', async () => {
    const device = await app.open({ online: false })
    const files = ['a.jpg', 'a.jpg', 'b.jpg']
    const names = await Promise.all(files.map((file, at) => take(device, file, at + 1)))
    device.network.next(true)
    await photosSent(device)
    const prefix = '20261120100000000'
    expect(await namesIn()).toEqual([`${prefix}_a.jpg`, `${prefix}_a_2.jpg`, `${prefix}_b.jpg`])
    await renamePhoto(device.saver(), nth(names, 2), 'a.jpg')
    await photosSent(device)
    expect(await namesIn()).toEqual([`${prefix}_a.jpg`, `${prefix}_a_2.jpg`, `${prefix}_a_3.jpg`])
    expect(fileCalls(app, 'files/upload')).toHaveLength(3)
    expect(fileCalls(app, 'files/rename').length).toBeLessThanOrEqual(2)
  })

  test('[PL3] during the upload: the file has the new name in the end', async () => {
    const device = await app.open()
    await app.crm.faults.add({ id: 'slow', kind: 'delay', path: 'files/upload', count: 1, ms: 200 })
    const key = await take(device, 'a.jpg', 1)
    await until(async () => (await photoRow(device, key))?.state === 'sending')
    await renamePhoto(device.saver(), key, '20261120100000000_35.1_139.1_後.jpg')
    await photosSent(device)
    const name = (await photoOf(device, key))?.name ?? ''
    expect(name).toContain('後.jpg')
    expect(await namesIn()).toEqual([name])
  })
})

describe('beside the records', () => {
  test('[OR1b] a photo that hangs or fails holds up no record', async () => {
    const device = await app.open()
    const requests = (await app.freeRequests(device)).slice(0, 3).toReversed()
    await app.crm.faults.add({ id: 'slow', kind: 'delay', path: 'files/upload', count: 3, ms: 1_200 })
    await app.crm.faults.add({
      id: '500',
      kind: 'status',
      status: 500,
      path: 'files/upload',
      count: 'always',
    })
    for (const seed of [1, 2, 3]) await take(device, `p${seed}.jpg`, seed)
    await until(() => fileCalls(app, 'files/upload').length === 3)
    for (const request of requests) await enter(device, request)
    await app.sent(device)
    expect(app.bodies.map(({ requestId }) => requestId)).toEqual(requests.map(({ id }) => id))
    expect(await filesOf(app)).toEqual([])
    expect(await unsentPhotos(device)).toMatchObject({ sent: 0, total: 3 })
    await app.crm.faults.clear()
    await photosSent(device)
    expect(await filesOf(app)).toHaveLength(3)
  })

  test('[ST1] 写真 n / m枚: what is sent of what is wanted, until all is', async () => {
    const device = await app.open()
    await take(device, 'a.jpg', 1)
    await photosSent(device)
    expect(await unsentPhotos(device)).toBeUndefined()
    device.network.next(false)
    await take(device, 'b.jpg', 2)
    const gone = await take(device, 'c.jpg', 3)
    await deletePhoto(device.saver(), gone)
    expect(await unsentPhotos(device)).toMatchObject({ recordKey: RECORD_KEY, sent: 1, total: 2 })
  })

  test('[SV4] nothing of one user is sent as another, nor once he has signed out', async () => {
    const device = await app.open({ online: false })
    await take(device, 'a.jpg', 1)
    app.phone.session.next(null)
    device.network.next(true)
    await atRest()
    await app.close(device)
    await app.phone.signIn('demo7')
    const other = await app.open()
    await take(other, 'b.jpg', 2)
    await photosSent(other)
    expect((await namesIn()).map((name) => name.slice(-5))).toEqual(['b.jpg'])
    expect(fileCalls(app, '/token')).toHaveLength(1)
    await app.close(other)
    await app.phone.signIn('demo6')
    await photosSent(await app.open())
    expect(await filesOf(app)).toHaveLength(2)
  })
})

describe('photos of others', () => {
  const THEIRS = { name: 'theirs.jpg', type: 'image/jpeg', bytes: jpeg(9) }
  /** Another company's phone uploads a photo to the same folder. */
  async function another(device: Device) {
    await photosSent(device)
    const { folderId } = nth(await filesOf(app), 0)
    expect(await otherPhone(app).upload(folderId, THEIRS)).toMatchObject({ kind: 'accepted' })
  }
  const list = async (device: Device) => {
    const [resource, recordKey] = ['safetyMeasures', RECORD_KEY]
    await requestPhotos(device.db, (app.phone.now += 1), { resource, recordKey, requestId: 'r-1' })
    const asked = photosRequestKey(resource, recordKey)
    await until(async () => (await device.db.interests.findOne(asked).exec())?.state === 'answered')
    return firstValueFrom(photosOf$(device.db, resource, recordKey))
  }

  test('[PL1] are listed, fetched on demand once, and leave when they were deleted', async () => {
    const device = await app.open()
    const own = await take(device, 'a.jpg', 1)
    await another(device)
    const views = await list(device)
    expect(views.map(({ photo }) => photo.name.slice(-10))).toEqual(['theirs.jpg', '0000_a.jpg'])
    const theirs = nth(views, 0).photo
    expect(await device.bytes.get(theirs.key)).toBeUndefined()
    await Promise.all([requestPhotoBytes(device.db, theirs.key), requestPhotoBytes(device.db, theirs.key)])
    await until(async () => (await photoOf(device, theirs.key))?.bytesAsked === 'no')
    expect(sha256(await device.bytes.get(theirs.key))).toBe(sha256(jpeg(9)))
    expect(await photoOf(device, theirs.key)).toMatchObject({ type: 'image/jpeg', size: 3_000 })
    expect(fileCalls(app, 'files/download')).toHaveLength(1)
    await otherPhone(app).remove(theirs.folderId, theirs.fileSeq)
    expect((await list(device)).map(({ photo }) => photo.key)).toEqual([own])
    expect(await device.bytes.get(theirs.key)).toBeUndefined()
  })

  test('[PL3] what is being sent is not shown twice', async () => {
    const device = await app.open()
    await take(device, 'a.jpg', 1)
    await photosSent(device)
    await app.crm.faults.add({ id: 'lost', kind: 'lostAnswer', path: 'files/upload', count: 1 })
    await take(device, 'b.jpg', 2)
    await until(async () => (await filesOf(app)).length === 2)
    expect(await list(device)).toHaveLength(2)
    await photosSent(device)
    expect(await list(device)).toHaveLength(2)
  })

  test('[ST4] are there once there is room, though the answer came to a full disk; it is told once', async () => {
    // shortens the waits for room
    app.phone.haste = 20
    const device = await app.open()
    await take(device, 'a.jpg', 1)
    await another(device)
    const theirs = nth(await list(device), 0).photo
    const put = device.bytes.put.bind(device.bytes)
    const full = new DOMException('disk full', 'QuotaExceededError')
    device.bytes.put = vi.fn<typeof put>(put).mockRejectedValueOnce(full).mockRejectedValueOnce(full)
    await requestPhotoBytes(device.db, theirs.key)
    await until(async () => (await photoOf(device, theirs.key))?.bytesAsked === 'no')
    expect(sha256(await device.bytes.get(theirs.key))).toBe(sha256(jpeg(9)))
    expect(device.problems.filter((problem) => problem.includes('QuotaExceededError'))).toHaveLength(1)
  })

  test('a page of somebody else is no photo: it is asked for again', async () => {
    const device = await app.open()
    await take(device, 'a.jpg', 1)
    await another(device)
    const theirs = nth(await list(device), 0).photo
    await app.crm.faults.add({ id: 'wifi', kind: 'captivePortal', path: 'files/download', count: 1 })
    await requestPhotoBytes(device.db, theirs.key)
    await until(async () => (await device.bytes.get(theirs.key)) !== undefined)
    expect(sha256(await device.bytes.get(theirs.key))).toBe(sha256(jpeg(9)))
  })
})

describe('bytes', () => {
  test('[SV3b] orphans older than an hour are swept at the start; photos keep theirs', async () => {
    const device = await app.open({ online: false })
    const key = await take(device, 'a.jpg', 1)
    await device.bytes.put('orphan', jpeg(2))
    await app.close(device)
    app.phone.now = NOW + 30 * 60_000
    const soon = await app.open({ online: false })
    await soon.bytes.put('young', jpeg(3))
    await atRest()
    expect(await soon.bytes.get('orphan')).toBeDefined()
    // the app has run for an hour, because the clock alone makes nothing old (EX3)
    app.phone.now = NOW + 61 * 60_000
    app.phone.ran = 61 * 60_000
    const expiryNow = () => JSON.parse(app.phone.storage.memory.get('time') ?? '{"now":0}') as { now: number }
    await until(() => expiryNow().now >= app.phone.now)
    await app.close(soon)
    const later = await app.open({ online: false })
    await until(async () => (await later.bytes.get('orphan')) === undefined)
    expect(await later.bytes.get('young')).toBeDefined()
    expect(sha256(await later.bytes.get(key))).toBe(sha256(jpeg(1)))
  })

  test('[SV3] the cache is bounded: the longest unused goes, what is unsent never', async () => {
    let now = NOW
    const table = openPhotoBytes({
      ...{ sealer: PLAIN, databaseName: 'genba-cache', now: () => (now += 1), cacheBytes: 6_500 },
      settings: { indexedDB: new IDBFactory(), IDBKeyRange },
    })
    await table.put('unsent', jpeg(0, 9_000))
    await table.put('one', jpeg(1), { cached: true })
    await table.put('two', jpeg(2), { cached: true })
    await table.get('one')
    await table.put('three', jpeg(3), { cached: true, thumb: jpeg(4, 50) })
    expect((await table.keys(Infinity)).toSorted()).toEqual(['one', 'three', 'unsent'])
    expect((await table.thumb('three'))?.byteLength).toBe(50)
    await table.release('unsent')
    expect((await table.keys(Infinity)).toSorted()).toEqual([])
    table.close()
  })

  test('[SV4a] a database for each user', () => {
    expect(photoBytesName('genba-0123')).toBe('genba-photos-0123')
    expect(photoBytesName('phone1-u6')).toBe('genba-photos-phone1-u6')
  })
})
