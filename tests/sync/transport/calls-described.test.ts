/**
 * Each call of the contract as the app itself makes it, header by header (`docs/generated/openapi.json`): a CRM that follows the
 * document is one that the app can use.
 */
import { firstValueFrom } from 'rxjs'
import { afterEach, expect, test, vi } from 'vitest'
import type { PushableRecord } from '#schemas/change.ts'
import type { RecordViews } from '#schemas/collections/collections.ts'
import type { PushCollection } from '#schemas/collections/push-collections.ts'
import { askRecord, askRefresh } from '#data/fetch-requests/interests.ts'
import { saveContactChange } from '#features/location-contact-change-request/commands.ts'
import { saveCustomerLocation } from '#features/customer-location-change-request/commands.ts'
import { saveEmergencyReport } from '#features/emergency-report/commands.ts'
import { saveNote } from '#features/note-location-area/commands.ts'
import { saveReport } from '#features/quick-report/commands.ts'
import { createHttp } from '#sync/transport/http.ts'
import { asDescribed, describedIds } from '../../openapi/calls-described.ts'
import { newScheduler } from '../../support/scheduler.ts'
import { newPhone, ORIGIN, until, type Device } from '../../support/device.ts'
import { jpeg, otherPhone } from '../../support/photos.ts'
import { CONTACT, EMERGENCY, isOpen, PARKING, recordCases } from '../../support/record-saves.ts'
import { COMPLETED, enter, leave, NOW, nth, todayScene } from '../../support/replication.ts'
import { viewIn, viewsIn } from '../../support/stored-views.ts'

const app = todayScene({ etags: true })
/** What the app never calls (decisions/specification). */
const UNUSED = 'createViewer'
/** Of a machine that has much to do. */
const LIMIT_MS = 60_000
afterEach(() => vi.unstubAllGlobals())

/** What becomes of every call from here on. */
function recorded() {
  const told = { made: new Set<string>(), faults: [] as string[], headers: new Set<string>() }
  const send = globalThis.fetch
  vi.stubGlobal('fetch', async (...args: Parameters<typeof fetch>) => {
    const request = new Request(...args)
    const { id, faults } = await asDescribed(request)
    told.made.add(id)
    told.faults.push(...faults)
    for (const name of request.headers.keys()) told.headers.add(name)
    return send(request)
  })
  return told
}

/** The one that this phone made, once the CRM has it. */
const made = async <C extends PushCollection>({ db }: Device, collection: C): Promise<RecordViews[C]> => {
  const key = await until(async () => {
    const all: PushableRecord[] = await viewsIn(db, collection)
    return all.find((each) => each.serverId !== '' && each.key !== each.serverId)?.key ?? false
  })
  return viewIn(db, collection, key)
}

/** Each record made and edited, the visit entered and left. @returns the records' ids in the CRM */
async function saves(device: Device) {
  const request = nth((await app.freeRequests(device)).filter(isOpen), 0)
  for (const { save } of recordCases) await save(device, request)
  await enter(device, request)
  await app.sent(device)
  await leave(device, [request])
  await app.sent(device)
  const saver = device.saver()
  const report = await viewIn(device.db, 'quickReports', request.key)
  const emergency = await made(device, 'emergencyReports')
  const location = await made(device, 'customerLocationChangeRequests')
  const contact = await made(device, 'locationContactChangeRequests')
  const note = await made(device, 'noteLocationAreas')
  await saveReport(saver, [report], 'edit', { ...COMPLETED, reportContent: '再確認しました' })
  await saveEmergencyReport(saver, request, { ...EMERGENCY, risk: ['1'] }, emergency)
  await saveCustomerLocation(saver, request.id, { ...PARKING, inMethod: '表口から入館' }, location)
  await saveContactChange(saver, request.id, '02', { ...CONTACT, section: '管理課' }, contact)
  await saveNote(saver, request, { note: '台車は搬入口Aから。' }, note)
  await app.sent(device)
  const safety = await made(device, 'safetyMeasures')
  return [
    ['quickReports', report.serverId],
    ['emergencyReports', emergency.serverId],
    ['customerLocationChangeRequests', location.serverId],
    ['locationContactChangeRequests', contact.serverId],
    ['noteLocationAreas', note.serverId],
    ['safetyMeasures', safety.serverId],
  ] as const
}

async function files() {
  const store = otherPhone(app)
  const value = <T>(result: { kind: string } | { kind: 'accepted'; value: T }): T => {
    if (!('value' in result)) throw new Error(result.kind)
    return result.value
  }
  const folder = value(await store.makeFolder('sf-1', 'S-1'))
  await store.folders('sf-1')
  const name = '現場.jpg'
  const fileSeq = value(await store.upload(folder, { name, type: 'image/jpeg', bytes: jpeg(1) }))
  await store.files(folder)
  await store.search(folder, '現場')
  await store.bytes(folder, { fileSeq, name })
  await store.rename(folder, { fileSeq, name: 'b.jpg' })
  await store.remove(folder, fileSeq)
}

test('[contract] every call of docs/generated/openapi.json leaves as it says, and no other one does', async () => {
  const told = recorded()
  const used = describedIds.filter((id) => id !== UNUSED)
  app.phone.keepsAnswers = true
  const device = await app.open()
  const ids = await saves(device)
  await files()
  const url = `${ORIGIN}/api/check`
  await firstValueFrom(newScheduler().probe(createHttp({ fetch, securityKey: '' }), url))
  // what was read before is asked for by its ETag, and with a token that is over, once
  const expired = { kind: 'status', status: 401, body: { message: 'expired' }, count: 1 } as const
  await app.crm.faults.add({ id: 'expired', path: 'request/search', ...expired })
  app.phone.now += 60_000
  await askRefresh(device.db, app.phone.now)
  await until(() => told.made.has('refreshToken'))
  // the pages that are read ahead, of the devices of a visit
  await until(() => told.made.has('listPastReports'), LIMIT_MS)
  await app.close(device)
  // on a phone that has none of them
  const none = { kind: 'status', status: 200, body: [], headers: { 'x-total-count': '0' } } as const
  await app.crm.faults.add({ id: 'none', path: 'request/search', count: 'always', ...none })
  app.phone = newPhone(NOW)
  const other = await app.open()
  for (const [collection, id] of ids) await askRecord(other.db, app.phone.now, collection, id)
  await until(() => used.every((id) => told.made.has(id))).catch(() => undefined)
  expect(used.filter((id) => !told.made.has(id))).toEqual([])
  expect(told.faults).toEqual([])
  for (const name of ['if-match', 'if-none-match', 'idempotency-key']) expect(told.headers).toContain(name)
}, 120_000)
