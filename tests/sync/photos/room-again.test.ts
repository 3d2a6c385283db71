/** A device had no room, or no connection to its storage, for a while: afterwards everything works again (RULES ST4). */
import { IDBDatabase, IDBFactory } from 'fake-indexeddb'
import { defaultHashSha256 } from 'rxdb/plugins/core'
import { firstValueFrom } from 'rxjs'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import {
  askDetail,
  askRefresh,
  detailInterest,
  interest$,
  REFRESH_INTEREST,
} from '#data/fetch-requests/interests.ts'
import { REPLICATION } from '#data/database/collection-stores.ts'
import { visitKey } from '#schemas/resources/visit-key.ts'
import { beforeEachWrite } from '../../support/disk-writes.ts'
import { atRest } from '../../support/at-rest.ts'
import { until, type Device } from '../../support/device.ts'
import { enter, nth, todayScene } from '../../support/replication.ts'
import { windowRows } from '../../support/search-pages.ts'

const app = todayScene()
afterEach(() => void vi.restoreAllMocks())

const LIMIT_MS = 60_000
/** The waits for room are this many times shorter: here they double to half a minute. */
const HASTE = 20
/** An interrupted read is repeated for this long (`idb.ts`). */
const READ_AGAIN_MS = 2_600
beforeEach(() => void (app.phone.haste = HASTE))

const noRoom = () => new DOMException('no room', 'QuotaExceededError')

/** Refuses these writes while the device is full. */
function refusing(isRefused: (store: string, row: Record<string, unknown>) => boolean) {
  const disk = { full: true, refused: [] as Record<string, unknown>[] }
  beforeEachWrite((row, { transaction }) => {
    if (!disk.full || !isRefused(transaction.db.name, row)) return
    disk.refused.push(row)
    throw noRoom()
  })
  return disk
}

/** The storage's time for an answer. */
const ANSWER_MS = 5

/**
 * Refuses to open metadata of replications while the device is full.
 * @param part of the names of those that are refused
 */
function refusingMetadata(part = REPLICATION) {
  const disk = { full: true, refused: new Set<string>() }
  const open = IDBFactory.prototype.open
  vi.spyOn(IDBFactory.prototype, 'open').mockImplementation(function (this: IDBFactory, name, version) {
    if (!disk.full || !name.includes(part)) return open.call(this, name, version)
    disk.refused.add(name)
    const request = Object.assign(new EventTarget(), { error: noRoom() })
    setTimeout(() => request.dispatchEvent(new Event('error')), ANSWER_MS)
    return request as never
  })
  return disk
}

async function entryGoes(device: Device): Promise<void> {
  const request = nth(await app.freeRequests(device), 0)
  await enter(device, request)
  await app.sent(device)
  expect(await app.reports(request.id)).toHaveLength(1)
}

const stateOf = async ({ db }: Device, key: string) => (await firstValueFrom(interest$(db, key)))?.state

test(
  '[ST4][SV2][trap 22] replications that a full device does not let start are started once there is room, and what is saved goes',
  async () => {
    const disk = refusingMetadata()
    const device = await app.open()
    await until(() => disk.refused.size > 0)
    // by then every write was refused
    await atRest()
    disk.full = false
    await entryGoes(device)
    await until(() => device.full.at(-1) === false, LIMIT_MS)
    expect(device.full[0]).toBe(true)
  },
  LIMIT_MS,
)

test(
  '[ST4][trap 22] one replication that cannot start keeps nobody from what they ask for',
  async () => {
    const disk = refusingMetadata(await defaultHashSha256('safetyMeasures-crm-safety-measure'))
    const device = await app.open()
    await until(() => disk.refused.size > 0)
    await app.freeRequests(device)
    await askRefresh(device.db, (app.phone.now += 1_000))
    await until(async () => (await stateOf(device, REFRESH_INTEREST)) === 'answered', LIMIT_MS)
    expect(disk.full).toBe(true)
  },
  LIMIT_MS * 2,
)

test(
  '[SV2][trap 23] a save whose push could not read what RxDB knows of it goes once that can be read',
  async () => {
    const device = await app.open()
    const request = nth(await app.freeRequests(device), 0)
    // the collection of RxDB's metadata of this replication
    const known = await device.db.changes.database.hashFunction('changes-crm-changes')
    const original = IDBDatabase.prototype.transaction
    let [isLost, lastLost] = [true, 0]
    vi.spyOn(IDBDatabase.prototype, 'transaction').mockImplementation(function (this: IDBDatabase, ...args) {
      if (!isLost || !this.name.endsWith(known)) return original.apply(this, args)
      lastLost = performance.now()
      throw new DOMException('lost', 'UnknownError')
    })
    await enter(device, request)
    await until(() => device.problems.some((problem) => problem.startsWith('storage: ')), LIMIT_MS)
    // after one read was given up, all repeated reads of that time have ended
    const givenUp = performance.now()
    await until(() => lastLost > givenUp + READ_AGAIN_MS)
    isLost = false
    await app.sent(device)
    expect(await app.reports(request.id)).toHaveLength(1)
  },
  LIMIT_MS * 2,
)

test(
  '[ST4][PL4] past reports that a full device refused are read again, and there once it has room',
  async () => {
    const isPast = ({ rowKey }: Record<string, unknown>) => String(rowKey).startsWith('pastReports/')
    const disk = refusing((_, row) => isPast(row))
    const device = await app.open()
    await until(() => disk.refused.length > 0, LIMIT_MS)
    disk.full = false
    const keys = [...new Set(disk.refused.map(({ key }) => String(key)))]
    await until(async () => (await device.db.pastReports.findByIds(keys).exec()).size === keys.length, 30_000)
  },
  LIMIT_MS * 2,
)

test(
  '[ST4][PL9] a request that a screen asked for and a full device refused is read again with all the rest once it has room',
  async () => {
    const { id, workingDate } = nth(await windowRows(app), 0)
    const key = visitKey(id, workingDate)
    const disk = refusing((store, row) => store.endsWith('--requests') && row.key === key)
    const device = await app.open()
    await until(() => disk.refused.length > 0)
    await askDetail(device.db, app.phone.now, id, workingDate)
    await until(async () => (await stateOf(device, detailInterest(id, workingDate))) === 'answered', LIMIT_MS)
    await until(() => disk.refused.some(({ detail }) => detail !== null), LIMIT_MS)
    disk.full = false
    await until(async () => (await device.db.requests.findOne(key).exec()) !== null, 30_000)
  },
  LIMIT_MS * 2,
)
