/**
 * What was refused because a colleague was first, and whose record the pull then brought under the same key: what is saved
 * on that one depends on nothing refused; what was made on one's own stays with it (OR3).
 */
import { describe, expect, test } from 'vitest'
import { locationContactChangeRequest } from '#schemas/resources/location-contact-change-request.ts'
import { customerLocationChangeRequest } from '#schemas/resources/customer-location-change-request.ts'
import { inputOf } from '#schemas/declare/form-values.ts'
import type { RequestRecord } from '#schemas/resources/request.ts'
import { safetyKey } from '#schemas/resources/safety-measure.ts'
import { saveReport } from '#features/quick-report/commands.ts'
import { discardedWith, photosDiscardedWith } from '#features/outbox/jobs.ts'
import { saveCustomerLocation } from '#features/customer-location-change-request/commands.ts'
import { saveContactChange } from '#features/location-contact-change-request/commands.ts'
import { saveSafetyMeasure } from '#features/safety-measure/commands.ts'
import { askRefresh } from '#data/fetch-requests/interests.ts'
import { wish } from '#data/fetch-requests/wishes.ts'
import { until, type Device } from '../../support/device.ts'
import { contactOf, elsewhere, locationOf } from '../../support/other-company.ts'
import { CONTACT, isOpen, PARKING } from '../../support/record-saves.ts'
import { COMPLETED, enter, leave, nth, OUT_TIME, todayScene, statesOf } from '../../support/replication.ts'
import { rowIn, viewIn } from '../../support/stored-views.ts'

const app = todayScene()
const THEIR_TIME = '2026-11-20T08:31:00+09:00'
const OWN_TIME = '2026-11-20T08:56:00+09:00'

const reportOf = async ({ db }: Device, { key }: RequestRecord) => await viewIn(db, 'quickReports', key)

/** 入館 and `more` are saved without signal. A colleague enters the same visit first, and that entry is pulled. */
async function enteredTwice(more: (device: Device, request: RequestRecord) => Promise<void>) {
  const device = await app.open()
  const request = nth(await app.freeRequests(device), 0)
  device.network.next(false)
  await enter(device, request)
  await more(device, request)
  const { id: requestId, workingDate, workingDateType } = request
  const theirs = { requestId, workingDate, workingDateType, inTime: THEIR_TIME, loginUserId: 'staff-7' }
  await elsewhere('quickReport/', theirs, 'POST')
  device.network.next(true)
  await until(async () => (await statesOf(device))[0] === 'failed')
  await until(async () => (await reportOf(device, request)).server?.inTime === THEIR_TIME)
  return { device, request }
}

/** 更新; repeated if a round had begun before the colleague's call. */
async function pulled(device: Device, isHere: () => Promise<boolean>, tries = 3): Promise<void> {
  await askRefresh(device.db, (app.phone.now += 1_000))
  await until(isHere, 8_000).catch((error: unknown) => {
    if (tries > 1) return pulled(device, isHere, tries - 1)
    throw error
  })
}

const nothing = async () => undefined
const puts = () => app.writes().filter(({ method }) => method === 'PUT')
const crmReport = async ({ id }: RequestRecord) => nth(await app.reports(id), 0)
/** Discards the first item. @returns the texts of the confirmation */
const discarded = async (device: Device) => {
  const queue = await device.queue()
  const item = nth(queue, 0)
  const named = discardedWith(item, queue).map(({ change }) => change.kind)
  await wish(device.db, item, 'discard')
  await until(async () => (await rowIn(device.db, item.change.id))?.state === 'discarded')
  return named
}

