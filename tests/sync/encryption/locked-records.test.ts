/**
 * What comes back from 封印中 meets what was read and saved meanwhile: one record for each id of the CRM
 * (decisions/encryption).
 */
import { blankProgress, effectiveChanges } from '#schemas/changes/change-queue.ts'
import { IDBKeyRange } from 'fake-indexeddb'
import { expect, onTestFinished, test, vi } from 'vitest'
import type { AnyChange } from '#schemas/change.ts'
import type { NoteRecord } from '#schemas/resources/note-location-area.ts'
import { putDraft } from '#data/drafts/drafts.ts'
import { createRestorer } from '#data/locked/locked-data.ts'
import { joinedChanges } from '#data/locked/joined-changes.ts'
import type { LockedRow } from '#data/locked/locked-rows.ts'
import { putRecord } from '#data/locked/put-record.ts'
import { photoProgress$ } from '#data/photos/photos.ts'
import { storedOf } from '#schemas/changes/record-view.ts'
import { lockRows } from '#data/locked/locked-rows.ts'
import { restoreRows } from '#data/locked/restore-rows.ts'
import { steps } from '#schemas/migrations/steps.ts'
import { saveNote } from '#features/note-location-area/commands.ts'
import { asideOf } from '../../support/locked-data.ts'
import type { Device } from '../../support/device.ts'
import { take } from '../../support/photos.ts'
import { nth, todayScene } from '../../support/replication.ts'
import { dataKey, sealedBy, sealerOf } from '../../support/seal-keys.ts'
import { acceptChange, storeView, viewIn, viewsIn } from '../../support/stored-views.ts'

const app = todayScene()
const [KEY, OTHER] = [await dataKey('k-1'), await dataKey('k-2')]
const [MADE, READ] = ['zz-made-here', 's-1']
const PLACE = { id: 'r-1', locationAreaId: 'area-1' }
const reported: string[] = []
const report = (problem: unknown) => void reported.push(String(problem))

const noteAt = (key: string, note: string, stamp: string): NoteRecord => ({
  key,
  requestId: 'r-1',
  workingDate: '',
  locationAreaId: 'area-1',
  noteType: '1',
  serverId: READ,
  changes: [],
  unsent: 'no',
  server: {
    ...{ id: READ, note, stamp, detailed: true, openFlag: '1', createdDisplayName: null, loginUserId: null },
    ...{ createdAt: '2026-11-20T08:00:00+09:00', filePath: null, name: 'N-1', noteLocationFolderId: 'f-1' },
  },
})

const ofRecord = (key: string) => ({ resource: 'noteLocationAreas', recordKey: key, workingDate: '' })
const edit = async (device: Device, key: string, note: string) => {
  await saveNote(device.saver(), PLACE, { note }, await viewIn(device.db, 'noteLocationAreas', key))
}

/** A note that the CRM has, edited, and one that it does not have, each with a photo: all of it locked. */
async function locked(more: (device: Device) => Promise<unknown> = async () => undefined) {
  app.phone.storageOptions = sealedBy(sealerOf(KEY))
  const device = await app.open({ online: false })
  await storeView(device.db, 'noteLocationAreas', noteAt(MADE, '初め', '0'))
  await edit(device, MADE, '先の変更')
  await take(device, 'a.jpg', 1, ofRecord(MADE))
  await saveNote(device.saver(), PLACE, { note: '新しい' }, null, 'zz-new')
  await take(device, 'b.jpg', 2, ofRecord('zz-new'))
  await more(device)
  const { name: user } = device.db
  await app.close(device)
  const { indexedDB } = app.phone.storage
  await lockRows({ indexedDB, ranges: IDBKeyRange, user, isOpen: () => false })
  app.phone.storageOptions = sealedBy(sealerOf(OTHER))
  const again = await app.open({ online: false })
  const { db, bytes } = again
  return { again, indexedDB, user, parts: { db, bytes, cryptography: crypto, keys: [KEY], steps, report } }
}

const notesOn = ({ db }: Device) => viewsIn(db, 'noteLocationAreas')
const photosOn = async ({ db }: Device) =>
  (await db.photos.find().exec()).map(({ name, recordKey }) => `${name.slice(-5)} of ${recordKey}`).toSorted()

