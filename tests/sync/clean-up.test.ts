/** What was deleted leaves IndexedDB, with what the replication knew of it (EX4). */
import { afterEach, expect, test, vi } from 'vitest'
import type { QuickReportRecord } from '#schemas/quick-report.ts'
import { discardWithPhotos } from '#data/discard.ts'
import { createCleanUp } from '#sync/retention/clean-up.ts'
import { until, type Device } from '../support/device.ts'
import { enter, nth, replicationScene } from '../support/replication.ts'
import { dumpStorage } from '../support/storage-dump.ts'

const app = replicationScene()
const HOUR = 3_600_000
const LIMIT_MS = 30_000
afterEach(() => void vi.useRealTimers())

interface Row {
  value: { _deleted?: unknown; key?: string; itemId?: string; docData?: { _deleted?: boolean } }
}

/** Every row of every store of the phone. */
async function rowsOnDisk(): Promise<(Row['value'] & { store: string })[]> {
  const dumps = JSON.parse(await dumpStorage(app.phone.storage.indexedDB)) as {
    name: string
    stores: { name: string; rows: Row[] }[]
  }[]
  return dumps.flatMap(({ name, stores }) =>
    stores.flatMap((store) => store.rows.map(({ value }) => ({ ...value, store: `${name} ${store.name}` }))),
  )
}
const tombstones = async () =>
  (await rowsOnDisk()).filter(({ _deleted, docData }) => _deleted === '1' || docData?._deleted === true)

/** All left the device a while ago, and the replication has heard of it. */
async function emptied(): Promise<Device> {
  const first = await app.open()
  const { key } = nth(await app.freeRequests(first), 0)
  await enter(first, await first.request(key))
  await app.sent(first)
  await app.close(first)
  const second = await app.open({ online: false })
  app.phone.ran += 25 * HOUR
  await until(async () => (await second.db.requests.count().exec()) === 0, LIMIT_MS)
  await until(async () => (await second.db.quickReports.count().exec()) === 0, LIMIT_MS)
  // another window: nothing of it is read again
  later(20 * 24 * HOUR)
  second.network.next(true)
  const heard = async () =>
    (await tombstones()).some(({ itemId, docData }) => itemId === key && docData?._deleted === true)
  await until(heard, LIMIT_MS)
  await app.close(second)
  const before = await tombstones()
  expect(before.length).toBeGreaterThan(20)
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + HOUR })
  const third = await app.open({ online: false })
  const names = new Set(before.map(nameOf))
  // what is tidied away now has its own time
  const left = async () => (await tombstones()).map(nameOf).filter((name) => names.has(name))
  await until(async () => (await left()).length === 0, LIMIT_MS).catch(async () => {
    throw new Error(`${third.problems.join()} ${(await left()).join()}`)
  })
  return third
}
const nameOf = ({ store, key, itemId }: Awaited<ReturnType<typeof tombstones>>[number]) =>
  `${store} ${key ?? itemId}`
const later = (ms: number) => {
  app.phone.now += ms
  app.crmNow += ms
}

test(
  '[EX4][PL3] no deleted content is left on the disk, nor in the stores of the replication; what comes back is new',
  async () => {
    const device = await emptied()
    later(-20 * 24 * HOUR)
    device.network.next(true)
    await until(async () => (await device.db.requests.count().exec()) > 20, LIMIT_MS)
    await until(async () => (await device.db.quickReports.count().exec()) > 0, LIMIT_MS)
  },
  4 * LIMIT_MS,
)

