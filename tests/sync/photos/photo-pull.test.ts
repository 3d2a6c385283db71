/** The photos of a record's folder, from the file store to the screen (sync/photos/pull-photos). */
import { describe, expect, test } from 'vitest'
import { firstValueFrom } from 'rxjs'
import type { Interest } from '#schemas/device/interest.ts'
import { ANSWER_ROWS_MAX } from '#schemas/limits.ts'
import {
  deletePhoto,
  requestPhotoBytes,
  requestPhotos,
  photosRequestKey,
  photosOf$,
} from '#data/photos/photos.ts'
import { renamePhoto } from '../../support/rename-photo.ts'
import type { FileStore } from '#sync/photos/file-store.ts'
import { createPhotoStore } from '#sync/photos/photo-store.ts'
import type { FetchAnswer } from '#sync/storage/database.ts'
import { createPhotoPull } from '#sync/photos/pull-photos.ts'
import { until, type Device } from '../../support/device.ts'
import {
  fileCalls,
  filesOf,
  jpeg,
  otherPhone,
  photoOf,
  photoScene,
  photosSent,
  RECORD_KEY,
  sha256,
  take,
} from '../../support/photos.ts'
import { nth } from '../../support/replication.ts'
import { patchRow } from '../../support/stored-views.ts'

const { app, parents } = photoScene()

const OF = { resource: 'safetyMeasures', recordKey: RECORD_KEY, requestId: 'r-1' }
const QUESTION: Interest = {
  ...OF,
  key: photosRequestKey('safetyMeasures', RECORD_KEY),
  kind: 'photos',
  askedAt: '2026-11-20T10:00:00.000Z',
  state: 'asked',
  answeredAt: '',
  total: 0,
}

/** Another company's phone uploads a file to the same folder, beside a photo of ours. */
async function beside(device: Device, file: { name: string; type: string; bytes: ArrayBuffer }) {
  await take(device, 'a.jpg', 1)
  await photosSent(device)
  const { folderId } = nth(await filesOf(app), 0)
  expect(await otherPhone(app).upload(folderId, file)).toMatchObject({ kind: 'accepted' })
  await list(device)
  const theirs = (await shown(device)).find(({ storeName }) => storeName === file.name)
  if (!theirs) throw new Error('not listed')
  return theirs
}

async function list(device: Device) {
  await requestPhotos(device.db, (app.phone.now += 1), OF)
  const interest = () => device.db.interests.findOne(photosRequestKey('safetyMeasures', RECORD_KEY)).exec()
  await until(async () => (await interest())?.state === 'answered')
}

const shown = async (device: Device) =>
  (await firstValueFrom(photosOf$(device.db, 'safetyMeasures', RECORD_KEY))).map(({ photo }) => photo)

const asked = async (device: Device, key: string) => (await photoOf(device, key))?.bytesAsked

const HEIC = Uint8Array.from([0, 0, 0, 24, ...new TextEncoder().encode('ftypheic'), 0, 0, 0, 0]).buffer
const PDF = new TextEncoder().encode('%PDF-1.7\n%âãÏÓ').buffer

describe('[PL8] a file that is no photo', () => {
  test.each([
    ['a picture of another kind', 'IMG_1.heic', HEIC],
    ['a document', '図面.pdf', PDF],
    ['nothing at all', 'empty.jpg', new ArrayBuffer(0)],
  ])('is fetched once and holds up no other: %s', async (_, name, bytes) => {
    const device = await app.open()
    const theirs = await beside(device, { name, type: 'application/octet-stream', bytes })
    await requestPhotoBytes(device.db, theirs.key)
    await until(async () => (await asked(device, theirs.key)) === 'failed')
    expect(fileCalls(app, 'files/download')).toHaveLength(1)
    expect(await device.bytes.get(theirs.key)).toBeUndefined()
  })
})

