/**
 * What a password of before sealed is 封印中: it stays whole, and comes back when that password opens it
 * (decisions/encryption).
 */
import { afterEach, expect, test, vi } from 'vitest'
import { IDBKeyRange, IDBObjectStore } from 'fake-indexeddb'
import { rxSchemas } from '#schemas/collections/collections.ts'
import { steps } from '#schemas/migrations/steps.ts'
import { draftOf, storeValues } from '#data/drafts/drafts.ts'
import { askRefresh } from '#data/fetch-requests/interests.ts'
import { isCounted, sealedIn, deleteLocked, type LockedRow, lockRows } from '#data/locked/locked-rows.ts'
import { createSealer, ringOf, type Sealer } from '#data/encryption/key-ring.ts'
import type { DataKey } from '#data/encryption/seal.ts'
import { createRestorer } from '#data/locked/locked-data.ts'
import { restoreRows } from '#data/locked/restore-rows.ts'
import { hasUnsent, leaveUnsentOnly } from '#data/user-stores/user-stores.ts'
import { saveNote } from '#features/note-location-area/commands.ts'
import { asideOf } from '../../support/locked-data.ts'
import { beforeEachSave } from '../../support/disk-writes.ts'
import { until, type Device } from '../../support/device.ts'
import { grownLayout } from '../../support/grown-layout.ts'
import { take } from '../../support/photos.ts'
import { enter, IN_TIME, leave, ledgerOf, nth, todayScene } from '../../support/replication.ts'
import { dataKey, sealedBy } from '../../support/seal-keys.ts'
import { reportOn, requestOn } from '../../support/visit-records.ts'
import { storeView, viewsIn } from '../../support/stored-views.ts'

const app = todayScene()
const LIMIT_MS = 60_000
const DRAFT = 'emergencyReport/add/r-1'
const UNTIL = { drafts: 0, bytes: 0 }
const TYPED = '打ちかけの内容'
const EDITED = '直した内容'
const isOurs = (note: string | null) => note === TYPED || note === EDITED

const [KEY, OTHER] = [await dataKey('k-1'), await dataKey('k-2')]
const sealerOf = (...keys: DataKey[]): Sealer => createSealer(crypto, ringOf(...keys))

const reported: string[] = []
const report = (problem: unknown) => void reported.push(String(problem))

afterEach(() => {
  vi.restoreAllMocks()
  reported.length = 0
})

test(
  '[SV3] under a changed password: set aside before anything is read, kept when swept, and sent once the old one opens it',
  async () => {
    app.phone.storageOptions = sealedBy(sealerOf(KEY))
    const device = await app.open()
    const request = nth(await app.freeRequests(device), 0)
    device.network.next(false)
    await enter(device, request)
    await storeValues(device.db, DRAFT, { text: TYPED })
    const photo = await take(device, 'IMG_秘密.jpg', 1)
    const { name: user } = device.db
    await app.close(device)
    const { indexedDB } = app.phone.storage
    await leaveUnsentOnly(indexedDB, user, UNTIL)
    const aside = { indexedDB, ranges: IDBKeyRange, user, isOpen: (id: string) => id === OTHER.id }
    vi.spyOn(IDBObjectStore.prototype, 'delete').mockImplementationOnce(() => {
      throw new DOMException('killed', 'AbortError')
    })
    await expect(lockRows(aside)).rejects.toThrow('killed')
    vi.restoreAllMocks()
    await lockRows(aside)
    const rows = await asideOf(indexedDB, user)
    expect(rows.filter(isCounted)).toHaveLength(3)

    app.phone.storageOptions = sealedBy(sealerOf(OTHER))
    const again = await app.open()
    expect(await draftOf(again.db, DRAFT)).toBeNull()
    expect(await again.queue()).toEqual([])
    await until(async () => (await again.db.requests.count().exec()) > 10, LIMIT_MS)
    const back = { db: again.db, bytes: again.bytes, cryptography: crypto, keys: [KEY], steps, report }
    expect(await restoreRows(rows, { ...back, keys: [await dataKey('k-3')] })).toEqual([])
    const order: string[] = []
    again.db.$.subscribe(({ collectionName = '', operation }) => {
      // the others are what the sync reads meanwhile
      const isRestored = ['own', 'changes', 'photos'].includes(collectionName)
      if (operation === 'INSERT' && isRestored) order.push(collectionName)
    })
    // killed before it was noted: done twice it changes nothing
    await restoreRows(rows.toReversed(), back)
    expect(order).toEqual(['own', 'changes', 'photos'])
    await deleteLocked(indexedDB, user, await restoreRows(rows, back))
    expect(await asideOf(indexedDB, user)).toEqual([])
    expect(await draftOf(again.db, DRAFT)).toMatchObject({ values: JSON.stringify({ text: TYPED }) })
    expect((await again.bytes.get(photo))?.byteLength).toBeGreaterThan(0)
    await app.sent(again)
    expect(await app.reports(request.id)).toHaveLength(1)
  },
  2 * LIMIT_MS,
)

