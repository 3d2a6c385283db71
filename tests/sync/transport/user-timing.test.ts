import { beforeEach, expect, test } from 'vitest'
import { watchQueueSent } from '#app/shell/user-notifications.ts'
import { askRefresh } from '#data/fetch-requests/interests.ts'
import { until, type Device } from '../../support/device.ts'
import { enter, nth, todayScene } from '../../support/replication.ts'
import { windowRows } from '../../support/search-pages.ts'

const app = todayScene()
const timed = (name: string) => performance.getEntriesByName(name)

beforeEach(() => performance.clearMeasures())

/** Reads the whole window anew. */
async function refreshed(device: Device) {
  app.phone.now += 1_000
  await askRefresh(device.db, app.phone.now)
  const isAnswered = async () =>
    (await device.db.interests.find({ selector: { kind: 'refresh' } }).exec()).every(
      ({ state }) => state === 'answered',
    )
  await until(isAnswered)
}

function watched(device: Device) {
  const online$ = device.network
  const connectivity = {
    online$,
    mayTry$: online$,
    cameOnline$: online$,
    isOnline: () => online$.value,
    begin: () => () => undefined,
    stop: () => undefined,
  }
  let said = 0
  const watching = watchQueueSent(device.db, connectivity, () => void (said += 1))
  return { said: () => said, stop: () => watching.unsubscribe() }
}

test('[User Timing] sync:initial stands once the window is on the device, and not before', async () => {
  await app.crm.faults.add({ id: 'down', kind: 'unreachable', path: '/spa/request/search', count: 'always' })
  const device = await app.open()
  await until(() => app.crm.calls.some(({ path }) => path.includes('/spa/request/search')))
  expect(timed('sync:initial')).toEqual([])
  await app.crm.faults.clear()
  device.network.next(false)
  device.network.next(true)
  await until(() => timed('sync:initial').length > 0)
  expect(await device.db.requests.count().exec()).toBe((await windowRows(app)).length)
  expect(timed('sync:initial')).toHaveLength(1)
})

test('[User Timing] sync:replay runs from the signal’s return until what waited is sent', async () => {
  const device = await app.open()
  const request = nth(await app.freeRequests(device), 0)
  const watching = watched(device)
  device.network.next(false)
  await enter(device, request)
  await until(async () => (await device.queue()).length === 1)
  expect(timed('sync:replay')).toEqual([])
  const back = performance.now()
  device.network.next(true)
  await until(() => timed('sync:replay').length > 0)
  expect(nth(timed('sync:replay'), 0).startTime).toBeGreaterThanOrEqual(back)
  expect(await app.reports(request.id)).toHaveLength(1)
  expect(watching.said()).toBe(1)
  watching.stop()
})

test('[User Timing] what is saved and sent with a signal is no replay', async () => {
  const device = await app.open()
  const request = nth(await app.freeRequests(device), 0)
  const watching = watched(device)
  await enter(device, request)
  await app.sent(device)
  expect(await app.reports(request.id)).toHaveLength(1)
  expect([watching.said(), timed('sync:replay').length]).toEqual([0, 0])
  watching.stop()
})

test('[User Timing] sync:round stands for each round that was read at once; one that had to be tried again has none', async () => {
  const device = await app.open()
  await until(() => timed('sync:round').length > 0)
  const first = nth(timed('sync:round'), 0)
  expect(first.duration).toBeGreaterThan(0)
  const search = { id: 'down', kind: 'status', status: 500, path: '/spa/request/search', count: 1 } as const
  await app.crm.faults.add(search)
  const before = app.crm.calls.length
  await refreshed(device)
  expect(
    app.crm.calls.slice(before).filter(({ path }) => path.includes('/spa/request/search')).length,
  ).toBeGreaterThan(1)
  expect(nth(timed('sync:round'), 0).startTime).toBe(first.startTime)
  await refreshed(device)
  expect(timed('sync:round')).toHaveLength(1)
  expect(nth(timed('sync:round'), 0).startTime).toBeGreaterThan(first.startTime)
})
