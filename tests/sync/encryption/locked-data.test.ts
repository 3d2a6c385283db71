/**
 * 封印中 as its user meets it: opened, discarded, and what happens in another tab meanwhile (decisions/encryption, SV3).
 */
import { expect, test, vi } from 'vitest'
import { addDraftPhoto, draftOf, dropDraft, storeValues } from '#data/drafts/drafts.ts'
import { openLockedData } from '#data/locked/locked-data.ts'
import { sweepUsers } from '#app/session/sweep-users.ts'
import { blankProgress } from '#schemas/changes/change-queue.ts'
import type { PhotoRecord } from '#schemas/resources/photo.ts'
import { createPhotoStore } from '#sync/photos/photo-store.ts'
import { dyingAt, killedOnTheWay } from '../../support/dying.ts'
import { eachOnAnEmptyDevice, sealedUser } from '../../support/sealed-user.ts'

const DRAFT = 'emergencyReport/add/r-1'
const SHEET = 'sheet/ky/r-1_2026-11-20'
const PHOTO = 'photo-1'
/** As it was just saved. */
const saved: PhotoRecord = {
  ...{ key: PHOTO, resource: 'safetyMeasures', recordKey: 'measure-1', requestId: 'r-1', workingDate: '' },
  ...{ name: 'IMG.png', createDate: '', size: 3, type: 'image/png', wanted: 'kept', bytesAsked: 'no' },
  ...{ fileSeq: '', folderId: '', storeName: '', stamp: '', savedAt: '', userId: 'u' },
  ...blankProgress(''),
  ...{ offline: true, unsent: 'yes', takenAt: '', placeInfo: '' },
}

eachOnAnEmptyDevice()

function scene() {
  let ids = 0
  const device = sealedUser({ user: 'genba-1', userName: 'demo6', newId: () => `k-${(ids += 1)}` })
  return {
    ...device,
    /** Types under this password, takes a photo of these bytes, and leaves. */
    async typed(password: string, values: object, key = DRAFT, taken: readonly number[] = []) {
      await device.login(password)
      const { db, bytes, close } = await device.open()
      await storeValues(db, key, values)
      const photo = { bytes: Uint8Array.from(taken).buffer, thumb: undefined }
      const facts = { ...saved, takenAt: '', type: 'image/png' as const }
      if (taken.length > 0) await addDraftPhoto({ db, bytes }, key, facts, photo)
      await close()
      await device.logout()
    },
    idsOfKeys: async () => (await device.keys.record(device.user))?.keys.map(({ id }) => id) ?? [],
  }
}

const valuesOf = async (db: Parameters<typeof draftOf>[0], key = DRAFT) => (await draftOf(db, key))?.values

test('[SV8] a finished sheet gives way to one that was begun since, and what stays after a part was opened has its reason', async () => {
  const { typed, login, open, logout } = scene()
  const finished = { texts: {}, rows: [], form: 'safetyMeasure/add/r-1', pictures: ['photo-9'] }
  await typed('old', finished, SHEET)
  await typed('old', { text: '前' })
  await typed('old', { text: '別' }, 'emergencyReport/add/r-2')
  await login('new')
  const { db, lockedData, close } = await open()
  expect(lockedData.stays()).toBeNull()
  await storeValues(db, SHEET, { ...finished, pictures: [] })
  await storeValues(db, DRAFT, { text: '後' })
  expect(await lockedData.open('old')).toBe('some')
  expect([lockedData.get(), lockedData.stays()]).toEqual([1, 'typed'])
  expect(await valuesOf(db, SHEET)).toContain('"pictures":[]')
  await close()
  await logout()
})

test('[SV8] a sheet that is not finished waits while another is being filled in', async () => {
  const { typed, login, open } = scene()
  const unfinished = { texts: {}, rows: [], form: 'safetyMeasure/add/r-1', pictures: [] }
  await typed('old', unfinished, SHEET)
  await login('new')
  const { db, lockedData, close } = await open()
  await storeValues(db, SHEET, { ...unfinished, rows: [{}] })
  expect(await lockedData.open('old')).toBe('typed')
  await close()
})

test('[SV3] a password that is changed and changed back opens what it sealed, without being asked for', async () => {
  const { typed, login, open, idsOfKeys } = scene()
  await typed('first', { text: '一' })
  await typed('second', { text: '二' }, 'emergencyReport/add/r-2')
  await login('first')
  const { db, lockedData, close } = await open()
  expect(await valuesOf(db)).toBe(JSON.stringify({ text: '一' }))
  expect(lockedData.get()).toBe(1)
  expect(await lockedData.open('second')).toBe('all')
  expect(await valuesOf(db, 'emergencyReport/add/r-2')).toBe(JSON.stringify({ text: '二' }))
  expect([lockedData.get(), await idsOfKeys()]).toEqual([0, ['k-1']])
  await close()
})

