/** A CRM that is not there, or answers for somebody else: nothing healthy becomes 失敗, all of it goes by itself afterwards. */
import { firstValueFrom } from 'rxjs'
import { expect, test } from 'vitest'
import { saveEmergencyReport } from '#features/emergency-report/commands.ts'
import { saveNote } from '#features/note-location-area/commands.ts'
import { askList, askRefresh, interest$, isListRead$, listInterest } from '#data/fetch-requests/interests.ts'
import type { Fault } from '#demo-crm/faults.ts'
import { until, type Device } from '../../support/device.ts'
import { EMERGENCY } from '../../support/record-saves.ts'
import { enter, leave, ledgerOf, nth, replicationScene, statesOf } from '../../support/replication.ts'
import { viewsIn } from '../../support/stored-views.ts'

const app = replicationScene()

/** Waits between calls are real ones, and as many times shorter. */
const HASTE = 20

const HTML = { 'content-type': 'text/html; charset=utf-8' }
const page = (status: number): Pick<Fault, 'kind' | 'status' | 'body' | 'headers'> => ({
  kind: 'status',
  status,
  body: `<!doctype html><title>${status}</title>`,
  headers: HTML,
})
/** The API behind a gateway that answers for it; the address of the probe is not it. */
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

/** So many writes were answered like that, unless something is called 失敗 before. */
const answeredWith = (device: Device, status: number, times: number, isOver: (states: string[]) => boolean) =>
  until(
    async () =>
      isOver(await statesOf(device)) ||
      app.writes('/').filter((call) => call.status === status).length >= times,
    // twelve calls a minute of no use at the most, reads among them (OC10)
    20_000,
  )

const some = (states: string[]) => states.includes('failed')
/** Of those refused without a reason the first two are 失敗 until a third one is. */
const every = (states: string[]) => states.every((state) => state === 'failed')

/** A list as a screen asks for it, until that is answered in one way or the other. */
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
    // the screen is told that it could not be read; it is read again until the CRM itself answers (PL8)
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

/** What a gateway that asks for a login does: to a page of its own, which may speak JSON. */
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
  // given up after 2 s; done just before the second look at 4 s, which load can only delay
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
  // the others do not wait for its second look
  expect((await madeIn(first.id))[0]).toBe(0)
  await app.sent(device)
  // the second one, if there is one, is slow, too
  await until(() => app.writes('noteLocationArea').every(({ acted }) => acted))
  expect((await madeIn(first.id))[0]).toBe(1)
  expect(app.writes('noteLocationArea')).toHaveLength(1)
}, 30_000)
