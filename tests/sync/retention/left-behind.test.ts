/** A logout leaves unsent work and drafts on the device, and nothing else of the CRM (EX6). */
import { IDBFactory } from 'fake-indexeddb'
import { viewOf } from '#data/changes/record-views.ts'
import { Dexie } from 'dexie'
import { describe, expect, test } from 'vitest'
import { leaveUnsentOnly, usersOnDevice } from '#data/user-stores/user-stores.ts'
import type { Saver } from '#data/changes/changes.ts'
import { draftOf, storeValues, markUnwanted } from '#data/drafts/drafts.ts'
import { PHRASES_DRAFT } from '#schemas/resources/visit-key.ts'
import { requestPhotos, photosRequestKey } from '#data/photos/photos.ts'
import { saveNote } from '#features/note-location-area/commands.ts'
import { until, type Device } from '../../support/device.ts'
import { saveForm } from '../../support/drafts.ts'
import { enter, nth, todayScene } from '../../support/replication.ts'
import { fakeParents, filesOf, photosSent, take } from '../../support/photos.ts'
import { dumpStorage } from '../../support/storage-dump.ts'
import { viewIn } from '../../support/stored-views.ts'

const app = todayScene()
const HOUR = 3_600_000
const LIMIT_MS = 30_000
const DRAFT = 'emergencyReport/add/r-1'
const NOTE = 'n1'
const NOTE_FORM = 'noteLocationArea/edit/n1'

const storage = () => app.phone.storage.indexedDB
const onDisk = () => dumpStorage(storage())
const left = (user: string, { drafts = Date.now() - 24 * HOUR, bytes = app.phone.now - HOUR } = {}) =>
  leaveUnsentOnly(storage(), user, { drafts, bytes })

/** A phone that has read requests with their details and lists, and cached the answers. */
async function read(): Promise<Device> {
  app.phone.keepsAnswers = true
  const device = await app.open()
  await until(async () => (await device.db.requests.count().exec()) > 10, LIMIT_MS)
  await until(async () => (await device.db.noteLocationAreas.count().exec()) > 0, LIMIT_MS)
  return device
}

