/** 緊急報告 for the tests: records, and the screens opened on them. */
import { blankFacts } from '#schemas/changes/change-queue.ts'
import { emergencyReport, type EmergencyReportRecord } from '#schemas/resources/emergency-report.ts'
import { emptyContent } from '#schemas/declare/form-values.ts'
import type { SendFacts } from '#schemas/change.ts'
import type { Database } from '#data/database/database.ts'
import {
  EmergencyAddScreen,
  EmergencyEditScreen,
} from '#features/emergency-report/emergency-form-screens.tsx'
import { EmergencyListScreen } from '#features/emergency-report/emergency-list-screen.tsx'
import { openTestDatabase, renderFeature, testValue } from '../../support/render-feature.tsx'
import { requestOn } from '../../support/visit-records.ts'
import { viewsIn, storeAllFacts, storeViews } from '../../support/stored-views.ts'

export const DAY = '2026-11-20'

export const content: EmergencyReportRecord['changes'][number]['fields'] = {
  ...emptyContent(emergencyReport),
  workingStartTime: `${DAY}T09:00:00+09:00`,
  workingEndTime: `${DAY}T12:00:00+09:00`,
  emergencyContents: ['2', '3'],
  risk: ['3', '6'],
  correspondenceDate: '1',
  ttsStaffContact: '2',
  emergencyContentsDetails: '2号機も過負荷で停止しました。',
}

/** A report as the CRM confirmed it. */
export const reportIn = (
  id: string,
  over: Partial<NonNullable<EmergencyReportRecord['server']>> = {},
): EmergencyReportRecord => ({
  key: id,
  requestId: '1',
  workingDate: DAY,
  serverId: id,
  unsent: 'no',
  changes: [],
  server: {
    ...content,
    id,
    detailed: true,
    stamp: '',
    editStatus: 'OK',
    createdAt: `${DAY}T10:24:00+09:00`,
    filePath: null,
    name: id,
    emergencyReportFolderId: 'ef',
    ...over,
  },
})

/** A change of a report, saved here. */
export const change = (
  id: string,
  kind: 'create' | 'edit',
  fields: Partial<EmergencyReportRecord['changes'][number]['fields']> = {},
) => ({
  id,
  stamp: `1100-0000-${id}`,
  savedAt: `${DAY}T11:00:00+09:00`,
  userId: 'u6',
  offline: true,
  kind,
  fields: { ...content, ...fields },
})

/** One that was made here and is not in the CRM. */
export const reportHere = (
  id: string,
  fields: Partial<EmergencyReportRecord['changes'][number]['fields']> = {},
): EmergencyReportRecord => ({
  key: id,
  requestId: '1',
  workingDate: DAY,
  serverId: '',
  unsent: 'yes',
  changes: [change(id, 'create', fields)],
})

/** Where a change of a report stands. */
export const refused = (
  record: EmergencyReportRecord,
  of: EmergencyReportRecord['changes'][number] | undefined,
): SendFacts => {
  if (!of) throw new Error('no change')
  const item = { record: { resource: 'emergencyReports', ...record }, change: of }
  return { ...blankFacts(item), state: 'refused' }
}

interface Options {
  reports?: readonly EmergencyReportRecord[]
  progress?: readonly SendFacts[]
  online?: boolean
  /** No request on the device. */
  empty?: boolean
}

export async function prepare({ reports = [], progress = [], online = true, empty = false }: Options = {}) {
  const db = await openTestDatabase()
  if (!empty) await db.requests.insert(requestOn('1', DAY))
  await storeViews(db, 'emergencyReports', [...reports])
  await storeAllFacts(db, [...progress])
  return { db, services: { online: testValue(online) } }
}

const withForm = <T extends Awaited<ReturnType<typeof renderFeature>> & { db: Database }>(opened: T) => ({
  ...opened,
  submit: () => opened.user.click(opened.screen.getByRole('button', { name: '保存' })),
  records: async () => viewsIn(opened.db, 'emergencyReports'),
})

export async function openAdd(options: Options = {}) {
  const parts = await prepare(options)
  const opened = await renderFeature(<EmergencyAddScreen requestId="1" workingDate={DAY} />, {
    path: '/emergencyReport/add/$id',
    href: `/emergencyReport/add/1?workingDate=${DAY}`,
    ...parts,
  })
  return withForm({ ...opened, db: parts.db })
}

export async function openEdit(id: string, options: Options = {}) {
  const parts = await prepare(options)
  const opened = await renderFeature(<EmergencyEditScreen id={id} />, {
    path: '/emergencyReport/$id/edit',
    href: `/emergencyReport/${id}/edit`,
    ...parts,
  })
  return withForm({ ...opened, db: parts.db })
}

export async function openList(options: Options = {}) {
  const parts = await prepare(options)
  return renderFeature(<EmergencyListScreen requestId="1" workingDate={DAY} />, {
    path: '/emergencyReport/$id',
    href: `/emergencyReport/1?workingDate=${DAY}`,
    ...parts,
  })
}
