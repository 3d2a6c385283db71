import { expect, test } from 'vitest'
import { PAGE_SIZE } from '#schemas/limits.ts'
import { visitKey } from '#schemas/resources/visit-key.ts'
import type { RequestFilter } from '#schemas/device/interest.ts'
import {
  askDetail,
  askRefresh,
  askSearch,
  detailInterest,
  SEARCH_INTEREST,
} from '#data/fetch-requests/interests.ts'
import { atRest } from '../../support/at-rest.ts'
import { until, type Device } from '../../support/device.ts'
import { nth, TODAY, replicationScene, WINDOW_DAYS } from '../../support/replication.ts'
import { serveRows, windowRows } from '../../support/search-pages.ts'
import { viewsIn } from '../../support/stored-views.ts'

const app = replicationScene()

const LIMIT_MS = 30_000
const TOMORROW = '2026-11-21'
const YESTERDAY = '2026-11-19'
const HOUR = 3_600_000
const NO_CONDITIONS: RequestFilter = {
  from: '',
  to: '',
  requestCode: '',
  locationName: '',
  customerName: '',
  orderFlags: [],
  emergencyOnly: false,
}
const records = async (device: Device) =>
  (await device.db.requests.find().exec()).map((doc) => doc.toMutableJSON())
const interest = async (device: Device, key: string) => {
  const doc = await device.db.interests.findOne(key).exec(true)
  return doc.toMutableJSON()
}
const isDetail = (url: string) => /spa\/request\/r[0-9a-z]+-\d/.test(url)
/** The requests whose details were read, as keys, since a number of calls. */
const detailsSince = (calls: number) =>
  app.crm.calls
    .slice(calls)
    .filter(({ path }) => isDetail(path))
    .map(({ path }) => {
      const { pathname, searchParams } = new URL(path, 'http://crm.test')
      return visitKey(pathname.split('/').at(-1) ?? '', searchParams.get('workingDate') ?? '')
    })

/** Opens the app and waits until the whole window and its details are on the device. */
async function openFull(): Promise<Device> {
  const device = await app.open()
  const { length } = await windowRows(app)
  await until(async () => {
    const rows = await records(device)
    return rows.length === length && rows.every(({ detailConfirmedAt }) => detailConfirmedAt !== '')
  })
  return device
}
/** How many pages a search of the window has. */
const pages = async () => Math.ceil((await windowRows(app)).length / PAGE_SIZE)
async function refresh(device: Device) {
  const [before, wanted] = [app.crm.calls.length, await pages()]
  app.phone.now += 60_000
  await askRefresh(device.db, app.phone.now)
  await until(
    () => app.crm.calls.slice(before).filter(({ path }) => path.includes('request/search')).length === wanted,
  )
  return before
}
/** Longer than anything waits here before it is looked for again. */
const LOOKED_FOR_MS = 400
const quiet = () => app.quiet(LOOKED_FOR_MS)

test('[PL4] at the end every request of the window has its details', async () => {
  app.daysAhead = WINDOW_DAYS
  const device = await openFull()
  for (const { detail } of await records(device)) expect(detail?.devices.length).toBeGreaterThan(0)
  expect(new Set(detailsSince(0)).size).toBe((await windowRows(app)).length)
})

test('[PL4] at the end every report with its exit has its reasons and content', async () => {
  const device = await openFull()
  const reports = await until(async () => {
    const docs = (await viewsIn(device.db, 'quickReports')).filter(({ server }) => server?.outTime)
    return docs.length > 0 && docs.every(({ server }) => server?.detailed) && docs
  })
  const { quickReports } = await app.crm.inspect()
  for (const { serverId, server } of reports)
    expect(server?.reportContent).toBe(quickReports.find(({ id }) => id === serverId)?.reportContent)
})

/** Today's and tomorrow's, and before noon what goes on since yesterday. */
const isNear = ({ workingDate, quickReport }: Awaited<ReturnType<typeof records>>[number]) =>
  [TODAY, TOMORROW].includes(workingDate) || (workingDate === YESTERDAY && !quickReport?.outTime)

test('[PL5] データを今すぐ更新 reads the details of today’s and tomorrow’s requests, of what goes on since yesterday, and of no other', async () => {
  const device = await openFull()
  const near = (await records(device)).filter(isNear)
  const before = await refresh(device)
  await until(() => detailsSince(before).length >= near.length, LIMIT_MS)
  await quiet()
  expect(detailsSince(before).toSorted()).toEqual(near.map(({ key }) => key).toSorted())
})

