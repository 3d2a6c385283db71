/** One save of each record resource, for the tests that hold for all of them. */
import { emergencyReport, type EmergencyReportRecord } from '#schemas/resources/emergency-report.ts'
import { inputOf } from '#schemas/declare/form-values.ts'
import type { PushCollection } from '#schemas/collections/push-collections.ts'
import type { NoteRecord } from '#schemas/resources/note-location-area.ts'
import type { RequestRecord } from '#schemas/resources/request.ts'
import type { DemoState } from '#demo-crm/tables.ts'
import { saveCustomerLocation } from '#features/customer-location-change-request/commands.ts'
import { saveEmergencyReport } from '#features/emergency-report/commands.ts'
import { saveContactChange } from '#features/location-contact-change-request/commands.ts'
import { saveNote } from '#features/note-location-area/commands.ts'
import { saveSafetyMeasure } from '#features/safety-measure/commands.ts'
import type { Device } from './device.ts'
import { viewsIn } from './stored-views.ts'

export const EMERGENCY = {
  ...inputOf(emergencyReport),
  emergencyContents: ['1', '3'],
  risk: ['2', '8'],
  correspondenceDate: '1',
  ttsStaffContact: '2',
  emergencyContentsDetails: '汚水槽が満水です。',
} as const satisfies Parameters<typeof saveEmergencyReport>[2]

export const CONTACT = {
  name: '防災センター',
  kana: 'ﾎﾞｳｻｲｾﾝﾀｰ',
  section: '設備管理課',
  class: '',
  staffName: '',
  means: '電話',
  email: '',
  tel1: '03-5550-0199',
}
export const PARKING = { parkingType: '2', parkingMethod: '', inMethod: '裏口から入館' } as const

type Made =
  | 'emergencyReports'
  | 'safety'
  | 'customerLocationChangeRequests'
  | 'locationContactChangeRequests'
  | 'notes'

export interface RecordCase {
  collection: Exclude<PushCollection, 'quickReports'>
  path: string
  save(device: Device, request: RequestRecord): Promise<unknown>
  /** What calls made of it in the CRM. */
  made(state: DemoState): DemoState[Made]
}

const byCall = <T extends { origin: string }>(rows: readonly T[]) =>
  rows.filter(({ origin }) => origin === 'call')

export const recordCases: RecordCase[] = [
  {
    collection: 'emergencyReports',
    path: 'emergencyReport/',
    save: (device, request) => saveEmergencyReport(device.saver(), request, EMERGENCY),
    made: (state) => byCall(state.emergencyReports),
  },
  {
    collection: 'safetyMeasures',
    path: 'safety/',
    save: (device, request) => saveSafetyMeasure(device.saver(), request, '3', '2'),
    made: (state) => byCall(state.safety),
  },
  {
    collection: 'customerLocationChangeRequests',
    path: 'customerLocationChangeRequest/',
    save: (device, request) => saveCustomerLocation(device.saver(), request.id, PARKING, null),
    made: (state) => byCall(state.customerLocationChangeRequests),
  },
  {
    collection: 'locationContactChangeRequests',
    path: 'locationContactChangeRequest/',
    save: (device, request) => saveContactChange(device.saver(), request.id, '02', CONTACT, null),
    made: (state) => byCall(state.locationContactChangeRequests),
  },
  {
    collection: 'noteLocationAreas',
    path: 'noteLocationArea/',
    save: (device, request) => saveNote(device.saver(), request, { note: '台車は搬入口Bから。' }),
    made: (state) => byCall(state.notes),
  },
]

/** A request of today that nothing hangs on yet: no change requests, and both may be made. */
export const isOpen = (request: RequestRecord) =>
  request.customerLocationChangeStatus === '1' && request.inLocationContactChangeStatus === '1'

/** A save of a resource that is made and edited, told apart by a word in its content. */
export interface WordedCase {
  collection: Exclude<RecordCase['collection'], 'safetyMeasures'>
  path: string
  /** A new record, or the unsent one that the form was opened with. */
  save(device: Device, request: RequestRecord, word: string): Promise<unknown>
  /** The words that the CRM holds from calls. */
  words(state: DemoState): (string | null)[]
}

/** What 内容を開く would open. */
async function openedOf(device: Device, collection: WordedCase['collection']) {
  const [doc] = await viewsIn(device.db, collection, { unsent: 'yes' })
  return doc ?? null
}

export const wordedCases: WordedCase[] = [
  {
    collection: 'emergencyReports',
    path: 'emergencyReport/',
    async save(device, request, word) {
      const opened = (await openedOf(device, 'emergencyReports')) as EmergencyReportRecord | null
      const draft = { ...EMERGENCY, emergencyContentsDetails: word }
      await saveEmergencyReport(device.saver(), request, draft, opened)
    },
    words: (state) =>
      byCall(state.emergencyReports).map(({ emergencyContentsDetails }) => emergencyContentsDetails),
  },
  {
    collection: 'customerLocationChangeRequests',
    path: 'customerLocationChangeRequest/',
    save: (device, { id }, word) =>
      saveCustomerLocation(device.saver(), id, { ...PARKING, inMethod: word }, null),
    words: (state) => byCall(state.customerLocationChangeRequests).map(({ inMethod }) => inMethod),
  },
  {
    collection: 'locationContactChangeRequests',
    path: 'locationContactChangeRequest/',
    save: (device, { id }, word) =>
      saveContactChange(device.saver(), id, '02', { ...CONTACT, staffName: word }, null),
    words: (state) => byCall(state.locationContactChangeRequests).map(({ staffName }) => staffName),
  },
  {
    collection: 'noteLocationAreas',
    path: 'noteLocationArea/',
    async save(device, request, word) {
      const opened = (await openedOf(device, 'noteLocationAreas')) as NoteRecord | null
      await saveNote(device.saver(), request, { note: word }, opened)
    },
    words: (state) => byCall(state.notes).map(({ note }) => note),
  },
]