test('[PL3][SV3] a record that was read meanwhile is one with the locked one: its edit, photos and draft go along, the later edit counts', async () => {
  const { again, indexedDB, user, parts } = await locked()
  await storeView(again.db, 'noteLocationAreas', noteAt(READ, '初め', '1'))
  await edit(again, READ, '後の変更')
  await take(again, 'c.jpg', 3, ofRecord(READ))
  await putDraft(
    again.db,
    { key: `noteLocationArea/edit/${READ}`, values: { note: '途中' } },
    { photos: [], unwanted: [] },
  )
  await restoreRows(await asideOf(indexedDB, user), parts)
  const notes = await notesOn(again)
  expect(notes.map(({ key }) => key).toSorted()).toEqual([MADE, 'zz-new'])
  const [made] = notes.filter(({ key }) => key === MADE)
  expect(effectiveChanges(made?.changes ?? []).map(({ fields }) => fields)).toEqual([{ note: '後の変更' }])
  expect(made?.server?.stamp).toBe('1')
  expect(await photosOn(again)).toEqual([`a.jpg of ${MADE}`, 'b.jpg of zz-new', `c.jpg of ${MADE}`])
  const drafts = await again.db.drafts.find().exec()
  expect(drafts.map(({ key }) => key)).toEqual([`noteLocationArea/edit/${MADE}`])
  expect(reported).toEqual([])
})

test('[ST1a] 写真 n / m枚 follows the photos of a record that becomes one with another, on a screen that is open', async () => {
  const device = await app.open({ online: false })
  await storeView(device.db, 'noteLocationAreas', noteAt(READ, '初め', '1'))
  const counted: string[][] = []
  const watching = photoProgress$(device.db).subscribe((all) =>
    counted.push(all.map(({ recordKey, total }) => `${total} of ${recordKey}`)),
  )
  onTestFinished(() => watching.unsubscribe())
  await take(device, 'a.jpg', 1, ofRecord(READ))
  await vi.waitFor(() => expect(counted.at(-1)).toEqual([`1 of ${READ}`]))
  await putRecord(device.db, 'noteLocationAreas', storedOf(noteAt(MADE, '初め', '0')))
  expect(await photosOn(device)).toEqual([`a.jpg of ${MADE}`])
  await vi.waitFor(() => expect(counted.at(-1)).toEqual([`1 of ${MADE}`]))
})

test('[MG1] a locked edit is not sent over a later one that the CRM has accepted from here', async () => {
  const { again, indexedDB, user, parts } = await locked()
  await storeView(again.db, 'noteLocationAreas', noteAt(READ, '初め', '1'))
  await edit(again, READ, '後の変更')
  const { id, stamp } = nth((await viewIn(again.db, 'noteLocationAreas', READ)).changes, 0)
  await acceptChange(again.db, id, { ...noteAt(READ, '後の変更', stamp).server })
  await restoreRows(await asideOf(indexedDB, user), parts)
  const [made] = (await notesOn(again)).filter(({ serverId }) => serverId === READ)
  expect(made).toMatchObject({ key: MADE, changes: [], unsent: 'no', server: { note: '後の変更' } })
})

test('[SV3] a deletion of a photo that was only listed is locked, and the folder is listed anew: it is still to go, and there once', async () => {
  const listed = (stamp: string) => ({
    ...{
      key: 'store-1',
      requestId: 'r-1',
      name: 'd.jpg',
      placeInfo: '',
      createDate: '',
      size: 0,
      type: '' as const,
    },
    ...{ resource: 'noteLocationAreas', recordKey: MADE, workingDate: '', bytesAsked: 'no' as const },
    ...{
      fileSeq: '7',
      folderId: 'f-9',
      storeName: 'd.jpg',
      savedAt: '',
      userId: 'u6',
      offline: false,
      stamp,
      ...blankProgress(''),
    },
  })
  const { again, indexedDB, user, parts } = await locked((device) =>
    device.db.photos.insert({ ...listed('5'), wanted: 'deleted', unsent: 'yes' }),
  )
  await storeView(again.db, 'noteLocationAreas', noteAt(READ, '初め', '1'))
  const anew = { ...listed(''), wanted: 'kept', state: 'accepted', unsent: 'no' } as const
  await again.db.photos.insert({ ...anew, key: 'store-2', recordKey: READ })
  await restoreRows(await asideOf(indexedDB, user), parts)
  const photos = (await again.db.photos.find().exec()).filter(({ fileSeq }) => fileSeq === '7')
  expect(photos.map(({ wanted, state, stamp, recordKey }) => ({ wanted, state, stamp, recordKey }))).toEqual([
    { wanted: 'deleted', state: 'waiting', stamp: '5', recordKey: MADE },
  ])
})

/** Every order of a few rows would be too many: so many of them. */
const ORDERS = 6

/** The same rows in an order of their own for each seed. */
const shuffled = (rows: readonly LockedRow[], seed: number) =>
  rows
    .map((row, i) => ({ row, at: Math.sin((i + 1) * (seed + 1) * 12.9898) }))
    .toSorted((a, b) => a.at - b.at)
    .map(({ row }) => row)

