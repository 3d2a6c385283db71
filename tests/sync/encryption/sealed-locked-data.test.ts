/**
 * What a password of before sealed is 封印中: it stays whole, and comes back when that password opens it
 * (decisions/encryption).
 */
import { afterEach, expect, test } from 'vitest'
import { rxSchemas } from '#schemas/collections/collections.ts'
import { steps } from '#schemas/migrations/steps.ts'
import { draftOf, storeValues } from '#data/drafts/drafts.ts'
import { askRefresh } from '#data/fetch-requests/interests.ts'
import { isCounted } from '#data/locked/locked-rows.ts'
import type { DataKey } from '#data/encryption/seal.ts'
import { leaveLocked, takeOver } from '#data/locked/take-over.ts'
import { withDatabase, writeDurably } from '#data/storage/idb.ts'
import { leaveUnsentOnly } from '#data/user-stores/user-stores.ts'
import { saveNote } from '#features/note-location-area/commands.ts'
import { dyingAt } from '../../support/dying.ts'
import { lockedOf, takingOver } from '../../support/locked-data.ts'
import { beforeEachSave } from '../../support/disk-writes.ts'
import { until, type Device } from '../../support/device.ts'
import { grownLayout } from '../../support/grown-layout.ts'
import { take } from '../../support/photos.ts'
import { enter, IN_TIME, leave, ledgerOf, nth, todayScene } from '../../support/replication.ts'
import { dataKey, sealedBy, sealerOf } from '../../support/seal-keys.ts'
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

const reported: string[] = []
const report = (problem: unknown) => void reported.push(String(problem))

afterEach(() => void (reported.length = 0))

/** Opens the app under this key, and closes it once this is saved. @returns the name of its stores */
async function under(key: DataKey, saves: (device: Device) => Promise<unknown>) {
  app.phone.storageOptions = sealedBy(sealerOf(key))
  const device = await app.open({ online: false })
  await saves(device)
  const { name } = device.db
  await app.close(device)
  return name
}

/** Opens the app under another key than what is locked. */
async function underOther(options: Parameters<typeof app.open>[0] = { online: false }) {
  app.phone.storageOptions = sealedBy(sealerOf(OTHER))
  const device = await app.open(options)
  const parts = takingOver(app.phone, device, report)
  return { device, take: (stores: string, key = KEY) => takeOver({ ...parts, ...options }, stores, key) }
}

const left = (stores: string) => lockedOf(app.phone.storage.indexedDB, stores)
const counted = async (stores: string) => (await left(stores)).filter(isCounted)

test(
  '[SV3] under a changed password: not read, kept when swept, and sent once the old one opens it, also where that is cut short',
  async () => {
    app.phone.storageOptions = sealedBy(sealerOf(KEY))
    const device = await app.open()
    const request = nth(await app.freeRequests(device), 0)
    device.network.next(false)
    await enter(device, request)
    await storeValues(device.db, DRAFT, { text: TYPED })
    const photo = await take(device, 'IMG_秘密.jpg', 1)
    const { name: stores } = device.db
    await app.close(device)
    await leaveUnsentOnly(app.phone.storage.indexedDB, stores, UNTIL)
    expect(await counted(stores)).toHaveLength(3)

    const { device: again, take: takeBack } = await underOther({ online: true })
    expect(await draftOf(again.db, DRAFT)).toBeNull()
    expect(await again.queue()).toEqual([])
    await until(async () => (await again.db.requests.count().exec()) > 10, LIMIT_MS)
    expect(await takeBack(stores, { ...(await dataKey('k-1')), id: 'k-1' })).toEqual(new Set(['spoiled']))
    expect(await counted(stores)).toHaveLength(3)
    reported.length = 0
    const order: string[] = []
    again.db.$.subscribe(({ collectionName = '', operation }) => {
      // the others are what the sync reads meanwhile
      const isTaken = ['own', 'changes', 'photos'].includes(collectionName)
      if (operation === 'INSERT' && isTaken) order.push(collectionName)
    })
    // killed before it was noted: done twice it changes nothing
    const revive = dyingAt(new RegExp(`^rxdb-dexie-${stores}.*(own|changes)$`))
    await expect(takeBack(stores)).rejects.toThrow('killed')
    revive()
    expect(await counted(stores)).toHaveLength(3)
    expect(await takeBack(stores)).toEqual(new Set())
    expect(order.toSorted()).toEqual(['changes', 'own', 'photos'])
    expect([await left(stores), reported]).toEqual([[], []])
    expect(await draftOf(again.db, DRAFT)).toMatchObject({ values: JSON.stringify({ text: TYPED }) })
    expect((await again.bytes.get(photo))?.byteLength).toBeGreaterThan(0)
    await app.sent(again)
    expect(await app.reports(request.id)).toHaveLength(1)
  },
  2 * LIMIT_MS,
)

