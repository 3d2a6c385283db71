/** With a version of RxDB that nobody tested, the app runs on RxDB's own storage: slower, and right. */
import { firstValueFrom } from 'rxjs'
import { afterEach, expect, test, vi } from 'vitest'
import { storeValues } from '#data/drafts/drafts.ts'
import { requestRows$ } from '#data/visits/request-rows.ts'
import { createCleanUp } from '#sync/retention/expiry.ts'
import { readOnce } from '#sync/storage/database.ts'
import { jpeg, sha256, take } from '../../support/photos.ts'
import { until } from '../../support/device.ts'
import { enter, leave, nth, todayScene } from '../../support/replication.ts'
import { dumpStorage } from '../../support/storage-dump.ts'

const app = todayScene()
const HOUR = 3_600_000
const byKey = (a: { key: string }, b: { key: string }) => (a.key < b.key ? -1 : 1)
afterEach(() => void vi.useRealTimers())

/** A phone after an upgrade that nobody looked at. @returns what the error log is told of it */
function upgraded(): string[] {
  const told: string[] = []
  app.phone.storageOptions = { version: '99.0.0', report: (problem) => told.push(problem) }
  return told
}

test('[SV1] reads, saves without signal, keeps it over a restart, sends it, and lists it', async () => {
  const told = upgraded()
  const first = await app.open()
  expect(told).toEqual([expect.stringContaining('rxdb 99.0.0')])
  const request = nth(await app.freeRequests(first), 0)
  first.network.next(false)
  await enter(first, request)
  await take(first, 'a.jpg', 1, { resource: 'quickReports', recordKey: request.key, requestId: request.id })
  await app.close(first)
  const second = await app.open({ online: false })
  expect(await second.queue()).toHaveLength(1)
  const [photo] = await second.db.photos.find().exec()
  expect(sha256(await second.bytes.get(photo?.key ?? ''))).toBe(sha256(jpeg(1)))
  second.network.next(true)
  await app.sent(second)
  expect(await app.reports(request.id)).toHaveLength(1)
  await leave(second, [request])
  await app.sent(second)
  const docs = await second.db.requests.find().exec()
  const { rows } = await firstValueFrom(requestRows$(second.db))
  expect(rows.map(({ key }) => key).toSorted()).toEqual(docs.map(({ key }) => key).toSorted())
  expect(rows.length).toBeGreaterThan(10)
  const day = { selector: { workingDate: request.workingDate } }
  const once = await readOnce(second.db.requests, day)
  const queried = await second.db.requests.find(day).exec()
  expect(once.toSorted(byKey)).toEqual(queried.map((doc) => doc.toJSON()).toSorted(byKey))
})

test('[EX4] what was deleted leaves the disk there, too', async () => {
  upgraded()
  const device = await app.open({ online: false })
  await storeValues(device.db, 'noteLocationArea/add/r', { note: '消される下書き' })
  const onDisk = () => dumpStorage(app.phone.storage.indexedDB)
  expect(await onDisk()).toContain('消される下書き')
  await device.db.drafts.find().remove()
  expect(await onDisk()).toContain('消される下書き')
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + HOUR })
  await createCleanUp({ db: device.db, replications: [], now: Date.now })()
  await until(async () => !(await onDisk()).includes('消される下書き'))
})

test('a phone whose data the faster storage wrote goes on with it, and back again', async () => {
  const first = await app.open()
  const request = nth(await app.freeRequests(first), 0)
  first.network.next(false)
  await enter(first, request)
  await app.close(first)
  upgraded()
  const second = await app.open({ online: false })
  expect(await second.queue()).toHaveLength(1)
  await leave(second, [request])
  await app.close(second)
  delete app.phone.storageOptions
  const third = await app.open()
  expect(third.problems).toEqual([])
  await app.sent(third)
  expect(nth(await app.reports(request.id), 0)).toMatchObject({ requestId: request.id })
})
