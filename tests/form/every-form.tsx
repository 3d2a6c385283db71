/** Every form of a request with something in it, for the tests that hold for all of them. */
import type { ReactNode } from 'react'
import type { Database } from '#data/database/database.ts'
import {
  CustomerLocationAddScreen,
  CustomerLocationEditScreen,
} from '#features/customer-location-change-request/customer-location-form-screens.tsx'
import {
  EmergencyAddScreen,
  EmergencyEditScreen,
} from '#features/emergency-report/emergency-form-screens.tsx'
import {
  ContactAddScreen,
  ContactEditScreen,
} from '#features/location-contact-change-request/contact-form-screens.tsx'
import { NoteAddScreen, NoteEditScreen } from '#features/note-location-area/note-form-screens.tsx'
import { QuickReportAddScreen } from '#features/quick-report/quick-report-add-screen.tsx'
import { QuickReportEditScreen } from '#features/quick-report/quick-report-edit-screen.tsx'
import { SafetyAddScreen, SafetyEditScreen } from '#features/safety-measure/safety-form-screens.tsx'
import { CONTACT, LOCATION, storeContact, storeLocation } from '../support/change-records.ts'
import { quickReportChange } from '../support/device-records.ts'
import type { renderFeature } from '../support/render-feature.tsx'
import { confirmed, saved } from '../support/safety-records.ts'
import { ENTERED, LEFT, reportOn } from '../support/visit-records.ts'
import { reportHere, reportIn } from '../features/emergency-report/open-emergency.tsx'
import { note, unsentNote } from '../features/note-location-area/open-notes.tsx'
import { storeView } from '../support/stored-views.ts'

export const DAY = '2026-11-20'
const VISIT = `1_${DAY}`

type Path = NonNullable<Parameters<typeof renderFeature>[1]>['path']

/** A form as it is opened on request 1. */
export interface FormCase {
  form: string
  ui: ReactNode
  path: NonNullable<Path>
  href: string
  /** The label of a text that is typed; without one a tick is taken away, or set. */
  label?: string
  fill?: (db: Database) => Promise<unknown>
}

const exit = quickReportChange('exit', '11:42', {
  fields: { inTime: null, outTime: LEFT, type: '1', reason1: null, reason2: null, reportContent: '部品待ち' },
})
const query = { requestId: '1', safetyType: '4', workingDate: DAY }

/** Of registering. */
export const adds: FormCase[] = [
  {
    form: '現場メモ登録',
    ui: <NoteAddScreen requestId="1" />,
    path: '/noteLocationArea/add/$requestId',
    href: '/noteLocationArea/add/1',
    label: 'メモ',
  },
  {
    form: '入館・駐車場情報変更依頼登録',
    ui: <CustomerLocationAddScreen requestId="1" />,
    path: '/customerLocationChangeRequest/add/$requestId',
    href: '/customerLocationChangeRequest/add/1',
    label: '入館方法',
  },
  {
    form: '入館連絡先変更依頼登録',
    ui: <ContactAddScreen requestId="1" contactType="02" />,
    path: '/locationContactChangeRequest/add/$requestId/$type',
    href: '/locationContactChangeRequest/add/1/type1',
    label: '担当者名',
  },
  {
    form: '緊急報告登録',
    ui: <EmergencyAddScreen requestId="1" workingDate={DAY} />,
    path: '/emergencyReport/add/$id',
    href: '/emergencyReport/add/1',
    label: '緊急内容詳細',
  },
  {
    form: '安全対策登録',
    ui: <SafetyAddScreen query={query} />,
    path: '/safetyMeasure/add',
    href: '/safetyMeasure/add',
  },
  {
    form: '退館報告登録',
    ui: <QuickReportAddScreen quickReportId="q-1" other={undefined} />,
    path: '/quickReport/add/$quickReportId',
    href: '/quickReport/add/q-1',
    label: 'その他報告内容',
    fill: (db) => storeView(db, 'quickReports', reportOn('1', { inTime: ENTERED })),
  },
]

/** One form of editing, by the CRM's id or the device's key. */
const edits = {
  note: (id: string): FormCase => ({
    form: '現場メモ編集',
    ui: <NoteEditScreen id={id} />,
    path: '/noteLocationArea/$id/edit',
    href: `/noteLocationArea/${id}/edit`,
    label: 'メモ',
  }),
  location: (id: string): FormCase => ({
    form: '入館・駐車場情報変更依頼編集',
    ui: <CustomerLocationEditScreen id={id} />,
    path: '/customerLocationChangeRequest/$id/edit',
    href: `/customerLocationChangeRequest/${id}/edit`,
    label: '入館方法',
  }),
  contact: (id: string): FormCase => ({
    form: '入館連絡先変更依頼編集',
    ui: <ContactEditScreen id={id} contactType="02" />,
    path: '/locationContactChangeRequest/$id/edit/$type',
    href: `/locationContactChangeRequest/${id}/edit/type1`,
    label: '担当者名',
  }),
  emergency: (id: string): FormCase => ({
    form: '緊急報告編集',
    ui: <EmergencyEditScreen id={id} />,
    path: '/emergencyReport/$id/edit',
    href: `/emergencyReport/${id}/edit`,
    label: '緊急内容詳細',
  }),
  measure: (id: string): FormCase => ({
    form: '安全対策編集',
    ui: <SafetyEditScreen id={id} />,
    path: '/safetyMeasure/$id/edit',
    href: `/safetyMeasure/${id}/edit`,
  }),
  report: (id: string): FormCase => ({
    form: '退館報告編集',
    ui: <QuickReportEditScreen id={id} />,
    path: '/quickReport/$id/edit',
    href: `/quickReport/${id}/edit`,
    label: 'その他報告内容',
  }),
}

export const exited = { inTime: ENTERED, outTime: LEFT, type: '1', reportContent: '部品待ち' }

/** Of what the CRM has. */
export const inCrm: FormCase[] = [
  { ...edits.note('n1'), fill: (db) => storeView(db, 'noteLocationAreas', note('n1')) },
  { ...edits.location('c1'), fill: (db) => storeLocation(db, { server: LOCATION }) },
  { ...edits.contact('k02'), fill: (db) => storeContact(db, '02', { server: CONTACT }) },
  { ...edits.emergency('e1'), fill: (db) => storeView(db, 'emergencyReports', reportIn('e1')) },
  { ...edits.measure('s-4'), fill: (db) => storeView(db, 'safetyMeasures', confirmed('4')) },
  { ...edits.report('q-1'), fill: (db) => storeView(db, 'quickReports', reportOn('1', exited)) },
]

/** Of what was saved here and waits. */
export const waiting: FormCase[] = [
  { ...edits.note('change-1'), fill: (db) => storeView(db, 'noteLocationAreas', unsentNote('滑る')) },
  { ...edits.location('1'), fill: (db) => storeLocation(db, { saved: LOCATION }) },
  { ...edits.contact('1_02'), fill: (db) => storeContact(db, '02', { saved: CONTACT }) },
  { ...edits.emergency('h1'), fill: (db) => storeView(db, 'emergencyReports', reportHere('h1')) },
  { ...edits.measure(`${VISIT}_4`), fill: (db) => storeView(db, 'safetyMeasures', saved('4')) },
  {
    ...edits.report('q-1'),
    fill: (db) =>
      storeView(db, 'quickReports', {
        ...reportOn('1', { inTime: ENTERED }),
        changes: [exit],
        unsent: 'yes',
      }),
  },
]