test('[PL5] a request whose row changed has its details read again', async () => {
  const device = await openFull()
  const rows = await windowRows(app)
  const far = nth(
    rows.filter(({ workingDate }) => workingDate > TOMORROW),
    0,
  )
  const key = visitKey(far.id, far.workingDate)
  await serveRows(
    app,
    rows.map((row) => (row === far ? { ...row, situation: '依頼内容が変わりました' } : row)),
  )
  const before = await refresh(device)
  await until(() => detailsSince(before).includes(key), LIMIT_MS)
  await quiet()
  const near = new Set((await records(device)).filter(isNear).map((record) => record.key))
  expect(detailsSince(before).filter((read) => !near.has(read))).toEqual([key])
})

type Way = 'network' | 'visible$'
/** The signal goes and comes back, and 3.5 s later there is a round; or the app does, and it is at once. @returns how many calls there were before */
async function round(device: Device, later: number, way: Way = 'network') {
  await quiet()
  const before = app.crm.calls.length
  device[way].next(false)
  app.phone.now += later
  device[way].next(true)
  await until(() => app.crm.calls.slice(before).some(({ path }) => path.includes('request/search')), 20_000)
  await quiet()
  return before
}

test('[PL5] a round that finds nothing changed reads one page of rows, those of today and tomorrow, and nothing else', async () => {
  const device = await openFull()
  const before = await round(device, 5 * 60_000)
  const paths = app.crm.calls.slice(before).map(({ path }) => new URL(path, 'http://crm.test'))
  expect(paths.map(({ pathname }) => pathname.split('/spa/')[1])).toEqual(['request/search'])
  expect(paths[0]?.searchParams.get('workingDateFrom')).toBe(TODAY)
  expect(paths[0]?.searchParams.get('workingDateTo')).toBe(TOMORROW)
})

test('[PL5] after half an hour the whole window is read, after two hours the details of what is still to be done today', async () => {
  app.daysAhead = WINDOW_DAYS
  const device = await openFull()
  const searches = (calls: number) =>
    app.crm.calls.slice(calls).filter(({ path }) => path.includes('request/search')).length
  const half = await round(device, 30 * 60_000, 'visible$')
  expect(searches(half)).toBe(3)
  expect(detailsSince(half)).toEqual([])
  const toDo = (await records(device)).filter(
    ({ workingDate, quickReport }) => workingDate === TODAY && !quickReport?.outTime,
  )
  const later = await round(device, 90 * 60_000, 'visible$')
  expect(detailsSince(later).toSorted()).toEqual(toDo.map(({ key }) => key).toSorted())
})

test('[PL10] what is only to be confirmed waits for its pace, and goes at once when the user asks', async () => {
  const device = await openFull()
  const tomorrows = (await records(device)).filter(({ workingDate }) => workingDate === TOMORROW)
  const waited = await round(device, 13 * HOUR)
  expect(detailsSince(waited).filter((key) => key.endsWith(TOMORROW))).toEqual([])
  const asked = await refresh(device)
  await until(() => detailsSince(asked).filter((key) => key.endsWith(TOMORROW)).length === tomorrows.length)
})

test('[PL5] at most 4 reads at once', async () => {
  app.daysAhead = WINDOW_DAYS
  const under = { way: 0, most: 0, reads: 0 }
  const { fetch } = app.crm
  app.crm.fetch = async (request) => {
    if (request.method !== 'GET') return fetch(request)
    under.reads += 1
    under.way += 1
    under.most = Math.max(under.most, under.way)
    // a fifth would have come by then
    await atRest(5)
    return fetch(request).finally(() => (under.way -= 1))
  }
  await openFull()
  await quiet()
  expect(under.reads).toBeGreaterThan(100)
  expect(under.most).toBeGreaterThan(1)
  expect(under.most).toBeLessThanOrEqual(4)
})

test('[PL4] of four details read at once one fails: the other three are not lost', async () => {
  const rows = await windowRows(app)
  const today = rows.filter(({ workingDate }) => workingDate === TODAY)
  const second = nth(today, 1)
  await app.crm.faults.add({
    id: 'down',
    kind: 'status',
    status: 503,
    path: `request/${second.id}`,
    count: 1,
  })
  const device = await openFull()
  expect(await records(device)).toHaveLength(rows.length)
  expect(app.crm.calls.filter(({ status }) => status === 503)).toHaveLength(1)
})