test('[PL8c] a photo that could not be had is asked for again when its record is opened anew', async () => {
  const device = await app.open()
  const theirs = await beside(device, { name: 'b.jpg', type: 'image/jpeg', bytes: jpeg(9) })
  const body = { success: false, message: 'ただいまメンテナンス中です。' }
  await app.crm.faults.add({ id: 'no', kind: 'status', status: 200, body, path: 'files/download', count: 1 })
  await requestPhotoBytes(device.db, theirs.key)
  await until(async () => (await asked(device, theirs.key)) === 'failed')
  await list(device)
  expect(await asked(device, theirs.key)).toBe('no')
  await requestPhotoBytes(device.db, theirs.key)
  await until(async () => (await device.bytes.get(theirs.key)) !== undefined)
  expect(sha256(await device.bytes.get(theirs.key))).toBe(sha256(jpeg(9)))
})

/** The pull alone, with a file store whose answers the test gives. */
const pullOf = (
  device: Device,
  over: Partial<FileStore>,
  answer: (answer: FetchAnswer) => Promise<void> = async () => undefined,
) =>
  createPhotoPull({
    store: createPhotoStore(device.db, device.bytes),
    files: { ...otherPhone(app), ...over },
    parents,
    userId: 'u6',
    answer,
  })

/** What a screen that asks for the list is told. */
async function answerOf(device: Device, over: Partial<FileStore>) {
  const told: unknown[] = []
  const failure = await pullOf(
    device,
    over,
    async ({ state, total }) => void told.push({ state, total }),
  ).list(QUESTION)
  return failure ?? told
}

test('[PL8c] bytes that do not come are asked for three times, and then no more until the record is opened anew', async () => {
  const device = await app.open()
  const theirs = await beside(device, { name: 'c.jpg', type: 'image/jpeg', bytes: jpeg(5) })
  const photo = (await device.db.photos.findOne(theirs.key).exec(true)).toMutableJSON()
  const pull = pullOf(device, { bytes: async () => ({ kind: 'unreachable' }) })
  const held = pullOf(device, { bytes: async () => ({ kind: 'unreachable', held: true }) })
  // nobody has ordered them, so the app's own reads do not get them meanwhile
  for (const wanted of ['no', 'no', 'failed']) {
    // a call that the circuit breaker does not admit is not counted as a try
    await held.fetch(photo)
    expect(await pull.fetch(photo)).toEqual({ kind: 'unreachable' })
    expect(await asked(device, theirs.key)).toBe(wanted)
  }
})

test.each<[string, (device: Device, key: string) => Promise<void>]>([
  ['is deleted', (device, key) => deletePhoto(device.saver(), key)],
  ['another tab removes', ({ db, bytes }, key) => createPhotoStore(db, bytes).remove(key)],
])('[PL3] a photo that %s while the folder is read does not come back', async (_, leave) => {
  const device = await app.open()
  const key = await take(device, 'a.jpg', 1)
  await photosSent(device)
  const files: FileStore['files'] = async (folderId) => {
    const index = await otherPhone(app).files(folderId)
    await leave(device, key)
    await until(async () => (await photoOf(device, key)) === undefined)
    return index
  }
  expect(await answerOf(device, { files })).toMatchObject([{ state: 'answered' }])
  expect(await shown(device)).toEqual([])
})

test.each<[string, number, (device: Device, key: string) => Promise<unknown>]>([
  ['was deleted elsewhere: it goes', 0, async () => undefined],
  [
    'lies in the folder that its record had before: it stays',
    1,
    async () => parents.at.set(RECORD_KEY, { kind: 'folder', id: 'f-2' }),
  ],
  [
    'has a new name that is not sent: it stays',
    1,
    (device, key) => renamePhoto(device.saver(), key, 'b.jpg'),
  ],
])('[PL1][PL3] a sent photo that the list of the folder lacks %s', async (_, count, meanwhile) => {
  const device = await app.open()
  const key = await take(device, 'a.jpg', 1)
  await photosSent(device)
  device.network.next(false)
  await meanwhile(device, key)
  const files: FileStore['files'] = async () => ({ kind: 'accepted', value: [] })
  expect(await answerOf(device, { files })).toEqual([{ state: 'answered', total: 0 }])
  expect(await shown(device)).toHaveLength(count)
})

