/**
 * What comes back from 封印中 meets what was read and saved meanwhile: one record for each id of the CRM
 * (decisions/encryption).
 */
import { blankFacts, blankProgress, effectiveChanges } from '#schemas/changes/change-queue.ts'
import { expect, test } from 'vitest'
import type { Change } from '#schemas/change.ts'
import type { NoteRecord } from '#schemas/resources/note-location-area.ts'
import { putDraft } from '#data/drafts/drafts.ts'
import { joinedChanges } from '#data/locked/earlier-edit.ts'
import { takeOver } from '#data/locked/take-over.ts'
import { saveNote } from '#features/note-location-area/commands.ts'
import { killedOnTheWay } from '../../support/dying.ts'
import { lockedOf, takingOver } from '../../support/locked-data.ts'
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
  const { name: stores } = device.db
  await app.close(device)
  const { indexedDB } = app.phone.storage
  app.phone.storageOptions = sealedBy(sealerOf(OTHER))
  const again = await app.open({ online: false })
  const parts = takingOver(app.phone, again, report)
  return { again, left: () => lockedOf(indexedDB, stores), take: () => takeOver(parts, stores, KEY) }
}

const notesOn = ({ db }: Device) => viewsIn(db, 'noteLocationAreas')
const photosOn = async ({ db }: Device) =>
  (await db.photos.find().exec()).map(({ name, recordKey }) => `${name.slice(-5)} of ${recordKey}`).toSorted()

test('[PL3][SV3] a record that was read meanwhile is one with the locked one: its edit, photos and draft go along, the later edit counts', async () => {
  const { again, take: takeBack } = await locked((device) =>
    putDraft(
      device.db,
      { key: `noteLocationArea/photo/${MADE}`, values: { note: '前の途中' } },
      { photos: [], unwanted: [] },
    ),
  )
  await storeView(again.db, 'noteLocationAreas', noteAt(READ, '初め', '1'))
  await edit(again, READ, '後の変更')
  await take(again, 'c.jpg', 3, ofRecord(READ))
  await putDraft(
    again.db,
    { key: `noteLocationArea/edit/${READ}`, values: { note: '途中' } },
    { photos: [], unwanted: [] },
  )
  expect(await takeBack()).toEqual(new Set())
  const notes = await notesOn(again)
  expect(notes.map(({ key }) => key).toSorted()).toEqual([READ, 'zz-new'])
  const [read] = notes.filter(({ key }) => key === READ)
  expect(effectiveChanges(read?.changes ?? []).map(({ fields }) => fields)).toEqual([{ note: '後の変更' }])
  expect(read?.server?.stamp).toBe('1')
  expect(await photosOn(again)).toEqual([`a.jpg of ${READ}`, 'b.jpg of zz-new', `c.jpg of ${READ}`])
  const drafts = await again.db.drafts.find().exec()
  expect(drafts.map(({ key }) => key).toSorted()).toEqual([
    `noteLocationArea/edit/${READ}`,
    `noteLocationArea/photo/${READ}`,
  ])
  expect(reported).toEqual([])
})

test('[MG1] a locked edit is not sent over a later one that the CRM has accepted from here', async () => {
  const { again, take: takeBack } = await locked()
  await storeView(again.db, 'noteLocationAreas', noteAt(READ, '初め', '1'))
  await edit(again, READ, '後の変更')
  const { id, stamp } = nth((await viewIn(again.db, 'noteLocationAreas', READ)).changes, 0)
  await acceptChange(again.db, id, { ...noteAt(READ, '後の変更', stamp).server })
  expect(await takeBack()).toEqual(new Set())
  const [made] = (await notesOn(again)).filter(({ serverId }) => serverId === READ)
  expect(made).toMatchObject({ key: READ, changes: [], unsent: 'no', server: { note: '後の変更' } })
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
  const { again, take: takeBack } = await locked((device) =>
    device.db.photos.insert({ ...listed('5'), wanted: 'deleted', unsent: 'yes' }),
  )
  await storeView(again.db, 'noteLocationAreas', noteAt(READ, '初め', '1'))
  const anew = { ...listed(''), wanted: 'kept', state: 'accepted', unsent: 'no' } as const
  await again.db.photos.insert({ ...anew, key: 'store-2', recordKey: READ })
  expect(await takeBack()).toEqual(new Set())
  const photos = (await again.db.photos.find().exec()).filter(({ fileSeq }) => fileSeq === '7')
  expect(photos.map(({ wanted, state, stamp, recordKey }) => ({ wanted, state, stamp, recordKey }))).toEqual([
    { wanted: 'deleted', state: 'waiting', stamp: '5', recordKey: READ },
  ])
})