test('[PL5][PL10] a search beyond the window brings its rows in, and is answered; their details go at the pace, the one that is opened at once', async () => {
  const device = await openFull()
  const [begun, { length: before }] = [app.crm.calls.length, await windowRows(app)]
  app.daysAhead = 30
  const beyond = { ...NO_CONDITIONS, from: '2026-12-10', to: '2026-12-12' }
  await askSearch(device.db, app.phone.now, beyond)
  await until(async () => (await interest(device, SEARCH_INTEREST)).state === 'answered')
  const wanted = (await app.crm.inspect()).requests(beyond.from, beyond.to)
  expect(wanted.length).toBeGreaterThan(0)
  expect((await interest(device, SEARCH_INTEREST)).total).toBe(wanted.length)
  const keys = await until(async () => {
    const found = (await records(device)).filter(({ workingDate }) => workingDate >= beyond.from)
    return found.length === wanted.length && found.map(({ key }) => key)
  })
  expect(keys.toSorted()).toEqual(wanted.map(({ id, workingDate }) => visitKey(id, workingDate)).toSorted())
  expect((await records(device)).length).toBe(before + wanted.length)
  const read = () => detailsSince(begun).filter((key) => keys.includes(key))
  await quiet()
  expect(read()).toEqual([])
  const { id, workingDate } = nth(wanted, 0)
  await askDetail(device.db, app.phone.now, id, workingDate)
  await until(async () => (await interest(device, detailInterest(id, workingDate))).state === 'answered')
  await quiet()
  expect(read()).toEqual([visitKey(id, workingDate)])
})

test('[PL1b] a search with conditions takes nothing for gone', async () => {
  const device = await openFull()
  const before = (await records(device)).length
  await askSearch(device.db, app.phone.now, {
    ...NO_CONDITIONS,
    from: TODAY,
    to: TODAY,
    requestCode: 'nowhere',
  })
  await until(async () => (await interest(device, SEARCH_INTEREST)).state === 'answered')
  await quiet()
  expect((await interest(device, SEARCH_INTEREST)).total).toBe(0)
  expect(await records(device)).toHaveLength(before)
})

test('a search that the CRM refuses is answered as failed, and the rest goes on', async () => {
  const device = await openFull()
  await app.crm.faults.add({ id: 'no', kind: 'status', status: 400, path: 'requestCode=R', count: 1 })
  await askSearch(device.db, app.phone.now, { ...NO_CONDITIONS, requestCode: 'R' })
  await until(async () => (await interest(device, SEARCH_INTEREST)).state === 'failed')
  await refresh(device)
  expect(device.problems).toHaveLength(1)
})

test('one request that is asked for is read first; one that the CRM does not have is missing', async () => {
  const device = await openFull()
  const there = nth(await windowRows(app), 3)
  const before = app.crm.calls.length
  await askDetail(device.db, app.phone.now, there.id, there.workingDate)
  await askDetail(device.db, app.phone.now, 'nobody', TODAY)
  const stateOf = async (id: string, day: string) => (await interest(device, detailInterest(id, day))).state
  await until(async () => (await stateOf('nobody', TODAY)) === 'missing')
  await until(async () => (await stateOf(there.id, there.workingDate)) === 'answered')
  expect(detailsSince(before)).toEqual([visitKey(there.id, there.workingDate)])
  expect(device.problems).toEqual([])
})

test('a request opened by a link is fetched for the day that comes next', async () => {
  const device = await app.open()
  const far = nth((await app.crm.inspect()).requests('2026-12-15', '2026-12-15'), 0)
  await askDetail(device.db, app.phone.now, far.id, '')
  const record = await until(async () => (await records(device)).find(({ id }) => id === far.id) ?? false)
  expect(record).toMatchObject({ workingDate: '2026-12-15', requestCode: far.requestCode })
  expect(record.detail?.devices.length).toBeGreaterThan(0)
})

test('更新 while offline is carried out when the signal is back', async () => {
  const device = await openFull()
  const before = app.crm.calls.length
  device.network.next(false)
  await askRefresh(device.db, app.phone.now + 1)
  await atRest()
  expect(app.crm.calls.length).toBe(before)
  device.network.next(true)
  const searches = () => app.crm.calls.slice(before).filter(({ path }) => path.includes('request/search'))
  await until(async () => (await interest(device, 'refresh')).state === 'answered')
  const wanted = await pages()
  await until(() => searches().length >= wanted)
  expect(searches().every(({ status }) => status === 200)).toBe(true)
})
