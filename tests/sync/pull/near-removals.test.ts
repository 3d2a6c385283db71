/** What a round of today and tomorrow no longer has is looked at twice, for itself (RULES PL6), on real RxDB. */
import { afterEach, expect, test, vi } from 'vitest'
import { SECOND_READ_MS } from '#sync/pull/requests/request-removals.ts'
import { createRequestRemovals } from '#sync/pull/requests/request-removals.ts'
import { rangeDays } from '#sync/pull/requests/pull-requests.ts'
import { newSearch, NO_FILTER, pageOf, type Range } from '#sync/pull/requests/search.ts'
import { NO_PAGES, withPage } from '#sync/scheduler/read-pages.ts'
import { until } from '../../support/device.ts'
import { requestRecord } from '../../support/device-records.ts'
import { enter, NOW, replicationScene } from '../../support/replication.ts'
import { windowRows } from '../../support/search-pages.ts'

const app = replicationScene()
afterEach(() => void vi.restoreAllMocks())

/** The stamp of a read after all that is on the device. */
const LATER = '9'

/** Milliseconds of the clock that nobody sets. */
function clockAt(ms: number) {
  vi.spyOn(performance, 'now').mockReturnValue(ms)
}

test('[PL6] an empty round of today and tomorrow removes nothing, a second one half a minute later does; what a window said counts for neither', async () => {
  const device = await app.open()
  const { length } = await windowRows(app)
  await until(async () => (await device.db.requests.count().exec()) === length)
  const problems: string[] = []
  const clock = { now: () => NOW, stamp: () => '', expiryNow: () => NOW }
  const removals = createRequestRemovals({
    db: device.db,
    clock,
    report: (problem) => problems.push(problem),
    isBeingWritten: () => false,
  })
  /** An empty answer to a round. */
  async function look(range: Range) {
    const search = newSearch({
      name: 'window',
      filter: { ...NO_FILTER, ...rangeDays(range, NOW) },
      range,
      mark: { stamp: LATER, at: '' },
      fetchRequest: undefined,
    })
    const page = pageOf({ rows: [], problems: [], skipped: [], unreadable: false }, 0)
    const { snapshot } = withPage(NO_PAGES, page)
    const { docs, isDoubted } = await removals.of({ ...search, snapshot })
    return { days: [...new Set(docs.map(({ workingDate }) => workingDate))].toSorted(), isDoubted }
  }
  clockAt(0)
  expect(await look('window')).toMatchObject({ days: [], isDoubted: true })
  clockAt(SECOND_READ_MS)
  expect(await look('near')).toMatchObject({ days: [], isDoubted: true })
  clockAt(2 * SECOND_READ_MS - 1)
  expect(await look('near')).toMatchObject({ days: [], isDoubted: true })
  clockAt(2 * SECOND_READ_MS)
  expect(await look('near')).toMatchObject({ days: ['2026-11-20', '2026-11-21'], isDoubted: false })
  expect(problems).toHaveLength(2)
})

test('[PL6] what something unsent holds back is missing all the same: most rows gone remove nothing at first', async () => {
  const device = await app.open()
  const rows = await windowRows(app)
  await until(async () => (await device.db.requests.count().exec()) === rows.length)
  device.network.next(false)
  const { from, to } = rangeDays('near', NOW)
  const near = { workingDate: { $gte: from, $lte: to } }
  const [seen, leaving, ...held] = await device.db.requests.find({ selector: near }).exec()
  if (!seen || !leaving || held.length < 3) throw new Error('more rows expected')
  for (const request of held) await enter(device, request.toMutableJSON())
  const clock = { now: () => NOW, stamp: () => '', expiryNow: () => NOW }
  const removals = createRequestRemovals({
    db: device.db,
    clock,
    report: () => undefined,
    isBeingWritten: () => false,
  })
  const search = newSearch({
    name: 'window',
    filter: { ...NO_FILTER, from, to },
    range: 'near',
    mark: { stamp: LATER, at: '' },
    fetchRequest: undefined,
  })
  const snapshot = { seen: new Set([seen.key]), counted: 1, totals: [1], unreadable: false }
  clockAt(0)
  expect(await removals.of({ ...search, snapshot })).toMatchObject({ docs: [], isDoubted: true })
  clockAt(SECOND_READ_MS)
  const { docs } = await removals.of({ ...search, snapshot })
  expect(docs.map(({ key }) => key)).toEqual([leaving.key])
})