/** One byte of what is sealed in a row of this table is another. */
async function damage(stores: string, part: string, key: string): Promise<void> {
  const { indexedDB } = app.phone.storage
  const isBytes = part === 'bytes'
  const names = (await indexedDB.databases()).map(({ name = '' }) => name)
  const isMeant = (name: string) => (isBytes ? name.endsWith(`photos-${stores}`) : name.endsWith(`--${part}`))
  const name = names.find((each) => each.includes(stores) && isMeant(each)) ?? ''
  const table = isBytes ? 'bytes' : 'docs'
  await withDatabase(indexedDB, name, (db) =>
    writeDurably(db, table, (rows) => {
      const request = rows.get(key)
      request.addEventListener('success', () => {
        const row = request.result as Record<string, { bytes: ArrayBuffer }>
        const bytes = new Uint8Array(
          (row[isBytes ? 'bytes' : 'sealed'] ?? { bytes: new ArrayBuffer(0) }).bytes,
        )
        bytes[20] = (bytes[20] ?? 0) ^ 1
        rows.put(row)
      })
    }),
  )
}

test.each([
  ['the bytes of a photo', 'bytes', ['bytes', 'photos']],
  ['a change', 'changes', ['changes']],
  ['a draft', 'own', ['own']],
])(
  '[SV3] %s that is spoiled stays locked with what needs it, and is reported; all else comes back',
  async (_, part, staying) => {
    const stores = await under(KEY, async (device) => {
      await enter(device, requestOn('1', '2026-11-20'))
      await storeValues(device.db, DRAFT, { text: TYPED })
      await take(device, 'IMG.jpg', 1)
    })
    const before = await left(stores)
    const { key = '' } = before.find(({ collection }) => collection === part) ?? {}
    await damage(stores, part, key)
    const { take: takeBack } = await underOther()
    expect(await takeBack(stores)).toEqual(new Set(['spoiled']))
    expect((await left(stores)).map(({ collection }) => collection).toSorted()).toEqual(staying)
    expect(reported).toEqual([expect.stringContaining('stays locked')])
    expect(before.length).toBeGreaterThan(staying.length + 1)
  },
)

test('[SV3] a record that is locked under one password and then under another has the changes of both', async () => {
  const request = requestOn('1', '2026-11-20')
  const between = await dataKey('k-3')
  const first = await under(KEY, (device) => enter(device, request))
  // read from the CRM meanwhile
  const second = await under(between, async (device) => {
    await storeView(device.db, 'quickReports', reportOn('1', { inTime: IN_TIME }))
    await leave(device, [request])
  })
  const { device, take: takeBack } = await underOther()
  const changes = async () => (await viewsIn(device.db, 'quickReports')).flatMap((doc) => doc.changes)
  await takeBack(second, between)
  expect((await changes()).map(({ kind }) => kind)).toEqual(['exit'])
  await takeBack(first)
  expect((await changes()).map(({ kind }) => kind).toSorted()).toEqual(['entry', 'exit'])
  expect(reported).toEqual([])
})

