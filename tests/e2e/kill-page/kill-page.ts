/**
 * The app without its screens: session, database, sync and photo bytes as the app puts them together, so that a test can
 * fill a queue of fifty records in a second and kill the browser while it is sent.
 */
import { isOpen, CONTACT, EMERGENCY, PARKING } from '../../support/record-saves.ts'
import { openDiagnostics } from '#app/diagnostics/store.ts'
import { openKeys } from '#app/session/state/keys.ts'
import { createNetwork } from '#app/network/network.ts'
import { openDeviceValues } from '#app/config/device-values.ts'
import { openSessions } from '#app/session/state/session-store.ts'
import { openUserData } from '#app/session/user-data.ts'
import { databaseName } from '#data/database/database-name.ts'
import { saveEntry } from '#data/resources/quick-report-changes.ts'
import { outbox$ } from '#data/outbox/outbox.ts'
import { viewOf } from '#data/changes/record-views.ts'
import { savePhotos } from '#data/photos/photos.ts'
import { saveCustomerLocation } from '#features/customer-location-change-request/commands.ts'
import { saveEmergencyReport } from '#features/emergency-report/commands.ts'
import { saveContactChange } from '#features/location-contact-change-request/commands.ts'
import { saveNote } from '#features/note-location-area/commands.ts'
import { saveReport } from '#features/quick-report/commands.ts'
import { saveSafetyMeasure } from '#features/safety-measure/commands.ts'
import { createClock } from '#lib/time/stamp.ts'
import { visitKey } from '#schemas/resources/visit-key.ts'
import { SafetyStatus } from '#schemas/codes.ts'
import type { RequestRecord } from '#schemas/resources/request.ts'
import { firstValueFrom } from 'rxjs'

const ENV = {
  appName: '現場ワーク',
  apiEndpoint: '/api/v1',
  crmEndpoint: 'crm',
  securityEndpoint: 'security',
  securityKey: 'demo-key',
  fileStoreEndpoint: '/doccloud',
  fileStoreErrorLogFolder: 'error-logs',
  imageSizeLimit: '5242880',
}
const AT = (day: string, time: string) => `${day}T${time}:00+09:00`

const problems: string[] = []
const sessions = await openSessions('')
const values = await openDeviceValues()
const keys = await openKeys('')
const network = createNetwork({
  env: ENV,
  scope: '',
  fetch: fetch.bind(window),
  diagnostics: openDiagnostics({ now: Date.now, user: () => '', scope: '' }),
})
const clock = createClock({
  now: Date.now,
  device: 'phone',
  memory: {
    get: () => localStorage.getItem('genba:stamp'),
    set: (stamp) => localStorage.setItem('genba:stamp', stamp),
  },
})
const open = async () => {
  const session = sessions.get()
  if (!session) throw new Error('sign in first')
  const report = (text: string) => problems.push(text)
  const storageFull = () => report('full')
  const firstPaint = Promise.resolve()
  const waits = () => report('waits')
  return openUserData({
    session,
    network,
    sessions,
    values,
    keys,
    clock,
    report,
    storageFull,
    firstPaint,
    waits,
  })
}
let opened = sessions.get() ? open() : null
/** Without a session it says what the browser still has of this phone. */
const data = async () => {
  if (opened) return opened
  const databases = (await indexedDB.databases()).map(({ name }) => name)
  throw new Error(`no session; databases: ${databases.join(' ') || 'none'}`)
}

const saver = async () => {
  const { db } = await data()
  const userId = sessions.get()?.userInfo.id ?? ''
  return { db, clock, newId: () => crypto.randomUUID(), userId, offline: !navigator.onLine }
}

async function signIn(userName: string): Promise<void> {
  const result = await network.signIn({ userName, password: 'password' })
  if (result.kind !== 'signed-in') throw new Error(result.kind)
  const { session } = result
  const trying = await keys.trying(userName, 'password')
  const login = { user: await databaseName(session.userInfo.id, ''), userName, who: session }
  await trying.login(login, () => sessions.write(session))
  opened = open()
  await opened
}

const allRequests = async (): Promise<RequestRecord[]> => {
  const { db } = await data()
  return (await db.requests.find().exec()).map((doc) => doc.toMutableJSON())
}

/** A JPEG as far as anyone looks. */
function jpeg(size: number): ArrayBuffer {
  const bytes = new Uint8Array(size)
  for (let at = 0; at < size; at += 65_536) crypto.getRandomValues(bytes.subarray(at, at + 65_536))
  bytes.set([0xff, 0xd8, 0xff, 0xe0])
  return bytes.buffer
}