describe('[OR3a] a colleague has entered the visit first', () => {
  test('the exit saved on their report goes; the refused entry stays to be seen, and takes nothing along', async () => {
    const { device, request } = await enteredTwice(nothing)
    await leave(device, [request])
    await until(async () => (await crmReport(request)).outTime === OUT_TIME)
    await until(async () => (await reportOf(device, request)).server?.outTime === OUT_TIME)
    expect(await crmReport(request)).toMatchObject({ inTime: THEIR_TIME, reportContent: '完了しました' })
    expect(await device.queue()).toMatchObject([
      { change: { kind: 'entry', fields: { inTime: OWN_TIME } }, progress: { reasons: ['ec00011'] } },
    ])
    expect(await discarded(device)).toEqual([])
    expect((await reportOf(device, request)).server).toMatchObject({ inTime: THEIR_TIME, outTime: OUT_TIME })
    expect(puts()).toHaveLength(1)
  })

  test('without signal it waits for nothing but the signal; 破棄 of the entry does not name it, and keeps it', async () => {
    const { device, request } = await enteredTwice(nothing)
    device.network.next(false)
    await leave(device, [request])
    const [entry, exit] = await device.queue()
    expect([exit?.change.kind, exit?.blockedBy]).toEqual(['exit', undefined])
    if (!entry) throw new Error('the entry is refused')
    expect(discardedWith(entry, await device.queue())).toEqual([])
    expect(photosDiscardedWith(entry, undefined)).toEqual([])
    device.network.next(true)
    await wish(device.db, entry, 'discard')
    await app.sent(device)
    expect(await crmReport(request)).toMatchObject({ inTime: THEIR_TIME, outTime: OUT_TIME })
  })

  test('the exit saved on one’s own entry does not go to their report by itself, and goes with its entry', async () => {
    const { device, request } = await enteredTwice((phone, visit) => leave(phone, [visit]))
    const [entry, exit] = await device.queue()
    expect(exit).toMatchObject({ change: { kind: 'exit' }, state: 'waiting', blockedBy: entry?.change.id })
    expect(await discarded(device)).toEqual(['exit'])
    await app.sent(device)
    expect(await crmReport(request)).toMatchObject({ inTime: THEIR_TIME, outTime: null })
    expect(puts()).toEqual([])
  })

  test('[EX2] opened and saved anew, now over their report, it goes there', async () => {
    const { device, request } = await enteredTwice((phone, visit) => leave(phone, [visit]))
    await leave(device, [request], { reportContent: '交代しました' })
    await until(async () => (await crmReport(request)).reportContent === '交代しました')
    await until(async () => (await device.queue()).length === 1)
    expect(await device.queue()).toMatchObject([{ change: { kind: 'entry' }, state: 'failed' }])
  })

  test('[MG2] the form was opened over one’s own entry, and saved after the refusal: it stays with that', async () => {
    const device = await app.open()
    const request = nth(await app.freeRequests(device), 0)
    device.network.next(false)
    await enter(device, request)
    const opened = await reportOf(device, request)
    const { id: requestId, workingDate, workingDateType } = request
    const theirs = { requestId, workingDate, workingDateType, inTime: THEIR_TIME, loginUserId: 'staff-7' }
    await elsewhere('quickReport/', theirs, 'POST')
    device.network.next(true)
    await until(async () => (await reportOf(device, request)).server?.inTime === THEIR_TIME)
    await until(async () => (await statesOf(device))[0] === 'failed')
    await saveReport(device.saver(), [opened], 'exit', COMPLETED)
    expect((await device.queue()).map(({ blockedBy }) => blockedBy !== undefined)).toEqual([false, true])
  })
})

