import { expect, test } from 'vitest'
import { PAGE_SIZE } from '#schemas/limits.ts'
import { visitKey } from '#schemas/resources/visit-key.ts'
import type { RequestRecord } from '#schemas/resources/request.ts'
import { askRecord, askRefresh } from '#data/fetch-requests/interests.ts'
import { saveEntry } from '#data/resources/quick-report-changes.ts'
import { saveReport } from '#features/quick-report/commands.ts'
import { until, type Device } from '../../support/device.ts'
import { COMPLETED, IN_TIME, NOW, nth, replicationScene, WINDOW_DAYS } from '../../support/replication.ts'
import { serveRows, windowRows } from '../../support/search-pages.ts'
import { viewIn, viewsIn } from '../../support/stored-views.ts'

const app = replicationScene()

const keysOn = async (device: Device) => (await device.db.requests.find().exec()).map(({ key }) => key)
const searches = () => app.crm.calls.filter(({ path }) => path.includes('request/search'))
const keyOf = ({ id, workingDate }: { id: string; workingDate: string }) => visitKey(id, workingDate)

/** Opens the app and waits until the whole window and its details are on the device. */
async function openFull(): Promise<Device> {
  const device = await app.open()
  const { length } = await windowRows(app)
  await until(async () => {
    const docs = await device.db.requests.find().exec()
    return docs.length === length && docs.every(({ detailConfirmedAt }) => detailConfirmedAt !== '')
  })
  return device
}
/** Reads the window anew. @returns once its first page was asked for, or all that a search of it has */
async function refresh(device: Device, upTo: 'first' | 'all' = 'first') {
  const pages = upTo === 'all' ? Math.ceil((await windowRows(app)).length / PAGE_SIZE) : 1
  const before = searches().length
  app.phone.now += 1_000
  await askRefresh(device.db, app.phone.now)
  await until(() => searches().length >= before + pages && searches().every(({ status }) => status !== 0))
}
/** What was read is written, and what comes of that, too. */
const settled = () => app.quiet(300)
const enter = (device: Device, request: RequestRecord) => saveEntry(device.saver(), [request], IN_TIME)

test('[PL4] the window is read over several pages, each row once', async () => {
  app.daysAhead = WINDOW_DAYS
  const device = await openFull()
  const rows = await windowRows(app)
  expect(rows.length).toBeGreaterThan(100)
  expect((await keysOn(device)).toSorted()).toEqual(rows.map(keyOf).toSorted())
  const offsets = searches().map(({ path }) => new URLSearchParams(path.split('?')[1]).get('offset'))
  expect(offsets).toEqual(['1', '51', '101'])
})

test('[PL1] a row that a complete snapshot no longer has goes from the device, and nothing is sent of it', async () => {
  const device = await openFull()
  const rows = await windowRows(app)
  const [gone, ...left] = rows.toReversed()
  if (!gone) throw new Error('rows expected')
  await serveRows(app, left.toReversed())
  await refresh(device)
  await until(async () => !(await keysOn(device)).includes(keyOf(gone)))
  expect((await keysOn(device)).length).toBe(left.length)
  await settled()
  expect(app.crm.calls.filter(({ method }) => method !== 'GET').map(({ path }) => path)).toEqual([
    '/api/v1/crm/login',
  ])
})

test('[PL1][SV3] a row that is gone stays while something unsent hangs on it', async () => {
  const device = await openFull()
  const request = nth(await app.freeRequests(device), 0)
  await app.crm.faults.add({
    id: 'no',
    kind: 'status',
    status: 422,
    path: 'quickReport/$',
    method: 'POST',
    count: 1,
  })
  await enter(device, request)
  await until(async () => (await device.queue())[0]?.state === 'failed')
  const rows = await windowRows(app)
  const other = nth(await app.freeRequests(device), 1)
  await serveRows(
    app,
    rows.filter((row) => ![request.key, other.key].includes(keyOf(row))),
  )
  await refresh(device)
  await until(async () => !(await keysOn(device)).includes(other.key))
  expect(await keysOn(device)).toContain(request.key)
  expect(await device.queue()).toHaveLength(1)
})

test('[PL1] a page that fails removes nothing', async () => {
  app.daysAhead = WINDOW_DAYS
  const device = await openFull()
  const rows = await windowRows(app)
  const before = (await keysOn(device)).toSorted()
  await serveRows(app, rows.slice(1))
  await app.crm.faults.remove('page 1')
  await app.crm.faults.add({ id: '500', kind: 'status', status: 500, path: 'offset=51$', count: 'always' })
  await refresh(device, 'all')
  await settled()
  expect((await keysOn(device)).toSorted()).toEqual(before)
})

test.each([
  ['the total of the pages differs', (n: number) => [n + 1, n, n]],
  ['there are fewer rows than the total', (n: number) => [n + 1, n + 1, n + 1]],
])('[PL1] %s: nothing is removed', async (_, totals) => {
  app.daysAhead = WINDOW_DAYS
  const device = await openFull()
  const rows = await windowRows(app)
  const before = (await keysOn(device)).toSorted()
  await serveRows(app, rows.slice(1), totals(rows.length - 1))
  await refresh(device, 'all')
  await settled()
  expect((await keysOn(device)).toSorted()).toEqual(before)
})