/** One byte of what is sealed in it is another. */
function damage(aside: LockedRow): LockedRow {
  const row = structuredClone(aside.row)
  const [sealed] = sealedIn({ ...aside, row })
  if (!sealed) throw new Error('nothing is sealed in it')
  const bytes = new Uint8Array(sealed.bytes)
  bytes[20] = (bytes[20] ?? 0) ^ 1
  return { ...aside, row }
}

test.each([
  ['the bytes of a photo', 'bytes', ['bytes', 'photos']],
  ['a change', 'changes', ['changes']],
  ['a draft', 'own drafts/', ['own']],
])(
  '[SV3] %s that is spoiled stays aside with what needs it and what it needs, and is reported; all else comes back',
  async (_, spoiled, staying) => {
    app.phone.storageOptions = sealedBy(sealerOf(KEY))
    const device = await app.open({ online: false })
    await enter(device, requestOn('1', '2026-11-20'))
    await storeValues(device.db, DRAFT, { text: TYPED })
    await take(device, 'IMG.jpg', 1)
    const { name: user } = device.db
    await app.close(device)
    const { indexedDB } = app.phone.storage
    await lockRows({ indexedDB, ranges: IDBKeyRange, user, isOpen: () => false })
    const rows = await asideOf(indexedDB, user)
    const place = ({ collection, row }: LockedRow) => `${collection} ${String(row['rowKey'] ?? row['key'])}`
    const damaged = rows.map((each) => (place(each).startsWith(spoiled) ? damage(each) : each))
    app.phone.storageOptions = sealedBy(sealerOf(OTHER))
    const { db, bytes } = await app.open({ online: false })
    const ids = await restoreRows(damaged, { db, bytes, cryptography: crypto, keys: [KEY], steps, report })
    const left = rows.filter(({ id }) => !ids.includes(id))
    expect(left.map(({ collection }) => collection).toSorted()).toEqual(staying.toSorted())
    expect(reported).toEqual([expect.stringContaining('stays locked')])
    expect(rows.length - left.length).toBeGreaterThan(1)
  },
)

test('[SV3] a record that is set aside under one password and then under another has the changes of both', async () => {
  const request = requestOn('1', '2026-11-20')
  const { indexedDB } = app.phone.storage
  const savedUnder = async (key: DataKey, save: (device: Device) => Promise<unknown>) => {
    app.phone.storageOptions = sealedBy(sealerOf(key))
    const device = await app.open({ online: false })
    await save(device)
    const { name: user } = device.db
    await app.close(device)
    await lockRows({ indexedDB, ranges: IDBKeyRange, user, isOpen: () => false })
    return user
  }
  await savedUnder(KEY, (device) => enter(device, request))
  // read from the CRM meanwhile
  const user = await savedUnder(OTHER, async (device) => {
    await storeView(device.db, 'quickReports', reportOn('1', { inTime: IN_TIME }))
    await leave(device, [request])
  })
  const rows = await asideOf(indexedDB, user)
  app.phone.storageOptions = sealedBy(sealerOf(await dataKey('k-3')))
  const { db, bytes } = await app.open({ online: false })
  const back = { db, bytes, cryptography: crypto, steps, report }
  const changes = async () => (await viewsIn(db, 'quickReports')).flatMap((doc) => doc.changes)
  await restoreRows(rows, { ...back, keys: [OTHER] })
  expect((await changes()).map(({ kind }) => kind)).toEqual(['exit'])
  await restoreRows(rows, { ...back, keys: [KEY] })
  expect((await changes()).map(({ kind }) => kind).toSorted()).toEqual(['entry', 'exit'])
  expect(reported).toEqual([])
})

test('[OC1][SV3] the page dies while much is taken back: what is in its place already, and may be sent, does not come back a second time', async () => {
  app.phone.storageOptions = sealedBy(sealerOf(KEY))
  const device = await app.open({ online: false })
  for (const id of ['1', '2']) await enter(device, requestOn(id, '2026-11-20'))
  const { name: user } = device.db
  await app.close(device)
  const { indexedDB } = app.phone.storage
  await lockRows({ indexedDB, ranges: IDBKeyRange, user, isOpen: () => false })
  app.phone.storageOptions = sealedBy(sealerOf(OTHER))
  const { db, bytes } = await app.open({ online: false })
  const entries = async () => (await asideOf(indexedDB, user)).filter(isCounted)
  expect(await entries()).toHaveLength(2)
  // the second is never written, and nothing comes after it
  let written = 0
  beforeEachSave(db, async () => {
    written += 1
    if (written > 1) await new Promise<never>(() => undefined)
  })
  const restorer = createRestorer({ indexedDB, db, bytes, cryptography: crypto, report })
  void restorer.restore([KEY])
  await until(() => written > 1)
  const [there] = await viewsIn(db, 'quickReports')
  expect((await entries()).map(({ key }) => key)).not.toContain(there?.changes[0]?.id)
  expect(await entries()).toHaveLength(1)
})