describe('[EX6][SV3] after a logout', () => {
  test(
    'nothing is left of who has sent everything; at the next login all is read again',
    async () => {
      const device = await read()
      const request = nth(await app.freeRequests(device), 0)
      await enter(device, request)
      await app.sent(device)
      device.network.next(false)
      const { name } = device.db
      await app.close(device)
      expect((await storage().databases()).length).toBeGreaterThan(20)
      expect(await left(name)).toBe(false)
      expect((await storage().databases()).map((each) => each.name)).toEqual([])
      const again = await app.open()
      await until(async () => (await again.db.requests.count().exec()) > 10, LIMIT_MS)
    },
    3 * LIMIT_MS,
  )

  test(
    'only what is unsent and the draft stays; its user finds it again, and it goes once',
    async () => {
      const device = await read()
      const request = nth(await app.freeRequests(device), 0)
      const sent = nth(await app.freeRequests(device), 1)
      await enter(device, sent)
      await app.sent(device)
      device.network.next(false)
      await enter(device, request)
      await storeValues(device.db, DRAFT, { text: '打ちかけ' })
      await storeValues(device.db, PHRASES_DRAFT, { sentences: ['自分の文です。'] })
      const { name } = device.db
      await app.close(device)
      expect(await left(name)).toBe(true)
      const disk = await onDisk()
      for (const gone of [request.requestCode, sent.key, '"notes":', '自分の文です。'])
        expect(disk).not.toContain(gone)
      expect(disk).toContain('打ちかけ')
      expect((await storage().databases()).map((each) => each.name).join(' ')).not.toMatch(
        /requests|pastReports|replication|answers|interests/,
      )

      const again = await app.open()
      expect(await draftOf(again.db, DRAFT)).toMatchObject({ values: JSON.stringify({ text: '打ちかけ' }) })
      await app.sent(again)
      await until(async () => (await again.db.requests.count().exec()) > 10, LIMIT_MS)
      expect(app.writes().filter(({ method }) => method === 'POST')).toHaveLength(2)
      expect(await app.reports(request.id)).toHaveLength(1)
      // the change is sent, although its request was removed
      await until(async () => (await viewOf(again.db, 'quickReports', request.key))?.unsent === 'no')
    },
    3 * LIMIT_MS,
  )

  test('the bytes of sent photos go, those of unsent ones and their record stay', async () => {
    const device = await app.open({ online: false })
    const key = await take(device, 'IMG_秘密.jpg', 1)
    await device.bytes.put('sent', new ArrayBuffer(9), { cached: true })
    await device.bytes.put('stray', new ArrayBuffer(9))
    const { name } = device.db
    await app.close(device)
    app.phone.now += 2 * HOUR
    expect(await left(name)).toBe(true)
    const again = await app.open({ online: false })
    expect([...(await again.bytes.keys(Infinity))]).toEqual([key])
    expect((await again.bytes.get(key))?.byteLength).toBeGreaterThan(0)
    expect((await again.db.photos.findOne(key).exec())?.unsent).toBe('yes')
  })

  test(
    'a photo that a form marks 削除 is still marked at the next login, and goes with its save',
    async () => {
      app.phone.parents = fakeParents()
      const device = await app.open()
      const request = nth(await app.freeRequests(device), 0)
      await saveNote(device.saver(), request, { note: 'ふたが重い' }, null, NOTE)
      const target = {
        resource: 'noteLocationAreas',
        recordKey: NOTE,
        requestId: request.id,
        workingDate: '',
      }
      const photo = await take(device, 'a.jpg', 1, target)
      await app.sent(device)
      await photosSent(device)
      await markUnwanted(device.db, NOTE_FORM, photo)
      const { name } = device.db
      await app.close(device)
      app.phone.now += 2 * HOUR
      expect(await left(name)).toBe(true)

      const again = await app.open()
      expect(await draftOf(again.db, NOTE_FORM)).toMatchObject({ unwanted: [photo] })
      expect((await again.db.photos.findOne(photo).exec())?.unsent).toBe('no')
      expect(await again.bytes.get(photo)).toBeUndefined()
      await until(async () => (await again.db.requests.count().exec()) > 10, LIMIT_MS)
      // the screen shows the listed photo of the folder once
      await requestPhotos(again.db, (app.phone.now += 1), target)
      await until(
        async () =>
          (await again.db.interests.findOne(photosRequestKey('noteLocationAreas', NOTE)).exec())?.state ===
          'answered',
      )
      expect(await again.db.photos.count().exec()).toBe(1)
      const note = await viewIn(again.db, 'noteLocationAreas', NOTE)
      const edit = (saver: Saver) => saveNote(saver, request, { note: '重いふた' }, note)
      await saveForm(again, NOTE_FORM, target, edit)
      await photosSent(again)
      expect(await filesOf(app)).toEqual([])
    },
    3 * LIMIT_MS,
  )

  test('[EX1b] a draft goes a day after it was touched; what is unsent never', async () => {
    const device = await app.open({ online: false })
    await storeValues(device.db, DRAFT, { text: '打ちかけ' })
    const { name } = device.db
    await app.close(device)
    expect(await left(name, { drafts: Date.now() - HOUR })).toBe(true)
    expect(await left(name, { drafts: Date.now() + HOUR })).toBe(false)
  })

  test('[SV3] what cannot be read is left as it is, all of it', async () => {
    const device = await app.open({ online: false })
    const { name } = device.db
    await device.db.changes.count().exec()
    await app.close(device)
    const before = (await storage().databases()).length
    const broken = new Proxy(storage(), {
      get(target, property) {
        if (property !== 'open') {
          const value: unknown = Reflect.get(target, property)
          return typeof value === 'function' ? (value.bind(target) as unknown) : value
        }
        return (database: string) => {
          if (database.endsWith('--changes')) throw new DOMException('broken', 'UnknownError')
          return target.open(database)
        }
      },
    })
    await expect(leaveUnsentOnly(broken, name, { drafts: 0, bytes: 0 })).rejects.toThrow('broken')
    expect(await storage().databases()).toHaveLength(before)
  })
})

test('[EX6] everyone with something on the device is found by the names of the stores', async () => {
  const indexedDB = new IDBFactory()
  const names = [
    'rxdb-dexie-genba-00000000000000aa--0--requests',
    'rxdb-dexie-genba-00000000000000aa--0--drafts',
    'genba-photos-00000000000000bb',
    'genba-answers-00000000000000cc',
    'genba-device',
    'genba-diagnostics',
    'genba-demo-crm',
  ]
  for (const name of names) {
    const db = new Dexie(name, { indexedDB })
    db.version(1).stores({ docs: 'key' })
    await db.open()
    db.close()
  }
  expect((await usersOnDevice(indexedDB)).toSorted()).toEqual(
    ['aa', 'bb', 'cc'].map((end) => `genba-00000000000000${end}`),
  )
})