test(
  '[EX4][EX1] nor when there was no signal all the while: 72 hours later no document of the CRM is readable; then all comes back',
  async () => {
    const first = await app.open()
    const { key } = nth(await app.freeRequests(first), 0)
    await enter(first, await first.request(key))
    await app.sent(first)
    await app.close(first)
    const second = await app.open({ online: false })
    app.phone.ran += 72 * HOUR
    const mirrors = ['requests', 'quickReports'] as const
    const isEmpty = async (name: (typeof mirrors)[number]) => (await second.db[name].count().exec()) === 0
    for (const name of mirrors) await until(() => isEmpty(name), LIMIT_MS)
    await app.close(second)
    // RxDB's own time goes on from the other test's
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 3 * HOUR })
    const third = await app.open({ online: false })
    const left = async () => (await rowsOnDisk()).filter(isContent).map((row) => nameOf(row))
    await until(async () => (await left()).length === 0, LIMIT_MS).catch(async () => {
      throw new Error(`${third.problems.join()} ${(await left()).join('\n')}`)
    })
    third.network.next(true)
    await until(async () => (await third.db.requests.count().exec()) > 20, LIMIT_MS)
    await until(async () => (await third.db.quickReports.count().exec()) > 0, LIMIT_MS)
    // written by what RxDB still had in hand
    vi.setSystemTime(Date.now() + HOUR)
    expect((await tombstones()).filter(({ store }) => store.includes('quickReports docs'))).toEqual([])
  },
  5 * LIMIT_MS,
)

/** A document of the CRM, live or deleted, or what the replication knows of one. */
const isContent = ({ store, docData, requestCode, server }: ContentRow) =>
  (docData !== undefined && 'server' in docData && /quick/i.test(store)) ||
  requestCode !== undefined ||
  (server != null && /--quickReports/.test(store))
type ContentRow = Row['value'] & { store: string; requestCode?: string; server?: unknown }

test.each([
  ['has not heard', false],
  ['has heard', true],
])(
  '[EX4][SV3] of a removal with something unsent, which the replication %s of, nothing goes',
  async (_, isHeard) => {
    const device = await app.open()
    const request = nth(await app.freeRequests(device), 0)
    device.network.next(false)
    await enter(device, request)
    const doc = await device.db.quickReports.findOne(request.key).exec(true)
    await doc.incrementalModify((record: QuickReportRecord) => ({ ...record, _deleted: true }))
    const isThere = async () =>
      (await rowsOnDisk()).some(({ key, _deleted }) => key === request.key && _deleted === '1')
    const known = await device.db.quickReports.storageInstance.findDocumentsById([request.key], true)
    expect(known).toHaveLength(1)
    await cleaned(device, isHeard ? [request.key] : [])
    expect(await isThere()).toBe(true)
  },
)

test('[EX4][SV2] what was discarded holds nothing back, though the replication has not heard of it', async () => {
  const device = await app.open()
  const request = nth(await app.freeRequests(device), 0)
  device.network.next(false)
  await enter(device, request)
  const place = { db: device.db, bytes: device.bytes, newId: () => crypto.randomUUID() }
  await discardWithPhotos(place, nth(await device.queue(), 0), [])
  const left = async () => (await rowsOnDisk()).filter(({ key }) => key === request.key)
  await until(async () => (await left()).some(({ _deleted }) => _deleted === '1'))
  await cleaned(device, [])
  expect((await left()).filter(({ store }) => store.includes('quickReports'))).toEqual([])
})

let days = 0
/** Some days later. @param heard keys of removals that the replication knows of */
async function cleaned(device: Device, heard: readonly string[]): Promise<void> {
  // RxDB's own time never goes back, in no test
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + (days += 1) * 24 * HOUR })
  const replications = [
    { collection: device.db.quickReports, push: {}, metaInstance: knowing(device, heard) },
  ]
  await createCleanUp({ db: device.db, replications, now: Date.now })()
}

/** A replication that knows of these removals, and of nothing else. */
const knowing = ({ db }: Device, heard: readonly string[]) => ({
  schema: db.interests.schema.jsonSchema,
  findDocumentsById: async () =>
    heard.map((itemId) => ({ itemId, docData: { _deleted: true }, _meta: { lwt: Infinity } })),
  query: async () => ({ documents: [] }),
  bulkWrite: async () => ({ error: [] }),
  cleanup: async () => true,
})
