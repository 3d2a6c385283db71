/**
 * A device that refuses writes now and then, of whichever store, or breaks off reads, on real RxDB: a seed decides which. What
 * was saved stays and goes, what could not be read is read later, and nobody is left with an error that nothing catches: the
 * test run fails of one.
 */
import { IDBIndex, IDBObjectStore } from 'fake-indexeddb'
import { afterEach, describe, expect, test, vi } from 'vitest'
import { prefetchKey, WINDOW_LIST } from '#schemas/collections/prefetch.ts'
import type { RequestRecord } from '#schemas/resources/request.ts'
import { askRefresh } from '#data/fetch-requests/interests.ts'
import { saveEntry } from '#data/resources/quick-report-changes.ts'
import { randomOf } from '../../simulate/random.ts'
import { beforeEachWrite } from '../../support/disk-writes.ts'
import { until, type Device } from '../../support/device.ts'
import { IN_TIME, leave, todayScene } from '../../support/replication.ts'

const app = todayScene()
afterEach(() => void vi.restoreAllMocks())

const SEEDS = [1, 2, 3, 4]
const STEPS = 8
const LIMIT_MS = 60_000
const HOUR = 3_600_000

/**
 * @param where what is in the name of the databases that refuse: of all, where nothing is said
 * @returns while `share` is above 0 so many of all writes are refused
 */
function refusingDisk(random: () => number, where = '') {
  const disk = { share: 0, refused: 0, removals: 0 }
  beforeEachWrite((row, { transaction }) => {
    if (!transaction.db.name.includes(where) || random() >= disk.share) return
    disk.refused += 1
    if (row['_deleted'] === '1') disk.removals += 1
    throw new DOMException('no room', 'QuotaExceededError')
  })
  return disk
}

/** So many of all reads are broken off at the most: one that is five times in a row is said, and is no matter of the moment. */
const MOST_BROKEN = 0.1

/** @returns while `share` is above 0 so many of all reads end with their transaction, unanswered */
function breakingDisk(random: () => number) {
  const [ofIndex, ofStore] = [IDBIndex.prototype.getAll, IDBObjectStore.prototype.getAll]
  const disk = { share: 0, refused: 0 }
  const breakOff = (transaction: IDBTransaction) => {
    if (transaction.mode !== 'readonly' || random() >= disk.share * MOST_BROKEN) return
    disk.refused += 1
    transaction.abort()
  }
  vi.spyOn(IDBIndex.prototype, 'getAll').mockImplementation(function (this: IDBIndex, ...args) {
    const request = ofIndex.apply(this, args)
    breakOff(this.objectStore.transaction)
    return request
  })
  vi.spyOn(IDBObjectStore.prototype, 'getAll').mockImplementation(function (this: IDBObjectStore, ...args) {
    const request = ofStore.apply(this, args)
    breakOff(this.transaction)
    return request
  })
  return disk
}

/** @returns whether the app would call it saved */
const isSaved = (save: Promise<unknown>) =>
  save.then(
    () => true,
    () => false,
  )

const requestsOn = async (device: Device) => (await device.db.requests.find().exec()).length

/** The whole window is on the device. */
async function openToItsEnd(): Promise<Device> {
  app.phone.haste = 20
  const device = await app.open()
  await until(() =>
    device.db.interests.findOne(prefetchKey(WINDOW_LIST.collection, WINDOW_LIST.owner)).exec(),
  )
  return device
}

/** The signal is gone for more than a day, with the app open. */
function aDayUnderground(device: Device): void {
  device.network.next(false)
  app.phone.now += 25 * HOUR
  app.phone.ran += 25 * HOUR
}

const refresh = (device: Device) => isSaved(askRefresh(device.db, (app.phone.now += 1_000)))

async function madeInCrm(seeded: ReadonlySet<string>) {
  const { quickReports } = await app.crm.inspect()
  return quickReports.filter(({ id }) => !seeded.has(id))
}