const hex = async (bytes: ArrayBuffer) =>
  [...new Uint8Array(await crypto.subtle.digest('SHA-256', bytes))]
    .map((byte) => byte.toString(16).padStart(2, '0'))
    .join('')

async function photo(
  resource: string,
  recordKey: string,
  { id, workingDate }: RequestRecord,
): Promise<string> {
  const { bytes: table } = await data()
  const bytes = jpeg(60_000)
  const key = crypto.randomUUID()
  await table.put(key, bytes)
  await savePhotos(await saver(), [
    {
      key,
      resource,
      recordKey,
      requestId: id,
      workingDate,
      name: `${key}.jpg`,
      size: bytes.byteLength,
      type: 'image/jpeg',
      placeInfo: '',
      takenAt: AT(workingDate, '09:30'),
    },
  ])
  return hex(bytes)
}

/** What the CRM must hold in the end: each once. */
export interface Expected {
  entries: string[]
  exits: string[]
  emergencies: string[]
  notes: string[]
  safety: string[]
  parking: string[]
  contacts: string[]
  photos: string[]
}

/** Fifty records of every kind and twelve photos, all durable when it resolves. */
async function saveFifty(): Promise<Expected> {
  const { db } = await data()
  const rows = (await allRequests()).filter((row) => row.workingDate !== '' && !row.quickReport)
  const visits = rows.slice(0, 14)
  const expected: Expected = {
    entries: [],
    exits: [],
    emergencies: [],
    notes: [],
    safety: [],
    parking: [],
    contacts: [],
    photos: [],
  }
  const save = await saver()
  for (const visit of visits) {
    await saveEntry(save, [visit], AT(visit.workingDate, '08:56'))
    expected.entries.push(visit.key)
  }
  for (const visit of visits.slice(0, 8)) {
    const record = await viewOf(db, 'quickReports', visitKey(visit.id, visit.workingDate))
    if (!record) throw new Error('it was entered')
    const content = { type: '1', reason1: null, reason2: null, reportContent: null } as const
    await saveReport(save, [record], 'exit', {
      ...content,
      outTime: AT(visit.workingDate, '10:30'),
    })
    expected.exits.push(visit.key)
  }
  for (const visit of visits.slice(0, 8)) {
    await saveEmergencyReport(save, visit, EMERGENCY)
    expected.emergencies.push(visit.key)
  }
  for (const change of await db.changes.find({ selector: { resource: 'emergencyReports' } }).exec()) {
    const visit = visits.find(({ id }) => id === change.requestId)
    if (visit) expected.photos.push(await photo('emergencyReports', change.recordKey, visit))
  }
  for (const visit of visits.slice(0, 8)) {
    const note = `台車は搬入口Bから。${visit.id}`
    await saveNote(save, visit, { note })
    expected.notes.push(note)
  }
  const saved = rows.filter(({ safetyStatus }) => safetyStatus === SafetyStatus.code.unregistered).slice(0, 4)
  for (const row of saved) await saveSafetyMeasure(save, row, '3', '2')
  expected.safety = saved.map(({ key }) => key)
  for (const row of saved) expected.photos.push(await photo('safetyMeasures', await safetyKeyOf(row), row))
  const open4 = [...new Map(rows.filter(isOpen).map((row) => [row.id, row])).values()].slice(0, 4)
  for (const { id } of open4) {
    await saveCustomerLocation(save, id, PARKING, null)
    await saveContactChange(save, id, '02', CONTACT, null)
    expected.parking.push(id)
    expected.contacts.push(id)
  }
  return expected
}

const safetyKeyOf = async ({ id, workingDate }: RequestRecord) => {
  const { db } = await data()
  const selector = { resource: 'safetyMeasures', requestId: id, workingDate }
  return (await db.changes.findOne({ selector }).exec(true)).recordKey
}

/** What is on the device and not in the CRM, and where each stands. */
async function unsent(): Promise<{ records: number; photos: number; states: string[] }> {
  const { db } = await data()
  const { queue } = await firstValueFrom(outbox$(db))
  const photos = await db.photos.find({ selector: { unsent: 'yes' } }).exec()
  const ofPhotos = photos.map(({ resource, state, reasons }) => `${resource} ${state} ${reasons.join(' ')}`)
  return {
    records: queue.length,
    photos: photos.length,
    states: [...queue.map(({ state }) => state), ...ofPhotos],
  }
}

const phone = { signIn, saveFifty, unsent, requests: async () => (await allRequests()).length, problems }
export type KillPage = typeof phone
Object.assign(window, { phone })
