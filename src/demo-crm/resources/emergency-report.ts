/** Emergency reports of a request (crm-contract 4). */
import { type } from 'arktype'
import { CorrespondenceDate, EmergencyContents, Risk, StaffContact } from '#schemas/codes.ts'
import { EMERGENCY_DETAILS_MAX } from '#schemas/limits.ts'
import { day, given, maybe, momentOrNull, parseBody, text } from '#demo-crm/world/body.ts'
import {
  created,
  noContent,
  notFound,
  ok,
  refused,
  type DemoResponse,
  type Handler,
  type Route,
} from '#demo-crm/world/call.ts'
import { folderNamed } from '#demo-crm/world/folders.ts'
import { newId, type OfOrigin } from '#demo-crm/world/rows.ts'
import { isDone, minutesLater, STAFF } from '../seed/done.ts'
import { endTime, startTime, type SeedVisit } from '../seed/visits.ts'
import { addDays, atTime, tokyoDay, tokyoTime } from '#demo-crm/seed/tokyo-day.ts'
import { ttsOrderOf, visitFor } from '#demo-crm/world/visit-view.ts'
import type { World } from '#demo-crm/world/world.ts'

interface EmergencyReportRow extends OfOrigin {
  id: string
  requestId: string
  workingDate: string
  workingStartTime: string | null
  workingEndTime: string | null
  /** Comma-separated codes, as sent. */
  emergencyContents: string
  risk: string
  correspondenceDate: string
  ttsStaffContact: string
  emergencyContentsDetails: string
  createdAt: string
  name: string
  confirmed: boolean
  loginUserId: string
}
declare module '#demo-crm/world/rows.ts' {
  interface RecordRows {
    emergencyReports: EmergencyReportRow
  }
}

const folderOf = (requestId: string) => `ef-${requestId}`

interface CodeTable {
  label(code: string): string
  has(code: unknown): boolean
}
const namesOf = (table: CodeTable, codes: string) =>
  codes
    .split(',')
    .map((code) => table.label(code))
    .join('、')

function viewOf(world: World, row: EmergencyReportRow) {
  const visit = visitFor(world, row.requestId, row.workingDate)
  const { confirmed, loginUserId: _, origin: __, ...fields } = row
  const emergencyReportFolderId = folderOf(row.requestId)
  return {
    ...fields,
    emergencyContentsName: namesOf(EmergencyContents, row.emergencyContents),
    riskName: namesOf(Risk, row.risk),
    correspondenceDateName: CorrespondenceDate.label(row.correspondenceDate),
    ttsStaffContactName: StaffContact.label(row.ttsStaffContact),
    filePath: folderNamed(world, emergencyReportFolderId, row.name)?.id ?? null,
    emergencyReportFolderId,
    editStatus: confirmed ? 'NG' : 'OK',
    request: visit ? { id: visit.id, requestCode: visit.requestCode, ttsOrder: ttsOrderOf(visit) } : null,
  }
}

const codes = type(/^\d+(,\d+)*$/)
const newBody = type({
  requestId: given,
  workingDate: day,
  'workingStartTime?': momentOrNull,
  'workingEndTime?': momentOrNull,
  emergencyContents: codes,
  risk: codes,
  correspondenceDate: given,
  ttsStaffContact: given,
  emergencyContentsDetails: text(EMERGENCY_DETAILS_MAX),
  'loginUserId?': maybe,
})

const all = (table: CodeTable, list: string) => list.split(',').every((code) => table.has(code))

function wrongCodes(row: EmergencyReportRow): DemoResponse | undefined {
  const right =
    all(EmergencyContents, row.emergencyContents) &&
    all(Risk, row.risk) &&
    CorrespondenceDate.has(row.correspondenceDate) &&
    StaffContact.has(row.ttsStaffContact)
  return right ? undefined : refused('緊急報告の区分が正しくありません。')
}

