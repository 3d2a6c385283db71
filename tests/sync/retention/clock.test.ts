import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { RequestRecord } from '#schemas/resources/request.ts'
import { saveEntry } from '#data/resources/quick-report-changes.ts'
import type { Device } from '../../support/device.ts'
import { IN_TIME, NOW, nth, todayScene } from '../../support/replication.ts'

const DAY = 86_400_000

// only the wall clock is fake, because the storage needs timers that run
beforeEach(() => void vi.useFakeTimers({ toFake: ['Date'] }))
afterEach(() => void vi.useRealTimers())

const app = todayScene()

/** Sets the phone's clock, for the app and for RxDB's writes. */
function setClock(ms: number) {
  vi.setSystemTime(ms)
  app.phone.now = ms
}
const enter = (device: Device, request: RequestRecord) => saveEntry(device.saver(), [request], IN_TIME)
/** The requests of the entries, in the order in which they arrived at the CRM. */
const arrived = () => app.bodies.map(({ requestId }) => requestId)

test('[trap 3] the clock is set back a day and the app started again: what is unsent is still sent', async () => {
  setClock(NOW)
  const device = await app.open()
  const requests = (await app.freeRequests(device)).slice(0, 3)
  // an accepted change moves the push checkpoint to today
  await enter(device, nth(requests, 0))
  await app.sent(device)
  device.network.next(false)
  await enter(device, nth(requests, 1))
  await app.close(device)

  setClock(NOW - DAY)
  const again = await app.open({ online: false })
  await enter(again, nth(requests, 2))
  again.network.next(true)
  await app.sent(again)
  expect(arrived()).toEqual(requests.map(({ id }) => id))
  expect(app.writes().filter(({ acted }) => acted)).toHaveLength(3)
})

test('[trap 3] the clock is set back a day while the app is open: the order of saving is kept', async () => {
  setClock(NOW)
  const device = await app.open()
  const requests = (await app.freeRequests(device)).slice(0, 4)
  device.network.next(false)
  for (const [i, request] of requests.entries()) {
    if (i === 2) setClock(NOW - DAY)
    await enter(device, request)
  }
  device.network.next(true)
  await app.sent(device)
  expect(arrived()).toEqual(requests.map(({ id }) => id))
})

test('[SV2] a change saved before the clock was set back, sent after, is sent once over a restart', async () => {
  setClock(NOW)
  const device = await app.open()
  const request = nth(await app.freeRequests(device), 0)
  await enter(device, request)
  await app.sent(device)
  await app.close(device)
  setClock(NOW - DAY)
  const again = await app.open()
  await app.sent(again)
  await app.quiet()
  expect(app.writes()).toHaveLength(1)
  expect(await app.reports(request.id)).toHaveLength(1)
})

/**
 * RxDB's own time never goes back while it is loaded, so no test in one process can save under an earlier clock as a
 * fresh start of the app would: the stored write is given the time it would have had.
 */
async function restamp(key: string, lwt: number) {
  const { indexedDB } = app.phone.storage
  const names = (await indexedDB.databases()).flatMap(({ name }) => name ?? [])
  const name = names.find((each) => each.endsWith('--changes') && !each.includes('meta')) ?? ''
  const done = <T>(request: { result: T; onsuccess: unknown; onerror: unknown }) =>
    new Promise<T>((resolve, reject) => {
      request.onsuccess = () => resolve(request.result)
      request.onerror = reject
    })
  const db = await done(indexedDB.open(name))
  const docs = db.transaction('docs', 'readwrite').objectStore('docs')
  const doc: { _meta: { lwt: number } } = await done(docs.get(key))
  await done(docs.put({ ...doc, _meta: { ...doc._meta, lwt } }))
  db.close()
}

test('[trap 3] a change saved under a clock set back is sent also after another start of the app', async () => {
  setClock(NOW)
  const device = await app.open()
  const requests = await app.freeRequests(device)
  // an accepted change moves the push checkpoint to today
  await enter(device, nth(requests, 0))
  await app.sent(device)
  await app.close(device)
  setClock(NOW - DAY)
  const offline = await app.open({ online: false })
  await enter(offline, nth(requests, 1))
  const { change } = nth(await offline.queue(), 0)
  await app.close(offline)
  await restamp(change.id, NOW - DAY)
  await app.sent(await app.open())
  expect(arrived()).toEqual([nth(requests, 0).id, nth(requests, 1).id])
})