test('[PL3] a photo whose upload ends while the list is read, and that the list lacks, stays', async () => {
  const device = await app.open()
  await take(device, 'a.jpg', 1)
  await photosSent(device)
  const files: FileStore['files'] = async (folderId) => {
    const index = await otherPhone(app).files(folderId)
    await take(device, 'b.jpg', 2)
    await photosSent(device)
    return index
  }
  expect(await answerOf(device, { files })).toEqual([{ state: 'answered', total: 1 }])
  expect(await shown(device)).toHaveLength(2)
})

test('[PL3] a photo that is renamed while its upload is under way is listed once', async () => {
  const device = await app.open({ online: false })
  const key = await take(device, 'a.jpg', 1)
  const { name = '' } = (await photoOf(device, key)) ?? {}
  const payload = JSON.stringify({ folderId: 'f', name })
  await patchRow(device.db, key, { state: 'sending', payload })
  await renamePhoto(device.saver(), key, 'b.jpg')
  parents.at.set(RECORD_KEY, { kind: 'folder', id: 'f' })
  const lists = [name, name.normalize('NFD'), (await photoOf(device, key))?.name ?? '']
  for (const listed of lists) {
    const files: FileStore['files'] = async () => ({
      kind: 'accepted',
      value: [{ file_seq: '1', name: listed }],
    })
    await pullOf(device, { files }).list(QUESTION)
    expect(await shown(device)).toHaveLength(1)
  }
})

test('[PL11] a list of folders that was cut does not say that a record has no photos', async () => {
  const device = await app.open()
  const others = Array.from({ length: ANSWER_ROWS_MAX }, (_, n) => ({ id: `f${n}`, name: `SAFE-${n}` }))
  const folders: FileStore['folders'] = async () => ({ kind: 'accepted', value: others })
  expect(await answerOf(device, { folders })).toEqual([{ state: 'failed', total: 0 }])
  const few: FileStore['folders'] = async () => ({ kind: 'accepted', value: others.slice(1) })
  expect(await answerOf(device, { folders: few })).toEqual([{ state: 'answered', total: 0 }])
})

test('[PL9] the photos of a record are listed while the bytes of another photo are on their way', async () => {
  const device = await app.open()
  const theirs = await beside(device, { name: 'theirs.jpg', type: 'image/jpeg', bytes: jpeg(7) })
  let go = () => {}
  const late = new Promise<void>((resolve) => (go = resolve))
  let isOnItsWay = false
  app.phone.between = async (call) => {
    if (call.url.includes('files/download')) {
      isOnItsWay = true
      await late
    }
    return fetch(call)
  }
  await requestPhotoBytes(device.db, theirs.key)
  await until(() => isOnItsWay)
  await list(device)
  expect(await asked(device, theirs.key)).toBe('yes')
  go()
  await until(async () => (await asked(device, theirs.key)) === 'no')
})

test('[PL8][PL9] a photo whose bytes hang holds up none that is asked for after it', async () => {
  const device = await app.open()
  const slow = await beside(device, { name: 'slow.jpg', type: 'image/jpeg', bytes: jpeg(7) })
  const bytes = jpeg(8)
  await otherPhone(app).upload(slow.folderId, { name: 'quick.jpg', type: 'image/jpeg', bytes })
  await list(device)
  const quick = (await shown(device)).find(({ storeName }) => storeName === 'quick.jpg')
  if (!quick) throw new Error('not listed')
  let go = () => {}
  const late = new Promise<void>((resolve) => (go = resolve))
  let isHanging = false
  app.phone.between = async (call) => {
    if (call.url.includes('files/download') && (await call.clone().text()).includes(slow.storeName)) {
      isHanging = true
      await late
    }
    return fetch(call)
  }
  await requestPhotoBytes(device.db, slow.key)
  await until(() => isHanging)
  await requestPhotoBytes(device.db, quick.key)
  await until(async () => (await asked(device, quick.key)) === 'no')
  expect(await asked(device, slow.key)).toBe('yes')
  go()
  await until(async () => (await asked(device, slow.key)) === 'no')
})