const create: Handler = ({ text: sent }, world) => {
  const body = parseBody(newBody, sent)
  if (body.kind === 'refused') return body.answer
  const { requestId, workingDate, workingStartTime, workingEndTime, loginUserId, ...fields } = body.value
  const visit = visitFor(world, requestId, workingDate)
  if (!visit) return notFound
  const id = newId('er', requestId)
  const row: EmergencyReportRow = {
    id,
    requestId,
    workingDate,
    ...fields,
    workingStartTime: workingStartTime ?? null,
    workingEndTime: workingEndTime ?? null,
    createdAt: tokyoTime(world.now),
    name: `緊急報告_${visit.requestCode}_${id.slice(-4)}${world.table('emergencyReports').of(requestId).length + 1}`,
    confirmed: false,
    loginUserId: loginUserId ?? '',
    origin: 'call',
  }
  const wrong = wrongCodes(row)
  if (wrong) return wrong
  world.table('emergencyReports').put(id, row)
  return created({ id, name: row.name, emergencyReportFolderId: folderOf(requestId) })
}

/** Has the same fields as a new report. A missing field means null (crm-contract 2, 4). */
const changeBody = newBody.omit('requestId', 'workingDate')

const update: Handler = ({ params: [id = ''], text: sent }, world) => {
  const body = parseBody(changeBody, sent)
  if (body.kind === 'refused') return body.answer
  const old = world.table('emergencyReports').get(id)
  if (!old) return notFound
  if (old.confirmed) return refused('ec00008')
  const { value } = body
  const row: EmergencyReportRow = {
    ...old,
    workingStartTime: value.workingStartTime ?? null,
    workingEndTime: value.workingEndTime ?? null,
    emergencyContents: value.emergencyContents,
    risk: value.risk,
    correspondenceDate: value.correspondenceDate,
    ttsStaffContact: value.ttsStaffContact,
    emergencyContentsDetails: value.emergencyContentsDetails,
    loginUserId: value.loginUserId ?? old.loginUserId,
    origin: 'call',
  }
  const wrong = wrongCodes(row)
  if (wrong) return wrong
  world.table('emergencyReports').put(id, row)
  return noContent
}

const read: Handler = ({ params: [id = ''] }, world) => {
  const row = world.table('emergencyReports').get(id)
  return row ? ok(viewOf(world, row)) : notFound
}

/** Newest first. */
const list: Handler = ({ params: [requestId = ''] }, world) => {
  if (!visitFor(world, requestId, null)) return notFound
  const rows = world.table('emergencyReports').of(requestId)
  const newest = rows.toSorted((a, b) => Date.parse(b.createdAt) - Date.parse(a.createdAt))
  return ok(newest.map((row) => viewOf(world, row)))
}

/** Seeds the emergency reports of past days; older ones are confirmed. */
export function seedEmergencyReports(visits: SeedVisit[], now: number): EmergencyReportRow[] {
  return visits
    .filter((visit) => visit.emergency && isDone(visit, now))
    .map((visit) => ({
      id: `er.${visit.id}.1`,
      requestId: visit.id,
      workingDate: visit.workingDate,
      workingStartTime: startTime(visit),
      workingEndTime: endTime(visit),
      emergencyContents: '2,3',
      risk: '3,8',
      correspondenceDate: '1',
      ttsStaffContact: '2',
      emergencyContentsDetails:
        '到着時、満水警報が鳴動。応急処置で水位を下げ、予備機で運転を継続しています。',
      createdAt: atTime(visit.workingDate, minutesLater(visit.end, 10)),
      name: `緊急報告_${visit.requestCode}_1`,
      confirmed: visit.workingDate < addDays(tokyoDay(now), -1),
      loginUserId: STAFF,
      origin: 'seed' as const,
    }))
}

export const emergencyReportRoutes: Route[] = [
  { method: 'POST', path: 'emergencyReport', handle: create },
  { method: 'GET', path: 'emergencyReport/request/:id', handle: list },
  { method: 'GET', path: 'emergencyReport/:id', handle: read },
  { method: 'PUT', path: 'emergencyReport/:id', handle: update },
]
