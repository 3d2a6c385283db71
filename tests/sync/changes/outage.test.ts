/** During an outage, or behind a gateway that answers for the CRM, no good change becomes 失敗, and all are sent later. */
import { firstValueFrom } from 'rxjs'
import { expect, test } from 'vitest'
import { saveEmergencyReport } from '#features/emergency-report/commands.ts'
import { saveNote } from '#features/note-location-area/commands.ts'
import { askList, askRefresh, interest$, isListRead$, listInterest } from '#data/fetch-requests/interests.ts'
import type { Fault } from '#demo-crm/faults.ts'
import { until, type Device } from '../../support/device.ts'
import { EMERGENCY } from '../../support/record-saves.ts'
import { enter, leave, ledgerOf, nth, todayScene, statesOf } from '../../support/replication.ts'
import { viewsIn } from '../../support/stored-views.ts'

const app = todayScene()

/** The waits between calls are this many times shorter than in the app. */
const HASTE = 20

const HTML = { 'content-type': 'text/html; charset=utf-8' }
const page = (status: number): Pick<Fault, 'kind' | 'status' | 'body' | 'headers'> => ({
  kind: 'status',
  status,
  body: `<!doctype html><title>${status}</title>`,
  headers: HTML,
})
/** The API that the gateway answers for. The connection check has another address. */
const API = 'crm-rest'

/** An entry, a note and an emergency report, saved one after the other. */
async function saveThree(device: Device) {
  const [first, second] = await app.freeRequests(device)
  if (!first || !second) throw new Error('two requests expected')
  await enter(device, first)
  await saveNote(device.saver(), second, { note: '鍵は管理室' })
  await saveEmergencyReport(device.saver(), second, EMERGENCY)
  return { first, second }
}

const madeIn = async (requestId: string) => {
  const { notes, emergencyReports } = await app.crm.inspect()
  return [notes, emergencyReports].map(
    (rows) => rows.filter((row) => row.origin === 'call' && row.requestId === requestId).length,
  )
}

/** Resolves once this many writes were answered with this status, or a change is 失敗. */
const answeredWith = (device: Device, status: number, times: number, isOver: (states: string[]) => boolean) =>
  until(
    async () =>
      isOver(await statesOf(device)) ||
      app.writes('/').filter((call) => call.status === status).length >= times,
    // at most twelve useless calls leave in a minute, including reads (OC10)
    20_000,
  )

const some = (states: string[]) => states.includes('failed')
/** Two changes that are refused without a reason are 失敗, until a third one is refused as well. */
const every = (states: string[]) => states.every((state) => state === 'failed')

/** Requests a list as a screen does. @returns the state of the answered request */
async function listAsked({ db }: Device, owner: string) {
  await askList(db, app.phone.now, { collection: 'emergencyReports', owner })
  return until(async () => {
    const now = await standing(db, owner)
    return now !== 'asked' && now
  })
}

const standing = async (db: Device['db'], owner: string) =>
  (await firstValueFrom(interest$(db, listInterest('emergencyReports', owner))))?.state

const OUTAGES: [string, Pick<Fault, 'kind' | 'status' | 'body' | 'headers'>, number, typeof some][] = [
  ['502 of a gateway', page(502), 6, some],
  ['500 of the CRM', { kind: 'status', status: 500 }, 6, some],
  ['403 pages of a gateway', page(403), 6, some],
  ['404 pages of a gateway', page(404), 6, some],
  ['403 in JSON without a reason', { kind: 'status', status: 403, body: {} }, 6, every],
]

test.each(OUTAGES)(
  '[OC7][OC8] writes that all end as %s: nothing is 失敗, and everything goes by itself afterwards, once',
  async (_, fault, times, isOver) => {
    app.phone.haste = HASTE
    const device = await app.open()
    await app.freeRequests(device)
    await app.crm.faults.add({ id: 'post', path: API, method: 'POST', count: 'always', ...fault })
    const { first, second } = await saveThree(device)
    await answeredWith(device, fault.status ?? 0, times, isOver)
    expect(await statesOf(device)).not.toContain('failed')
    await app.crm.faults.clear()
    await until(async () => (await device.queue()).length === 0, 45_000)
    expect(await app.reports(first.id)).toHaveLength(1)
    expect(await madeIn(second.id)).toEqual([1, 1])
  },
)

test('[OR3c] what the CRM answers 5xx alone is 失敗, the others are not held up by it', async () => {
  app.phone.haste = HASTE
  const device = await app.open()
  const requests = await app.freeRequests(device)
  const first = nth(requests, 0)
  await app.crm.faults.add({
    id: 'poison',
    kind: 'status',
    status: 500,
    path: 'emergencyReport/$',
    method: 'POST',
    count: 'always',
  })
  await saveEmergencyReport(device.saver(), first, EMERGENCY)
  for (let times = 1; times <= 3; times += 1) {
    await saveNote(device.saver(), first, { note: `鍵 ${times}` })
    app.phone.now += 1_000
    await askRefresh(device.db, app.phone.now)
    await until(async () => (await madeIn(first.id))[0] === times, 20_000)
  }
  await until(async () => (await statesOf(device))[0] === 'failed', 40_000)
  const [row] = (await ledgerOf(device)).filter(({ resource }) => resource === 'emergencyReports')
  expect(row).toMatchObject({ state: 'refused', reasons: ['systemError'], status: 500 })
}, 90_000)