test.each(Array.from({ length: ORDERS }, (_, seed) => seed))(
  '[SV3][OR2] in any order, cut short after any row, a record comes back before its photos and each of them once (order %i)',
  async (seed) => {
    const { again, indexedDB, user, parts } = await locked()
    const isRead = seed % 2 === 0
    if (isRead) {
      await storeView(again.db, 'noteLocationAreas', noteAt(READ, '初め', '1'))
      await take(again, 'c.jpg', 3, ofRecord(READ))
    }
    const without: string[] = []
    const watched = again.db.photos.$.subscribe(({ operation, documentData: { recordKey, resource } }) => {
      if (operation !== 'INSERT' || resource !== 'noteLocationAreas') return
      // as the lane would look for it, at that moment
      void viewsIn(again.db, resource, { key: recordKey }).then(
        (found) => found.length > 0 || without.push(recordKey),
      )
    })
    let left = 0
    const killed = () => {
      left -= 1
      if (left === 0) throw new Error('killed')
    }
    const rows = await asideOf(indexedDB, user)
    for (let cut = 1; cut <= rows.length + 1; cut += 1) {
      left = cut
      const now = shuffled(await asideOf(indexedDB, user), seed + cut)
      const restorer = createRestorer({ indexedDB, ...parts })
      await restoreRows(now, parts, async () => killed()).then(
        () => restorer.restore([KEY]),
        () => undefined,
      )
    }
    watched.unsubscribe()
    expect(await asideOf(indexedDB, user)).toEqual([])
    expect(without).toEqual([])
    const notes = await notesOn(again)
    expect(notes.map(({ key }) => key).toSorted()).toEqual([MADE, 'zz-new'])
    expect(notes.map(({ changes }) => changes.length)).toEqual([1, 1])
    const photos = [`a.jpg of ${MADE}`, 'b.jpg of zz-new', ...(isRead ? [`c.jpg of ${MADE}`] : [])]
    expect(await photosOn(again)).toEqual(photos)
  },
)

const change = (id: string, stamp: string, fields: object, base?: object): AnyChange => ({
  ...{ id, stamp, savedAt: '', userId: 'u', offline: false, kind: 'edit', fields },
  ...(base && { madeOn: { stamp: '0', fields: base } }),
})
const state = (stamp: string, content: object, changes: AnyChange[] = []) => ({
  server: { stamp, ...content },
  changes,
})
const BASE = { a: '0', b: '0' }

test.each([
  ['of two unsent edits the later one has both', '5', '6', '', { a: 'back', b: 'here' }],
  ['whichever of them was locked', '6', '5', '', { a: 'back', b: 'here' }],
])('[MG1] joined: %s', (_, back, here, lastEdit, fields) => {
  const record = state('1', BASE, [change('h', here, { a: '0', b: 'here' }, BASE)])
  const locked = [change('b', back, { a: 'back', b: '0' }, BASE)]
  const joined = joinedChanges(record, locked, lastEdit)
  expect(effectiveChanges(joined).at(-1)?.fields).toEqual(fields)
  // joined once more it is the same
  expect(joinedChanges({ ...record, changes: joined }, locked, lastEdit)).toEqual(joined)
})

test('[MG1] joined: a field that nobody has changed since is still changed by the locked edit', () => {
  const locked = [change('b', '5', { a: 'back', b: 'back' }, BASE)]
  expect(joinedChanges(state('6', { a: 'sent', b: '0' }), locked, '6')).toEqual([
    { ...change('b', '5', { a: 'sent', b: 'back' }), madeOn: { stamp: '0', fields: { a: 'sent', b: '0' } } },
  ])
})

/** An exit leaves the entry time as it is, which it says by null. */
const UNTOUCHED = { inTime: null }
const ENTERED = { a: '0', b: '0', inTime: '08:00' }

test('[MG2] joined: of a locked exit nothing is left where a later one of this device was sent', () => {
  const locked = [change('b', '5', { a: 'back', b: 'back', ...UNTOUCHED }, ENTERED)]
  expect(joinedChanges(state('6', { a: 'sent', b: 'sent', inTime: '08:00' }), locked, '6')).toEqual([])
})

test('[MG2] joined: the entry time that only the earlier of two unsent edits changed is kept', () => {
  const record = state('1', ENTERED, [change('h', '6', { a: 'here', ...UNTOUCHED }, ENTERED)])
  const joined = joinedChanges(record, [change('b', '5', { a: '0', inTime: '08:05' }, ENTERED)], '')
  expect(effectiveChanges(joined).at(-1)?.fields).toEqual({ a: 'here', inTime: '08:05' })
})
