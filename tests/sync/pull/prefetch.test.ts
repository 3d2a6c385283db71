import { firstValueFrom } from 'rxjs'
import { beforeEach, expect, test } from 'vitest'
import { visitList$ } from '#data/visits/visits.ts'
import { askList, askRefresh } from '#data/fetch-requests/interests.ts'
import { atRest } from '../../support/at-rest.ts'
import { until, type Device } from '../../support/device.ts'
import { replicationScene, TODAY, WINDOW_DAYS } from '../../support/replication.ts'
import { viewsIn } from '../../support/stored-views.ts'

const app = replicationScene()

const today = async (device: Device) => {
  const { rows, visitOf } = await firstValueFrom(visitList$(device.db))
  return rows.filter(({ workingDate }) => workingDate === TODAY).map(visitOf)
}
const untilUsable = (device: Device) =>
  until(async () => {
    const visits = await today(device)
    return visits.length > 0 && visits.every(({ usableOffline }) => usableOffline)
  }, 30_000)

// a read that takes longer is made once more: on a busy machine that would count as twice
beforeEach(() => {
  app.phone.timeoutMs = 20_000
})

test('[PL4][PL5][PL9] today’s requests become usable offline, one place of the 4 stays free for screens', async () => {
  const under = { way: 0, most: 0 }
  const { fetch } = app.crm
  app.crm.fetch = async (request) => {
    if (request.method !== 'GET') return fetch(request)
    under.way += 1
    under.most = Math.max(under.most, under.way)
    try {
      // a fourth would have come by then
      await atRest(5)
      return await fetch(request)
    } finally {
      under.way -= 1
    }
  }
  const device = await app.open()
  await untilUsable(device)
  expect(under.most).toBeGreaterThan(1)
  expect(under.most).toBeLessThan(4)
  const visits = await today(device)
  const { notes } = await app.crm.inspect()
  const areas = new Set(visits.map(({ request }) => request.locationAreaId))
  const kept = await viewsIn(device.db, 'noteLocationAreas')
  for (const note of notes.filter(({ locationAreaId }) => areas.has(locationAreaId)))
    expect(kept.some(({ serverId }) => serverId === note.id)).toBe(true)
  expect((await device.db.pastReports.find().exec()).length).toBeGreaterThan(0)
  expect((await device.db.supplierStaff.find().exec()).length).toBeGreaterThan(0)
})

test('[PL4] it stays so without signal after a restart', async () => {
  const device = await app.open()
  await untilUsable(device)
  await app.close(device)
  const again = await app.open({ online: false })
  const visits = await today(again)
  expect(visits.length).toBeGreaterThan(0)
  expect(visits.filter(({ usableOffline }) => !usableOffline)).toEqual([])
})

test('[PL5] a refetch does not read the staff and the past reports again', async () => {
  const device = await app.open()
  await untilUsable(device)
  const lists = () => app.crm.calls.filter(({ path }) => path.includes('emergencyReport/request')).length
  const listsBefore = lists()
  app.phone.now += 60_000
  await askRefresh(device.db, app.phone.now)
  await until(() => lists() > listsBefore)
  const seldom = app.crm.calls
    .map(({ path }) => path)
    .filter((path) => /spa\/(supplierStaff|report)\//.test(path))
  expect(seldom.length).toBeGreaterThan(0)
  expect(seldom.filter((path, at) => seldom.indexOf(path) !== at)).toEqual([])
})

test('[PL5] opened again within two hours, no list of today’s is read anew; after six, each is', async () => {
  const first = await app.open()
  await untilUsable(first)
  // what is done is confirmed less often
  const docs = await first.db.requests.find({ selector: { workingDate: TODAY } }).exec()
  const ids = docs.filter(({ quickReport }) => !quickReport?.outTime).map(({ id }) => id)
  const readsOf = (path: string) => app.crm.calls.filter((call) => call.path.includes(path)).length
  const lists = () => ids.map((id) => readsOf(`emergencyReport/request/${id}`))
  const details = () => ids.map((id) => readsOf(`spa/request/${id}?`))
  expect(lists()).toEqual(ids.map(() => 1))
  await app.close(first)
  app.phone.now += 110 * 60_000
  const second = await app.open()
  await until(() => details().some((reads) => reads >= 2), 30_000)
  await app.quiet(300)
  expect(lists()).toEqual(ids.map(() => 1))
  await app.close(second)
  app.phone.now += 250 * 60_000
  await app.open()
  await until(() => lists().every((reads) => reads === 2), 30_000)
})

test('[PL5] what hangs on requests is read after the last page of the window, what a screen waits for at once', async () => {
  app.daysAhead = WINDOW_DAYS
  await app.crm.faults.add({ id: 'slow', kind: 'delay', path: 'offset=101$', count: 1, ms: 1_500 })
  const device = await app.open()
  const callsOf = (part: string) => app.crm.calls.filter(({ path }) => path.includes(part))
  await until(async () => (await device.db.requests.find().exec()).length >= 100)
  const { id } = (await device.db.requests.findOne().exec(true)).toMutableJSON()
  await askList(device.db, app.phone.now, { collection: 'emergencyReports', owner: id, requestId: id })
  const lists = () => [
    ...callsOf('emergencyReport/request'),
    ...callsOf('noteLocationArea'),
    ...callsOf('/safety/'),
  ]
  await until(() => lists().length > 0)
  expect(lists().map(({ path }) => path)).toEqual([expect.stringContaining(`emergencyReport/request/${id}`)])
  expect(callsOf('offset=101')).toMatchObject([{ status: 0 }])
  await until(() => lists().length > 10)
  expect(callsOf('offset=101')).toMatchObject([{ status: 200 }])
})