test.each([
  ['', false],
  [' and edited there', true],
])(
  '[OC9][PL3] a note in doubt that was set aside, and read back as a row of its own meanwhile%s, is not posted a second time',
  async (_, isEdited) => {
    app.phone.storageOptions = sealedBy(sealerOf(KEY))
    app.phone.haste = 20
    const device = await app.open()
    const request = nth(await app.freeRequests(device), 0)
    await app.crm.faults.add({
      id: 'lost',
      kind: 'lostAnswer',
      method: 'POST',
      path: '/noteLocationArea/',
      count: 'always',
    })
    await saveNote(device.saver(), request, { note: TYPED })
    const inCrm = async () => (await app.crm.inspect()).notes.filter(({ note }) => isOurs(note))
    await until(async () => (await ledgerOf(device)).some(({ state }) => state === 'unknown'))
    const { name: user } = device.db
    await app.close(device)
    await app.crm.faults.remove('lost')
    const { indexedDB } = app.phone.storage
    await lockRows({ indexedDB, ranges: IDBKeyRange, user, isOpen: (id) => id === OTHER.id })

    app.phone.storageOptions = sealedBy(sealerOf(OTHER))
    const again = await app.open()
    const here = async () =>
      (await viewsIn(again.db, 'noteLocationAreas')).filter(({ server }) => server && isOurs(server.note))
    await until(async () => (await here()).some(({ key, serverId }) => key === serverId), LIMIT_MS)
    const { db, bytes } = again
    if (isEdited) {
      again.network.next(false)
      const [read] = await here()
      await saveNote(again.saver(), request, { note: EDITED }, read)
    }
    const rows = await asideOf(indexedDB, user)
    await restoreRows(rows, { db, bytes, cryptography: crypto, keys: [KEY], steps, report })
    again.network.next(true)
    await app.sent(again)
    expect((await inCrm()).map(({ note }) => note)).toEqual([isEdited ? EDITED : TYPED])
    app.phone.now += 60_000
    await askRefresh(again.db, app.phone.now)
    await until(async () => (await here()).length === 1)
    expect((await here()).map(({ key, serverId }) => key === serverId)).toEqual([false])
  },
)

/** A phone with a draft only, which is 封印中. */
async function draftSetAside() {
  app.phone.storageOptions = sealedBy(sealerOf(KEY))
  const device = await app.open({ online: false })
  await storeValues(device.db, DRAFT, { text: TYPED })
  const user = device.db.name
  await app.close(device)
  const { indexedDB } = app.phone.storage
  await lockRows({ indexedDB, ranges: IDBKeyRange, user, isOpen: () => false })
  return { indexedDB, user }
}

test('[SV3] what was set aside before a migration is taken back as the migration would have left it', async () => {
  const { indexedDB, user } = await draftSetAside()
  const rows = await asideOf(indexedDB, user)
  const layout = grownLayout({ schemas: rxSchemas, migrations: steps }, undefined, ['own'])
  app.phone.storageOptions = sealedBy(sealerOf(OTHER))
  const { db, bytes } = await app.open({ online: false, layout })
  const back = { db, bytes, cryptography: crypto, keys: [KEY], report }
  expect(await restoreRows(rows, { ...back, steps })).toEqual([])
  expect(reported).toEqual([expect.stringContaining('no step')])
  expect(await draftOf(db, DRAFT)).toBeNull()
  await restoreRows(rows, { ...back, steps: layout.migrations })
  expect(await draftOf(db, DRAFT)).toMatchObject({ values: JSON.stringify({ text: TYPED }) })
  const [row] = await db.own.find().exec()
  expect(row?.toJSON()).toHaveProperty('grown')
})

test('[SV3] what is set aside stays when its user is swept', async () => {
  const { indexedDB, user } = await draftSetAside()
  expect(await leaveUnsentOnly(indexedDB, user, { drafts: Infinity, bytes: 0 })).toBe(true)
  expect(await hasUnsent(indexedDB, user, UNTIL)).toBe(true)
  expect((await asideOf(indexedDB, user)).filter(isCounted)).toHaveLength(1)
})

test('[EX6] where nothing was set aside nothing is left of a user who is swept, by name neither', async () => {
  app.phone.storageOptions = sealedBy(sealerOf(KEY))
  const device = await app.open({ online: false })
  const { name: user } = device.db
  await app.close(device)
  const { indexedDB } = app.phone.storage
  await lockRows({ indexedDB, ranges: IDBKeyRange, user, isOpen: () => true })
  expect(await leaveUnsentOnly(indexedDB, user, { drafts: Infinity, bytes: 0 })).toBe(false)
  const names = (await indexedDB.databases()).map(({ name }) => name ?? '')
  expect(names.filter((name) => name.includes(user.replace('genba-', '')))).toEqual([])
})