/** Some hours of work on such a device. */
async function workOn(
  disk: Pick<ReturnType<typeof refusingDisk>, 'share' | 'refused'>,
  random: () => number,
): Promise<void> {
  app.phone.haste = 20
  const device = await app.open()
  const free = await app.freeRequests(device)
  const seeded = new Set((await app.crm.inspect()).quickReports.map(({ id }) => id))
  const [inside, left]: RequestRecord[][] = [[], []]
  for (let step = 0; step < STEPS; step += 1) {
    disk.share = step % 2 === 0 ? random() : 0
    // several at once are saved all, or none
    const some = free.splice(0, step % 3 === 0 ? 2 : 1)
    if (await isSaved(saveEntry(device.saver(), some, IN_TIME))) inside?.push(...some)
    const [first] = inside ?? []
    if (first && random() < 0.4 && (await isSaved(leave(device, [first]))))
      left?.push(...(inside?.splice(0, 1) ?? []))
    await refresh(device)
    const refused = disk.refused
    if (disk.share > 0.3) await until(() => disk.refused > refused, LIMIT_MS)
  }
  disk.share = 0
  app.phone.now += 2 * HOUR
  app.crmNow += 2 * HOUR
  const fresh = new Date(app.phone.now - HOUR).toISOString()
  expect(await refresh(device)).toBe(true)
  await until(async () => (await device.queue()).length === 0, LIMIT_MS)
  const made = await madeInCrm(seeded)
  const saved = [...(inside ?? []), ...(left ?? [])].map(({ id }) => id)
  expect(made.map(({ requestId }) => requestId).toSorted()).toEqual(saved.toSorted())
  expect(made.flatMap(({ requestId, outTime }) => (outTime ? [requestId] : [])).toSorted()).toEqual(
    left?.map(({ id }) => id).toSorted(),
  )
  await until(
    async () => (await device.db.requests.find().exec()).every(({ confirmedAt }) => confirmedAt > fresh),
    LIMIT_MS,
  )
}

describe('[ST4][SV1][SV2][SV3][PL1] a device that refuses writes now and then', () => {
  test.each(SEEDS)(
    'seed %i: what was saved arrives once, what was read is there in the end, and the app can be closed',
    async (seed) => {
      const random = randomOf(seed)
      const disk = refusingDisk(random)
      await workOn(disk, random)
      expect(disk.refused).toBeGreaterThan(0)
    },
    LIMIT_MS * 2,
  )
})

describe('[EX1][ST4] a day without signal, in an app that stays open, after a disk was full', () => {
  test('what was read again and found no room leaves the device all the same', async () => {
    const disk = refusingDisk(() => 0, '--requests')
    const device = await openToItsEnd()
    disk.share = 1
    // what was read a short while ago is not written anew
    app.phone.now += HOUR
    app.crmNow += HOUR
    await refresh(device)
    await until(() => disk.refused > 2)
    aDayUnderground(device)
    const refused = disk.refused
    await until(() => disk.refused > refused)
    disk.share = 0
    await until(async () => (await requestsOn(device)) === 0, LIMIT_MS)
  })

  test('what could not be removed while it was full is removed once there is room', async () => {
    const disk = refusingDisk(() => 0, '--requests')
    const device = await openToItsEnd()
    disk.share = 1
    aDayUnderground(device)
    await until(() => disk.removals > 0, LIMIT_MS)
    expect(await requestsOn(device)).toBeGreaterThan(0)
    disk.share = 0
    await until(async () => (await requestsOn(device)) === 0, LIMIT_MS)
  })
})

describe('[trap 21] a browser that breaks off reads now and then', () => {
  test.each(SEEDS)(
    'seed %i: what was saved arrives once, what was read is there in the end, and the app can be closed',
    async (seed) => {
      const random = randomOf(seed)
      const disk = breakingDisk(random)
      // from the start on: what is read first is looked at for as long as the app is open
      disk.share = 1
      await workOn(disk, random)
      expect(disk.refused).toBeGreaterThan(0)
    },
    LIMIT_MS * 2,
  )
})