test('[SV3] a draft whose form was typed into anew stays 封印中 with its photo until that is given up; neither text nor photo is lost', async () => {
  const { typed, login, open } = scene()
  await typed('old', { text: '前' }, DRAFT, [1, 2, 3])
  await login('new')
  const { db, bytes, lockedData, close } = await open()
  await storeValues(db, DRAFT, { text: '後' })
  const sweep = () => createPhotoStore(db, bytes).sweep(Date.now() + 2 * 3_600_000)
  expect(await lockedData.open('old')).toBe('typed')
  expect([await valuesOf(db), lockedData.get()]).toEqual([JSON.stringify({ text: '後' }), 1])
  await sweep()
  await dropDraft({ db, bytes }, DRAFT)
  expect(await lockedData.open('old')).toBe('all')
  expect([await valuesOf(db), lockedData.get()]).toEqual([JSON.stringify({ text: '前' }), 0])
  await sweep()
  expect((await draftOf(db, DRAFT))?.photos.map(({ key }) => key)).toEqual([PHOTO])
  expect((await bytes.get(PHOTO))?.byteLength).toBe(3)
  await close()
})

test('[SV3] a logout in another tab while 封印中 is discarded or opened takes no key that something is sealed with', async () => {
  const { typed, login, logout, open, idsOfKeys, keys, user } = scene()
  for (const last of ['discard', 'open'] as const) {
    await typed(`old ${last}`, { text: '前' })
    await login(`new ${last}`)
    const { db, lockedData, close } = await open()
    await storeValues(db, 'emergencyReport/add/r-9', { text: last })
    const { current } = (await keys.record(user)) ?? {}
    const ending = last === 'discard' ? lockedData.discard() : lockedData.open(`old ${last}`)
    await logout()
    await ending
    await close()
    expect(await idsOfKeys()).toContain(current)
    await login(`new ${last}`)
    const again = await open()
    expect(await valuesOf(again.db, 'emergencyReport/add/r-9')).toBe(JSON.stringify({ text: last }))
    await again.close()
    await logout()
  }
})

test('[SV3] ten wrong passwords open nothing and spoil nothing', async () => {
  const { typed, login, logout, offline, open, keys, user } = scene()
  await typed('before', { text: '一' })
  const kept = await keys.record(user)
  for (let n = 0; n < 10; n += 1) expect(await offline(`wrong ${n}`)).toBe(false)
  expect(await keys.record(user)).toEqual(kept)
  await login('after')
  const { db, lockedData, close } = await open()
  for (let n = 0; n < 10; n += 1) expect(await lockedData.open(`wrong ${n}`)).toBe('wrong')
  expect(lockedData.get()).toBe(1)
  expect(await lockedData.open('before')).toBe('all')
  expect(await valuesOf(db)).toBe(JSON.stringify({ text: '一' }))
  await close()
  await logout()
})

test('[SV3] what was deleted before is not counted as 封印中', async () => {
  const { typed, login, logout, open } = scene()
  await typed('before', { text: '一' })
  await login('before')
  const first = await open()
  await dropDraft(first, DRAFT)
  await first.close()
  await logout()
  await login('after')
  const { lockedData, close } = await open()
  expect(lockedData.get()).toBe(0)
  await close()
})

/** Everybody is signed out, and all that was typed is older than a day. */
const sweepIn = ({ keys }: ReturnType<typeof scene>) => {
  const later = Date.now() + 2 * 86_400_000
  const [old, now] = [
    { wall: later, at: 0 },
    { wall: later + 1, at: 90_000_000 },
  ]
  const marks = { run: 90_000_000, ran: [old, now], dated: [] }
  const nobody = async () => []
  return sweepUsers({
    ...{ indexedDB, locks: undefined, keys, signedIn: nobody, keyed: nobody, now: () => later },
    time: () => JSON.stringify({ marks }),
    report: (problem) => expect.unreachable(String(problem)),
  })
}

test('[EX6][SV3] swept, a locked draft stays however old it is, with its key; a draft of the present key goes after its day', async () => {
  const device = scene()
  const { typed, login, logout, open, idsOfKeys, user } = device
  await typed('before', { text: '一' })
  await typed('after', { text: '二' }, 'emergencyReport/add/r-2')
  await sweepIn(device)
  expect(await idsOfKeys()).toEqual(['k-1', 'k-2'])
  await login('after')
  const { db, lockedData, close } = await open()
  expect([lockedData.get(), await valuesOf(db, 'emergencyReport/add/r-2')]).toEqual([1, undefined])
  await lockedData.discard()
  await close()
  await logout()
  await sweepIn(device)
  const names = (await indexedDB.databases()).map(({ name = '' }) => name)
  expect([names.filter((name) => name.includes(user)), await idsOfKeys()]).toEqual([[], []])
})