const changeRequests = [
  {
    collection: 'customerLocationChangeRequests' as const,
    refusal: 'ec00030',
    path: 'customerLocationChangeRequest/',
    theirs: { parkingType: '1', parkingMethod: '西側', inMethod: '正面から' },
    wire: {},
    async save(device: Device, { id }: RequestRecord, word: string, isOpened = true) {
      const seen = isOpened ? await locationOf(device, id).catch(() => null) : null
      await saveCustomerLocation(device.saver(), id, { ...PARKING, inMethod: word }, seen)
    },
    seen: async (device: Device, { id }: RequestRecord) =>
      inputOf(customerLocationChangeRequest, (await locationOf(device, id)).server ?? {}).inMethod,
    server: async (device: Device, { id }: RequestRecord) => (await locationOf(device, id)).serverId,
    words: async () =>
      (await app.crm.inspect()).customerLocationChangeRequests
        .filter(({ origin }) => origin === 'call')
        .map(({ inMethod }) => inMethod),
  },
  {
    collection: 'locationContactChangeRequests' as const,
    refusal: 'ec00026',
    path: 'locationContactChangeRequest/',
    theirs: { ...CONTACT, staffName: '正面から' },
    wire: { type: '02' },
    async save(device: Device, { id }: RequestRecord, word: string, isOpened = true) {
      const seen = isOpened ? await contactOf(device, id).catch(() => null) : null
      await saveContactChange(device.saver(), id, '02', { ...CONTACT, staffName: word }, seen)
    },
    seen: async (device: Device, { id }: RequestRecord) =>
      inputOf(locationContactChangeRequest, (await contactOf(device, id)).server ?? {}).staffName,
    server: async (device: Device, { id }: RequestRecord) => (await contactOf(device, id)).serverId,
    words: async () =>
      (await app.crm.inspect()).locationContactChangeRequests
        .filter(({ origin }) => origin === 'call')
        .map(({ staffName }) => staffName),
  },
]

describe.each(changeRequests)('[OR3] a colleague has made the change request first: $collection', (row) => {
  const refused = async () => {
    const device = await app.open()
    const request = nth((await app.freeRequests(device)).filter(isOpen), 0)
    device.network.next(false)
    await row.save(device, request, '自分')
    const theirs = { requestId: request.id, ...row.wire, ...row.theirs, loginUserId: 'staff-7' }
    await elsewhere(row.path, theirs, 'POST')
    device.network.next(true)
    await until(async () => (await statesOf(device))[0] === 'failed')
    await pulled(device, async () => (await row.server(device, request)) !== '')
    return { device, request }
  }

  test('saved in the form that shows theirs it is an edit of theirs, and the refused one is given up', async () => {
    const { device, request } = await refused()
    expect(await row.seen(device, request)).toBe('正面から')
    await row.save(device, request, '直しました')
    await app.sent(device)
    expect(app.writes(row.path).map(({ method }) => method)).toEqual(['POST', 'POST', 'PUT'])
    expect(await row.words()).toEqual(['直しました'])
  })

  test('saved in a form that did not show theirs it is refused again, and lays nothing over theirs', async () => {
    const { device, request } = await refused()
    await row.save(device, request, '見ていない', false)
    await until(async () => app.writes(row.path).length === 3)
    await until(async () => (await statesOf(device))[0] === 'failed')
    expect(await row.words()).toEqual(['正面から'])
    expect(nth(await device.queue(), 0).progress?.reasons).toEqual([row.refusal])
  })
})

test('[OR3] a safety measure that a colleague registered first is registered; 破棄 of one’s own leaves its photos', async () => {
  const device = await app.open()
  const request = nth(await app.freeRequests(device), 0)
  device.network.next(false)
  await saveSafetyMeasure(device.saver(), request, '3', '1')
  const { id: requestId, workingDate, workingStartTime, workingEndTime } = request
  const theirs = { requestId, workingDate, workingStartTime, workingEndTime, safetyType: '3', needFlag: '2' }
  await elsewhere('safety/', { ...theirs, loginUserId: 'staff-7' }, 'POST')
  device.network.next(true)
  await until(async () => (await statesOf(device))[0] === 'failed')
  const key = safetyKey(requestId, workingDate, '3')
  await pulled(device, async () => (await viewIn(device.db, 'safetyMeasures', key)).serverId !== '')
  expect(await saveSafetyMeasure(device.saver(), request, '3', '1')).toBe('registered')
  const own = nth(await device.queue(), 0)
  const upload = { ...own, change: { ...own.change, kind: 'upload' } }
  const photos = { resource: 'safetyMeasures', recordKey: own.record.key, items: [upload], total: 1, sent: 0 }
  expect(photosDiscardedWith(own, photos)).toEqual([])
  expect(photosDiscardedWith({ ...own, record: { ...own.record, serverId: '' } }, photos)).toEqual([upload])
})
