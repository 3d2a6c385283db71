/** Deleted documents leave IndexedDB, with the replication's metadata of them (EX4). */
import { afterEach, expect, test, vi } from 'vitest'
import { discardWithPhotos } from '#data/outbox/discard.ts'
import { rxQueueStore } from '#sync/changes/change-store.ts'
import { cleanUp, purge } from '#sync/retention/expiry.ts'
import { until, type Device } from '../../support/device.ts'
import { enter, nth, todayScene } from '../../support/replication.ts'
import { dumpStorage } from '../../support/storage-dump.ts'

const app = todayScene()
const HOUR = 3_600_000
const LIMIT_MS = 30_000
afterEach(() => void vi.useRealTimers())

interface Row {
  value: {
    _deleted?: unknown
    key?: string
    recordKey?: string
    itemId?: string
    docData?: { _deleted?: boolean }
  }
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

/** A device whose requests were deleted a while ago, and whose replication has processed that. */
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
  // another window of days: none of these requests is read again
  later(20 * 24 * HOUR)
  second.network.next(true)
  await app.close(second)
  const before = await tombstones()
  expect(before.length).toBeGreaterThan(10)
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + HOUR })
  const third = await app.open({ online: false })
  const names = new Set(before.map(nameOf))
  // documents that are deleted now are removed later
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
    await until(async () => (await device.db.requests.count().exec()) > 10, LIMIT_MS)
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
    // RxDB's own time continues from the other test's
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 3 * HOUR })
    const third = await app.open({ online: false })
    const left = async () => (await rowsOnDisk()).filter(isContent).map((row) => nameOf(row))
    await until(async () => (await left()).length === 0, LIMIT_MS).catch(async () => {
      throw new Error(`${third.problems.join()} ${(await left()).join('\n')}`)
    })
    third.network.next(true)
    await until(async () => (await third.db.requests.count().exec()) > 10, LIMIT_MS)
    await until(async () => (await third.db.quickReports.count().exec()) > 0, LIMIT_MS)
    // the write of a pull that RxDB had not finished
    vi.setSystemTime(Date.now() + HOUR)
    expect((await tombstones()).filter(({ store }) => store.includes('quickReports docs'))).toEqual([])
  },
  5 * LIMIT_MS,
)

/** True for a document of the CRM, live or deleted, or the replication's metadata of one. */
const isContent = ({ store, docData, requestCode, server }: ContentRow) =>
  (docData !== undefined && 'server' in docData && /quick/i.test(store)) ||
  requestCode !== undefined ||
  (server != null && /--quickReports/.test(store))
type ContentRow = Row['value'] & { store: string; requestCode?: string; server?: unknown }

test('[EX4][SV3] what was discarded leaves the disk, what waits stays', async () => {
  const device = await app.open()
  const [discarded, waiting] = (await app.freeRequests(device)).slice(0, 2)
  device.network.next(false)
  for (const request of [discarded, waiting]) if (request) await enter(device, request)
  const place = { ...device.saver(), bytes: device.bytes }
  await discardWithPhotos(place, nth(await device.queue(), 0), [])
  // RxDB's own time never goes back, in no test
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 4 * 24 * HOUR })
  const [now, store] = [Date.now(), rxQueueStore(device.db)]
  await purge({ db: device.db, store, bytes: device.bytes, now, typedBefore: -Infinity })
  vi.setSystemTime(now + HOUR)
  const replications = [{ collection: device.db.changes, push: {}, metaInstance: knowing(device) }]
  await cleanUp({ db: device.db, replications, now: Date.now() })
  const left = (await rowsOnDisk()).filter(({ store }) => store.includes('--changes'))
  expect(left.map(({ recordKey, _deleted }) => ({ recordKey, _deleted }))).toEqual([
    { recordKey: waiting?.key, _deleted: '0' },
  ])
})

/** A replication that has processed no removal. */
const knowing = ({ db }: Device) => ({
  schema: db.interests.schema.jsonSchema,
  findDocumentsById: async () => [],
  query: async () => ({ documents: [] }),
  bulkWrite: async () => ({ error: [] }),
  cleanup: async () => true,
})