test('[SV3] killed at each write of taking over, it goes on without the password: nothing is lost and nothing doubled', async () => {
  const { typed, login, open, user, keys } = scene()
  const places = ['r-1', 'r-2', 'r-3'].map((id) => `emergencyReport/add/${id}`)
  for (const place of places) await typed('before', { text: place }, place, [1, 2, 3])
  await login('after')
  const first = await open()
  expect(first.lockedData.get()).toBe(3)
  const kills = await killedOnTheWay(/genba/, () => first.lockedData.open('before'))
  expect(kills).toBeGreaterThan(5)
  expect(first.lockedData.get()).toBe(0)
  for (const place of places) expect(await valuesOf(first.db, place)).toBe(JSON.stringify({ text: place }))
  expect(await first.db.own.count().exec()).toBe(3)
  expect((await keys.record(user))?.keys).toHaveLength(1)
  await first.close()
})

test('[SV3] killed after the password was given, the next start takes over by itself', async () => {
  const { typed, login, open } = scene()
  await typed('before', { text: '一' })
  await login('after')
  const { lockedData, close } = await open()
  const revive = dyingAt(/own/)
  await expect(lockedData.open('before')).rejects.toThrow('killed')
  revive()
  expect(lockedData.get()).toBe(1)
  await close()
  const again = await open()
  expect([await valuesOf(again.db), again.lockedData.get()]).toEqual([JSON.stringify({ text: '一' }), 0])
  await again.close()
})

test('[SV3] two tabs open the same at once: all of it is there once, and neither says that it was lost', async () => {
  const { typed, login, open } = scene()
  await typed('before', { text: '一' })
  await typed('before', { text: '二' }, 'emergencyReport/add/r-2')
  await login('after')
  const { db, lockedData, close } = await open()
  expect(await Promise.all([lockedData.open('before'), lockedData.open('before')])).toEqual(['all', 'all'])
  expect(lockedData.get()).toBe(0)
  expect(await valuesOf(db)).toBe(JSON.stringify({ text: '一' }))
  expect(await db.own.count().exec()).toBe(2)
  await close()
})

test('[SV3] what one tab has opened is 封印中 in no other: the same password says there that all is open', async () => {
  const { typed, login, open, keys, user } = scene()
  await typed('before', { text: '一' })
  await login('after')
  const { locked, lockedData, close, problems } = await open()
  const other = await openLockedData(locked)
  expect(other.get()).toBe(1)
  expect(await lockedData.open('before')).toBe('all')
  expect((await keys.record(user))?.keys).toHaveLength(1)
  expect(await other.open('before')).toBe('all')
  expect(other.get()).toBe(0)
  expect(await other.open('before')).toBe('wrong')
  expect(problems).toEqual([])
  await close()
})

test('[SV3] what one tab opens or discards is not counted in another any more', async () => {
  const { typed, login, open } = scene()
  for (const how of ['open', 'discard'] as const) {
    await typed('before', { text: how })
    await login('after')
    const { locked, close, problems } = await open()
    const [one, other] = twoTabs()
    const here = await openLockedData({ ...locked, tabs: one })
    const there = await openLockedData({ ...locked, tabs: other })
    expect(there.get()).toBe(1)
    let isTold = false
    there.subscribe(() => (isTold = true))
    await (how === 'open' ? here.open('before') : here.discard())
    await vi.waitFor(() => expect(there.get()).toBe(0))
    expect([isTold, problems]).toEqual([true, []])
    await close()
    one.close()
    other.close()
  }
})

test('[SV3] earlier stores for which the browser never answers keep nobody from the present ones', async () => {
  const { typed, login, open } = scene()
  await typed('before', { text: '一' })
  await login('after')
  const { locked, lockedData, close, problems } = await open()
  // as WebKit, where the delete of a database was never answered and each later open waited for it
  const silent = Object.assign(Object.create(indexedDB) as IDBFactory, {
    databases: () => indexedDB.databases(),
    open: () => new EventTarget() as IDBOpenDBRequest,
  })
  await openLockedData({ ...locked, indexedDB: silent, patienceMs: 1 })
  expect([lockedData.get(), problems]).toEqual([1, []])
  await close()
})

const twoTabs = () =>
  [new BroadcastChannel('genba-locked-1'), new BroadcastChannel('genba-locked-1')] as const