test('[PL9] what was read since a round began is not missing from its answer, however late that comes', async () => {
  const device = await app.open()
  const rows = await windowRows(app)
  await until(async () => (await device.db.requests.count().exec()) === rows.length)
  const { from, to } = rangeDays('near', NOW)
  const near = { workingDate: { $gte: from, $lte: to } }
  const here = await device.db.requests.find({ selector: near }).exec()
  const [gone, ...seen] = here.map(({ key }) => key)
  if (!gone) throw new Error('rows expected')
  const since = { workingDate: from, readStamp: '8', confirmedAt: new Date(NOW).toISOString() }
  await device.db.requests.insert(requestRecord('since', since))
  // stamped while the clock stood ahead, it is nobody's word on when it was read (EX3)
  const ahead = { ...since, confirmedAt: new Date(NOW + 72 * 3_600_000).toISOString() }
  const { key } = await device.db.requests.insert(requestRecord('ahead', ahead))
  const clock = { now: () => NOW, stamp: () => '', expiryNow: () => NOW }
  const removals = createRequestRemovals({
    db: device.db,
    clock,
    report: () => undefined,
    isBeingWritten: () => false,
  })
  const search = newSearch({
    name: 'near',
    filter: { ...NO_FILTER, from, to },
    range: 'near',
    mark: { stamp: '7', at: '' },
    fetchRequest: undefined,
  })
  const { length } = seen
  const snapshot = { seen: new Set(seen), counted: length, totals: [length], unreadable: false }
  const { docs } = await removals.of({ ...search, snapshot })
  expect(docs.map((doc) => doc.key).toSorted()).toEqual([gone, key].toSorted())
})

test('[EX1][trap 14] what was read anew and is about to be written has not expired, nor is it dated anew', async () => {
  const device = await app.open()
  const day = 24 * 3_600_000
  const old = { workingDate: '2026-11-19', confirmedAt: new Date(NOW - day - 1).toISOString() }
  const ahead = { ...old, confirmedAt: new Date(NOW + 3 * day).toISOString() }
  const keys: string[] = []
  for (const [id, change] of Object.entries({ 'old-read': old, old, 'ahead-read': ahead, ahead }))
    keys.push((await device.db.requests.insert(requestRecord(id, change))).key)
  const clock = { now: () => NOW, stamp: () => '', expiryNow: () => NOW }
  const read = new Set([keys[0], keys[2]])
  const isBeingWritten = (key: string) => read.has(key)
  const removals = createRequestRemovals({ db: device.db, clock, report: () => undefined, isBeingWritten })
  const told = (await removals.expired()).map(({ key, _deleted }) => [key, _deleted])
  expect(told.filter(([key]) => keys.includes(String(key)))).toEqual([
    [keys[3], false],
    [keys[1], true],
  ])
})

test('[EX3] a request that a clock far ahead has stamped is given the time of now, once', async () => {
  const device = await app.open({ online: false })
  const isoAt = (ms: number) => new Date(ms).toISOString()
  const [fresh, future] = ['r1', 'r2'].map((key) => requestRecord(key, { confirmedAt: isoAt(NOW) }))
  if (!fresh || !future) throw new Error('no request')
  await device.db.requests.bulkInsert([fresh, { ...future, confirmedAt: isoAt(NOW + 240 * 3_600_000) }])
  const clock = { now: () => NOW, stamp: () => '', expiryNow: () => NOW }
  const parts = { db: device.db, clock, report: () => undefined, isBeingWritten: () => false }
  const { expired } = createRequestRemovals(parts)
  expect(await expired()).toMatchObject([{ key: future.key, confirmedAt: isoAt(NOW), _deleted: false }])
  expect(await expired()).toEqual([])
})