test.each([404, 403])(
  '[OC7][PL1] a page of a gateway with %d to a list removes nothing',
  async (status) => {
    app.phone.haste = HASTE
    const device = await app.open()
    const request = nth(await app.freeRequests(device), 0)
    await saveEmergencyReport(device.saver(), request, EMERGENCY)
    await app.sent(device)
    const here = () => viewsIn(device.db, 'emergencyReports', { requestId: request.id })
    await until(async () => (await here()).some((doc) => doc.server?.detailed))
    const list = `emergencyReport/request/${request.id}`
    await app.crm.faults.add({ id: 'page', path: list, method: 'GET', count: 3, ...page(status) })
    // the screen shows that the list could not be read; it is read again until the CRM itself answers (PL8)
    expect(await listAsked(device, request.id)).toBe('failed')
    await until(async () => (await standing(device.db, request.id)) === 'answered', 30_000)
    expect(await here()).toHaveLength(1)
    expect(app.crm.calls.filter((call) => call.path.includes(list) && call.status === status)).toHaveLength(3)
  },
  45_000,
)

test('[OC7a][PL1] 404 in JSON to a list that is not of past reports removes nothing', async () => {
  const device = await app.open()
  const request = nth(await app.freeRequests(device), 0)
  await saveEmergencyReport(device.saver(), request, EMERGENCY)
  await app.sent(device)
  const here = () => viewsIn(device.db, 'emergencyReports', { requestId: request.id })
  await until(async () => (await here()).some((doc) => doc.server?.detailed))
  const list = `emergencyReport/request/${request.id}`
  await app.crm.faults.add({
    id: 'none',
    kind: 'status',
    status: 404,
    body: { error: 'none' },
    path: list,
    method: 'GET',
    count: 'always',
  })
  expect(await listAsked(device, request.id)).toBe('failed')
  expect(await here()).toHaveLength(1)
})

test('[OC7b][PL4] 200 in JSON that is no list does not say of a list that there is none', async () => {
  const maintenance = { kind: 'status', status: 200, body: { message: 'maintenance' } } as const
  const path = 'emergencyReport/request/'
  await app.crm.faults.add({ id: 'maintenance', path, method: 'GET', count: 'always', ...maintenance })
  const device = await app.open()
  const { id } = nth(await app.freeRequests(device), 0)
  const isRead = () => firstValueFrom(isListRead$(device.db, { collection: 'emergencyReports', owner: id }))
  expect(await listAsked(device, id)).toBe('failed')
  expect(await isRead()).toBe(false)
  await app.crm.faults.clear()
  app.phone.now += 1_000
  expect(await listAsked(device, id)).toBe('answered')
  expect(await isRead()).toBe(true)
})

/** A gateway with a login redirects a call to its own page, which may answer in JSON. */
const redirecting = async (path: string, method: string, count: Fault['count'], body: unknown) => {
  const headers = { location: '/api/v1/elsewhere' }
  await app.crm.faults.add({
    id: 'there',
    kind: 'status',
    status: 200,
    path: 'elsewhere',
    count: 'always',
    body,
  })
  await app.crm.faults.add({ id: 'gateway', kind: 'status', status: 303, path, method, count, headers })
}

test('[OC7b][OC3] a write that is redirected is not done, whatever is there: it is looked for, and sent', async () => {
  const device = await app.open()
  const request = nth(await app.freeRequests(device), 0)
  await enter(device, request)
  await app.sent(device)
  await redirecting('quickReport/requestUpdate', 'PUT', 1, {})
  await leave(device, [request])
  await app.sent(device)
  expect(app.crm.calls.filter(({ path }) => path.includes('elsewhere'))).toEqual([])
  expect(nth(await app.reports(request.id), 0).outTime).not.toBeNull()
})

test('[OC7][PL1] a list that is redirected was not read: nothing goes, and nobody is told that there is none', async () => {
  const device = await app.open()
  const request = nth(await app.freeRequests(device), 0)
  await saveEmergencyReport(device.saver(), request, EMERGENCY)
  await app.sent(device)
  const here = () => viewsIn(device.db, 'emergencyReports', { requestId: request.id })
  await until(async () => (await here()).some((doc) => doc.server?.detailed))
  await redirecting(`emergencyReport/request/${request.id}`, 'GET', 'always', [])
  expect(await listAsked(device, request.id)).toBe('failed')
  expect(await here()).toHaveLength(1)
})

test('[OC9] a CRM slower than the time limit: one note, although nothing is there at the first look', async () => {
  const device = await app.open()
  const [first, second] = await app.freeRequests(device)
  if (!first || !second) throw new Error('two requests expected')
  // the call is given up after 2 s and applied just before the second read-back at 4 s, which load can only delay
  await app.crm.faults.add({
    id: 'slow',
    kind: 'delay',
    ms: 3_700,
    path: 'noteLocationArea/$',
    method: 'POST',
    count: 1,
  })
  await saveNote(device.saver(), first, { note: '鍵は管理室' })
  await until(() => app.writes('noteLocationArea').length === 1)
  await enter(device, second)
  await until(async () => (await app.reports(second.id)).length === 1)
  // other changes do not wait for its second read-back
  expect((await madeIn(first.id))[0]).toBe(0)
  await app.sent(device)
  // a second call would be slow as well
  await until(() => app.writes('noteLocationArea').every(({ acted }) => acted))
  expect((await madeIn(first.id))[0]).toBe(1)
  expect(app.writes('noteLocationArea')).toHaveLength(1)
}, 30_000)