test('[OC1][SV3] the page dies while much is taken over: what is in its place already, and may be sent, is not there a second time', async () => {
  const stores = await under(KEY, async (device) => {
    for (const id of ['1', '2']) await enter(device, requestOn(id, '2026-11-20'))
  })
  const { device, take: takeBack } = await underOther()
  expect(await counted(stores)).toHaveLength(2)
  // the second is never written, and nothing comes after it
  let written = 0
  beforeEachSave(device.db, async () => {
    written += 1
    if (written > 1) await new Promise<never>(() => undefined)
  })
  void takeBack(stores)
  await until(() => written > 1)
  const [there] = await viewsIn(device.db, 'quickReports')
  expect((await counted(stores)).map(({ key }) => key)).not.toContain(there?.changes[0]?.id)
  expect(await counted(stores)).toHaveLength(1)
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
    const { name: stores } = device.db
    await app.close(device)
    await app.crm.faults.remove('lost')

    const { device: again, take: takeBack } = await underOther({ online: true })
    const here = async () =>
      (await viewsIn(again.db, 'noteLocationAreas')).filter(({ server }) => server && isOurs(server.note))
    await until(async () => (await here()).some(({ key, serverId }) => key === serverId), LIMIT_MS)
    if (isEdited) {
      again.network.next(false)
      const [read] = await here()
      await saveNote(again.saver(), request, { note: EDITED }, read)
    }
    await takeBack(stores)
    again.network.next(true)
    await app.sent(again)
    expect((await inCrm()).map(({ note }) => note)).toEqual([isEdited ? EDITED : TYPED])
    app.phone.now += 60_000
    await askRefresh(again.db, app.phone.now)
    await until(async () => (await here()).length === 1)
    expect((await here()).map(({ key, serverId }) => key === serverId)).toEqual([false])
  },
)

test('[SV3] what was locked before a migration is taken over as the migration would have left it', async () => {
  const stores = await under(KEY, ({ db }) => storeValues(db, DRAFT, { text: TYPED }))
  const layout = grownLayout({ schemas: rxSchemas, migrations: steps }, undefined, ['own'])
  const { device, take: takeBack } = await underOther({ online: false, layout })
  const noSteps = { ...layout, migrations: steps }
  const parts = { ...takingOver(app.phone, device, report), layout: noSteps }
  await expect(takeOver(parts, stores, KEY)).rejects.toThrow('no step')
  expect([await draftOf(device.db, DRAFT), (await counted(stores)).length]).toEqual([null, 1])
  expect(await takeBack(stores)).toEqual(new Set())
  expect(await draftOf(device.db, DRAFT)).toMatchObject({ values: JSON.stringify({ text: TYPED }) })
  const [row] = await device.db.own.find().exec()
  expect(row?.toJSON()).toHaveProperty('rowKey')
})

test('[SV3] stores that a later version has written are not touched', async () => {
  const layout = grownLayout({ schemas: rxSchemas, migrations: steps }, undefined, ['own'])
  app.phone.storageOptions = sealedBy(sealerOf(KEY))
  const later = await app.open({ online: false, layout })
  await storeValues(later.db, DRAFT, { text: TYPED })
  const { name: stores } = later.db
  await app.close(later)
  const { take: takeBack } = await underOther()
  await expect(takeBack(stores)).rejects.toThrow('later version')
  expect(await counted(stores)).toHaveLength(1)
})

test('[EX6] where nothing is unsent nothing is left of the earlier stores, by name neither', async () => {
  const stores = await under(KEY, async () => undefined)
  const { indexedDB } = app.phone.storage
  const names = async () => (await indexedDB.databases()).filter(({ name = '' }) => name.includes(stores))
  expect((await names()).length).toBeGreaterThan(0)
  const { device } = await underOther()
  expect(await leaveLocked(takingOver(app.phone, device, report), stores)).toBe(false)
  expect(await names()).toEqual([])
})
