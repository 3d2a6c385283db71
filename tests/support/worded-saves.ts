/** Saves of the resources that are made and edited, told apart by a word in their content. */
import type { DemoState } from '#demo-crm/tables.ts'
import type { RequestRecord } from '#schemas/resources/request.ts'
import type { EmergencyReportRecord } from '#schemas/resources/emergency-report.ts'
import type { NoteRecord } from '#schemas/resources/note-location-area.ts'
import { saveCustomerLocation } from '#features/customer-location-change-request/commands.ts'
import { saveEmergencyReport } from '#features/emergency-report/commands.ts'
import { saveContactChange } from '#features/location-contact-change-request/commands.ts'
import { saveNote } from '#features/note-location-area/commands.ts'
import type { Device } from './device.ts'
import { CONTACT, EMERGENCY, PARKING } from './record-saves.ts'
import { viewsIn } from './stored-views.ts'

export interface WordedCase {
  collection:
    | 'emergencyReports'
    | 'customerLocationChangeRequests'
    | 'locationContactChangeRequests'
    | 'noteLocationAreas'
  path: string
  /** A new record, or the unsent one that the form was opened with. */
  save(device: Device, request: RequestRecord, word: string): Promise<unknown>
  /** The words that the CRM holds from calls. */
  words(state: DemoState): (string | null)[]
}

const byCall = <T extends { origin: string }>(rows: readonly T[]) =>
  rows.filter(({ origin }) => origin === 'call')

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