test.each([false, true])(
  '[SV3][OR2] killed at each write, a record comes back before its photos and each of them once (read meanwhile: %s)',
  async (isRead) => {
    const { again, left, take: takeBack } = await locked()
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
    expect(await killedOnTheWay(/./, takeBack)).toBeGreaterThan(5)
    watched.unsubscribe()
    expect(await left()).toEqual([])
    expect(without).toEqual([])
    const key = isRead ? READ : MADE
    const notes = await notesOn(again)
    expect(notes.map((note) => note.key).toSorted()).toEqual([key, 'zz-new'])
    expect(notes.map(({ changes }) => changes.length)).toEqual([1, 1])
    const photos = [`a.jpg of ${key}`, 'b.jpg of zz-new', ...(isRead ? [`c.jpg of ${key}`] : [])]
    expect(await photosOn(again)).toEqual(photos)
    expect(reported).toEqual([])
  },
)

/** An edit of a record, as it lies on a device. */
const change = (id: string, stamp: string, fields: object, over: Partial<Change> = {}): Change => ({
  ...{ id, stamp, savedAt: '', userId: 'u', offline: false, kind: 'edit', fields, own: {} },
  ...blankFacts({ record: { ...RECORD, key: 'q-1' }, change: { id, stamp, savedAt: '', kind: 'edit' } }),
  madeOn: { stamp: '0', fields: BASE },
  ...over,
})
const RECORD = { resource: 'quickReports', requestId: 'r-1', workingDate: '' }
const BASE = { a: '0', b: '0', inTime: '08:00' }
const NOW = '9'
const joined = (locked: Change[], here: Change[]) => joinedChanges(locked, here, () => NOW)
const accepted = { state: 'accepted' } as const

test.each([
  ['the edit here', '5', '6'],
  ['the locked edit', '6', '5'],
])('[MG1] of two unsent edits, %s being the later, one of now has the fields of both', (_, back, here) => {
  const record = [change('h', here, { a: '0', b: 'here' })]
  const locked = [change('b', back, { a: 'back', b: '0' })]
  const [one, ...others] = joined(locked, record)
  expect([one?.fields, one?.stamp, one?.id, others]).toEqual([{ a: 'back', b: 'here' }, NOW, 'b+', []])
  expect(one?.madeOn).toEqual({ stamp: '0', fields: BASE })
  // joined once more it is the same
  expect(joined(locked, [...record, ...(one ? [one] : [])])).toEqual([])
})

test.each([
  ['5', '6', 'here'],
  ['6', '5', 'back'],
])('[MG1] of two unsent edits of one field the later counts (locked %s, here %s)', (back, here, wanted) => {
  const record = [change('h', here, { a: 'here' })]
  const all = [...record, ...joined([change('b', back, { a: 'back' })], record)]
  expect(effectiveChanges(all).map(({ id, fields }) => ({ id, fields }))).toEqual([
    { id: wanted === 'here' ? 'h' : 'b', fields: { a: wanted } },
  ])
})

test('[MG1] a field that nobody has changed since is still changed by the locked edit, though a later one was sent', () => {
  const sent = change('h', '6', { a: 'sent', b: '0' }, accepted)
  const [one] = joined([change('b', '5', { a: 'back', b: 'back' })], [sent])
  expect([one?.fields, one?.madeOn]).toEqual([
    { a: 'sent', b: 'back' },
    { stamp: '6', fields: { a: 'sent', b: '0' } },
  ])
})

test('[MG2] of a locked exit nothing is left where a later one of this device was sent; its entry stays', () => {
  const sent = change('h', '6', { a: 'sent', b: 'sent', inTime: null }, { ...accepted, kind: 'exit' })
  const entry = change('e', '4', { inTime: '08:00' }, { kind: 'entry' })
  const locked = [entry, change('b', '5', { a: 'back', b: 'back', inTime: null }, { kind: 'exit' })]
  expect(joined(locked, [sent])).toEqual([entry])
})

test('[MG2] the entry time that only the earlier of two unsent edits changed is kept', () => {
  const exit = change('h', '6', { a: 'here', inTime: null }, { kind: 'exit' })
  const [one] = joined([change('b', '5', { a: '0', inTime: '08:05' })], [exit])
  expect(one).toMatchObject({ kind: 'exit', fields: { a: 'here', inTime: '08:05' } })
})

test('[SV3] an edit that was sent here before changes nothing of a later locked one', () => {
  const locked = [change('b', '6', { a: 'back', b: '0' })]
  expect(joined(locked, [change('h', '5', { a: '0', b: 'sent' }, accepted)])).toEqual(locked)
})
