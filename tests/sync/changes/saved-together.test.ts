/** A save of several records on a full device stores all of them or none (RULES SV1). */
import { afterEach, expect, test, vi } from 'vitest'
import type { RequestRecord } from '#schemas/resources/request.ts'
import { saveEntry } from '#data/resources/quick-report-changes.ts'
import { beforeEachWrite } from '../../support/disk-writes.ts'
import type { Device } from '../../support/device.ts'
import { enter, IN_TIME, leave, nth, todayScene } from '../../support/replication.ts'
import { viewIn } from '../../support/stored-views.ts'

const app = todayScene()
afterEach(() => void vi.restoreAllMocks())

/** From now on the device has no room for a change of this record. */
function fullFor(key: string): void {
  beforeEachWrite((row) => {
    if (row['recordKey'] === key) throw new DOMException('no room', 'QuotaExceededError')
  })
}

/** Kinds of the waiting changes, by record. */
const waiting = async (device: Device) =>
  (await device.queue()).map(({ record, change }) => `${record.key} ${change.kind}`).toSorted()

async function underground(device: Device, isInside: boolean) {
  const requests = (await app.freeRequests(device)).slice(0, 3)
  if (isInside) for (const request of requests) await enter(device, request)
  await app.sent(device)
  device.network.next(false)
  return requests
}

const enterAll = (device: Device, requests: RequestRecord[]) => saveEntry(device.saver(), requests, IN_TIME)

test.each<[string, boolean, (device: Device, requests: RequestRecord[]) => Promise<void>]>([
  ['entry', false, enterAll],
  ['exit', true, leave],
])(
  '[SV1a] a bulk %s that finds no room for one is saved of none; with room, of all',
  async (kind, isInside, save) => {
    const device = await app.open()
    const requests = await underground(device, isInside)
    fullFor(nth(requests, 1).key)
    await expect(save(device, requests)).rejects.toMatchObject({ name: 'QuotaExceededError' })
    expect(await waiting(device)).toEqual([])
    vi.restoreAllMocks()
    await save(device, requests)
    expect(await waiting(device)).toEqual(requests.map(({ key }) => `${key} ${kind}`).toSorted())
    device.network.next(true)
    await app.sent(device)
    for (const { id } of requests) expect(await app.reports(id)).toHaveLength(1)
  },
)

test('[MG2] of a bulk exit each report is written over what another save has made of it meanwhile', async () => {
  const device = await app.open()
  const requests = await underground(device, true)
  const saved = Promise.all([
    leave(device, requests),
    leave(device, requests.slice(0, 1), { reportContent: '一件だけ' }),
  ])
  await saved
  const views = await Promise.all(requests.map(({ key }) => viewIn(device.db, 'quickReports', key)))
  expect(views.map(({ changes }) => changes.length)).toEqual([2, 1, 1])
})