test('[PL2] a malformed row is skipped and reported, the others are stored, unknown fields pass', async () => {
  const rows = await windowRows(app)
  const [bad, odd, ...others] = rows
  if (!bad || !odd) throw new Error('rows expected')
  await serveRows(app, [{ ...bad, workingStartTime: 'soon' }, { ...odd, brandNew: { a: 1 } }, ...others])
  const device = await app.open()
  await until(async () => (await keysOn(device)).length === rows.length - 1)
  expect(await keysOn(device)).toEqual(expect.arrayContaining([odd, ...others].map(keyOf)))
  expect(await keysOn(device)).not.toContain(keyOf(bad))
  expect(device.problems).toEqual([expect.stringContaining('workingStartTime')])
})

test('[PL2] a row on the device that becomes malformed stays as it was', async () => {
  const device = await openFull()
  const rows = await windowRows(app)
  const [bad, gone, ...others] = rows
  if (!bad || !gone) throw new Error('rows expected')
  const before = await device.request(keyOf(bad))
  await serveRows(app, [{ ...bad, ttsOrder: null }, ...others])
  await refresh(device)
  await until(async () => !(await keysOn(device)).includes(keyOf(gone)))
  expect((await device.request(keyOf(bad))).locationName).toBe(before.locationName)
  expect(device.problems.join()).toContain('ttsOrder')
})

test('[PL2] a row without a key: nothing is taken for missing', async () => {
  const device = await openFull()
  const rows = await windowRows(app)
  const before = (await keysOn(device)).toSorted()
  await serveRows(app, [{ ...rows[0], id: null }, ...rows.slice(1)])
  await refresh(device, 'all')
  await until(() => device.problems.length > 0)
  await settled()
  expect((await keysOn(device)).toSorted()).toEqual(before)
})

test('[PL3] what another company changed arrives, and the unsent edit stays', async () => {
  const device = await openFull()
  const reports = await viewsIn(device.db, 'quickReports', { workingDate: '2026-11-20' })
  const doc = reports.find(({ server }) => server?.outTime)
  if (!doc) throw new Error('a report with its exit expected')
  await app.crm.faults.add({
    id: 'away',
    kind: 'status',
    status: 503,
    path: 'quickReport/',
    method: 'PUT',
    count: 'always',
  })
  await saveReport(device.saver(), [doc], 'edit', {
    ...COMPLETED,
    reportContent: '端末での編集',
  })
  await app.crm.actAsOtherCompany()
  await refresh(device, 'all')
  await settled()
  // it is tried again and again meanwhile
  await until(async () => (await device.queue()).every(({ state }) => state === 'waiting'))
  expect(await device.queue()).toMatchObject([{ change: { fields: { reportContent: '端末での編集' } } }])
  await app.crm.faults.clear()
  await app.sent(device)
  expect(await app.reports(doc.requestId)).toMatchObject([{ reportContent: '端末での編集' }])
})

test('[PL3][SV3] an edit that is refused while its report is being read is not lost', async () => {
  // longer than a busy machine stands still
  app.phone.timeoutMs = 20_000
  const device = await openFull()
  const doc = nth(
    (await viewsIn(device.db, 'quickReports', { workingDate: '2026-11-20' })).filter(
      ({ server }) => server?.outTime,
    ),
    0,
  )
  const latest = () => viewIn(device.db, 'quickReports', doc.key)
  await until(async () => (await latest()).server?.detailed === true)
  // another company's edit of the type makes the report due to be read
  const rows = await windowRows(app)
  const changed = rows.map((row) =>
    keyOf(row) === doc.key ? { ...row, quickReport: { ...row.quickReport, type: '2' } } : row,
  )
  await serveRows(app, changed)
  const path = `quickReport/${doc.serverId}`
  await app.crm.faults.add({ id: 'slow', kind: 'delay', path, method: 'GET', count: 1, ms: 4_000 })
  await app.crm.faults.add({ id: 'no', kind: 'status', status: 422, path, method: 'PUT', count: 1 })
  const reads = () => app.crm.calls.filter((call) => call.method === 'GET' && call.path.includes(path))
  // the round after the start may read the changed row, too: the read is looked for from here on
  const isRefreshed = refresh(device, 'all')
  // a screen has it open: that is read at once, whatever else is due
  await askRecord(device.db, app.phone.now, 'quickReports', doc.serverId)
  await until(() => reads().some(({ status }) => status === 0))
  await saveReport(device.saver(), [await latest()], 'edit', {
    ...COMPLETED,
    reportContent: '断られる編集',
  })
  await until(async () => (await device.queue())[0]?.state === 'failed')
  await until(() => reads().every(({ status }) => status === 200))
  await isRefreshed
  await settled()
  expect(await device.queue()).toMatchObject([
    { state: 'failed', change: { fields: { reportContent: '断られる編集' } } },
  ])
})

test('[PL3] an entry whose answer was lost is shown once, though a pull brings it too', async () => {
  const device = await openFull()
  const request = nth(await app.freeRequests(device), 0)
  await app.crm.faults.add({
    id: 'lost',
    kind: 'lostAnswer',
    path: 'quickReport/$',
    method: 'POST',
    count: 1,
  })
  await app.crm.faults.add({
    id: 'back',
    kind: 'status',
    status: 503,
    path: `request/${request.id}`,
    count: 1,
  })
  await enter(device, request)
  await until(() => app.writes().some(({ acted }) => acted))
  await refresh(device, 'all')
  await app.sent(device)
  const shown = await viewsIn(device.db, 'quickReports', { requestId: request.id })
  expect(shown.filter(({ workingDate }) => workingDate === request.workingDate)).toHaveLength(1)
  expect(await app.reports(request.id)).toHaveLength(1)
  expect(app.phone.now).toBeGreaterThan(NOW)
})
