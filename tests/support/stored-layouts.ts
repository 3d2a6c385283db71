/**
 * What phones have stored, one file for every layout of the collections there ever was: the storage of a phone with an
 * entry sent and, without signal, an entry, an exit, one save of each record, one that the CRM refused, photos sent and
 * unsent, drafts with and without a photo. Made by the code of that layout (`npm run schemas -- --fixture`), never changed.
 */
import { IDBFactory } from 'fake-indexeddb'
import { isOfKind, kindNames } from '#schemas/collections/shared.ts'
import { addDraftPhoto, storeValues } from '#data/drafts/drafts.ts'
import { saveEmergencyReport } from '#features/emergency-report/commands.ts'
import { newPhone, until, type Device } from './device.ts'
import { jpeg, take } from './photos.ts'
import { EMERGENCY, isOpen, recordCases } from './record-saves.ts'
import type { StoredFile } from './stored-files.ts'
import { enter, leave, nth, NOW, statesOf, TODAY, type Replication } from './replication.ts'
import { dumpStorage, restoreStorage, type StorageDump } from './storage-dump.ts'

const NUMBER = 900
/** Of the user demo6 on the phone of the fixtures. */
export const STORED_DATABASE = `phone${NUMBER}-u-1006`
export const DRAFT_PHOTO = 'draft-photo'

/** The phone that has this stored, signed in. */
export async function phoneWith(app: Replication, { text }: StoredFile): Promise<IDBFactory> {
  const indexedDB = new IDBFactory()
  await restoreStorage(indexedDB, text)
  app.phone = newPhone(NOW, { number: NUMBER, indexedDB, memory: new Map() })
  await app.phone.signIn()
  return indexedDB
}

/** A day of today's code on a new phone. @returns its storage */
export async function storedByToday(app: Replication): Promise<string> {
  app.phone = newPhone(NOW, { number: NUMBER, indexedDB: new IDBFactory(), memory: new Map() })
  app.phone.keepsAnswers = true
  const device = await app.open()
  const free = (await app.freeRequests(device)).filter(isOpen)
  const kept = free.slice(0, 3)
  const [first, second, third] = [nth(kept, 0), nth(kept, 1), nth(kept, 2)]
  await enter(device, first)
  await app.sent(device)
  await until(async () => (await device.db.pastReports.find().exec()).length > 0)
  await app.crm.faults.add({
    id: 'no',
    kind: 'status',
    status: 202,
    body: { message: 'ec00030' },
    path: 'emergencyReport/',
    method: 'POST',
    count: 'always',
  })
  const refused = 'refused-report'
  await saveEmergencyReport(device.saver(), third, EMERGENCY, null, refused)
  await until(async () => (await statesOf(device)).join() === 'failed')
  await app.crm.faults.clear()
  device.network.next(false)
  await leave(device, [first])
  await enter(device, second)
  for (const { save } of recordCases) await save(device, second)
  await photosAndDrafts(device, refused, second.id)
  const all = (await device.db.requests.find().exec()).map(({ key }) => key)
  await app.close(device)
  const dropped = all.filter((key) => !kept.some((request) => request.key === key))
  return lessOf(await dumpStorage(app.phone.storage.indexedDB), dropped)
}

async function photosAndDrafts(device: Device, recordKey: string, requestId: string): Promise<void> {
  await take(device, 'a.jpg', 1, { resource: 'emergencyReports', recordKey, requestId })
  await take(device, 'b.jpg', 2, { resource: 'emergencyReports', recordKey, requestId })
  await storeValues(device.db, `noteLocationArea/add/${requestId}`, { note: '書きかけ' })
  const photo = {
    key: DRAFT_PHOTO,
    name: 'c.jpg',
    placeInfo: '',
    takenAt: `${TODAY}T09:00:00+09:00`,
    size: 3_000,
    type: 'image/jpeg',
  } as const
  const place = { db: device.db, bytes: device.bytes }
  await addDraftPhoto(place, `emergencyReport/add/${requestId}`, photo, { bytes: jpeg(3), thumb: undefined })
}

/** Enough of what others wrote, of the requests only those that the day is about. */
function lessOf(text: string, dropped: readonly string[]): string {
  const dumps = JSON.parse(text) as StorageDump
  const isKept = ({ key, value }: { key: unknown; value: unknown }) =>
    !dropped.some((visit) => String(key).includes(visit) || JSON.stringify(value).includes(`"${visit}"`))
  for (const { name, stores } of dumps)
    for (const store of stores) {
      store.rows = store.rows.filter(isKept)
      if (/noteLocationAreas|lookups|answers|ChangeRequests|rx-replication/.test(name))
        store.rows = firstOfEach(store.rows)
    }
  return `${JSON.stringify(dumps)}\n`
}

type StoredRow = StorageDump[number]['stores'][number]['rows'][number]

/** Of each store, and of each kind in a shared one, the first six, and what is unsent. */
function firstOfEach(rows: readonly StoredRow[]): StoredRow[] {
  const kindIn = ({ key }: StoredRow) =>
    kindNames.find((kind) => typeof key === 'string' && isOfKind(kind, key))
  const isKept = (row: object, i: number) => i < 6 || /"yes"|"isCheckpoint":"1"/.test(JSON.stringify(row))
  return [undefined, ...kindNames].flatMap((kind) =>
    rows.filter((row) => kindIn(row) === kind).filter(isKept),
  )
}
