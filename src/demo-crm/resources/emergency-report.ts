/** Emergency reports of a request (crm-contract 4). */
import { type } from 'arktype'
import { CorrespondenceDate, EmergencyContents, Risk, StaffContact } from '#schemas/codes.ts'
import { EMERGENCY_DETAILS_MAX } from '#schemas/limits.ts'
import { edits, field, reads, reply, withBody, type Handler } from '#demo-crm/world/call.ts'
import { type World, folderNamed, newId } from '#demo-crm/world/world.ts'
import { endTime, startTime, type SeedVisit, isDone, minutesLater, STAFF } from '../seed/visits.ts'
import { addDays, tokyoDay, tokyoTime } from '#demo-crm/seed/tokyo-day.ts'
import { ofVisits, ttsOrderOf, visitFor } from '#demo-crm/world/visit-view.ts'

const codes = type(/^\d+(,\d+)*$/)
const newBody = type({
  '+': 'delete',
  requestId: field.given,
  workingDate: field.day,
  workingStartTime: field.momentOrNull,
  workingEndTime: field.momentOrNull,
  emergencyContents: codes,
  risk: codes,
  correspondenceDate: field.given,
  ttsStaffContact: field.given,
  emergencyContentsDetails: field.text(EMERGENCY_DETAILS_MAX),
  loginUserId: field.user,
})
type NewBody = typeof newBody.infer
type EmergencyReportRow = NewBody & { id: string; createdAt: string; name: string; confirmed: boolean }
declare module '#demo-crm/world/world.ts' {
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
  const { confirmed, loginUserId: _, ...fields } = row
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

const hasAll = (table: CodeTable, list: string) => list.split(',').every((code) => table.has(code))

const hasKnownCodes = (sent: Omit<NewBody, 'requestId' | 'workingDate'>) =>
  hasAll(EmergencyContents, sent.emergencyContents) &&
  hasAll(Risk, sent.risk) &&
  CorrespondenceDate.has(sent.correspondenceDate) &&
  StaffContact.has(sent.ttsStaffContact)

const wrongCodes = reply.refused('緊急報告の区分が正しくありません。')

const create = withBody(newBody, (sent, _, world) => {
  const { requestId } = sent
  const visit = visitFor(world, requestId, sent.workingDate)
  if (!visit) return reply.notFound
  if (!hasKnownCodes(sent)) return wrongCodes
  const id = newId('er', requestId)
  const name = `緊急報告_${visit.requestCode}_${id.slice(-4)}${world.table('emergencyReports').of(requestId).length + 1}`
  const createdAt = tokyoTime(world.now)
  world.table('emergencyReports').put(id, { id, ...sent, createdAt, name, confirmed: false })
  return reply.created({ id, name, emergencyReportFolderId: folderOf(requestId) })
})

const changed = newBody.omit('requestId', 'workingDate')
const update = edits('emergencyReports', changed, (sent) => !hasKnownCodes(sent) && wrongCodes)

const list: Handler = ({ params: [requestId = ''] }, world) => {
  if (!visitFor(world, requestId, null)) return reply.notFound
  const rows = world.table('emergencyReports').of(requestId)
  const newest = rows.toSorted((a, b) => Date.parse(b.createdAt) - Date.parse(a.createdAt))
  return reply.ok(newest.map((row) => viewOf(world, row)))
}

/** Seeds emergency reports of past days. The older ones are confirmed. */
const seed = (visits: SeedVisit[], now: number): EmergencyReportRow[] =>
  visits
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
      createdAt: minutesLater(endTime(visit), 10),
      name: `緊急報告_${visit.requestCode}_1`,
      confirmed: visit.workingDate < addDays(tokyoDay(now), -1),
      loginUserId: STAFF,
    }))

export const emergencyReports = ofVisits(seed, [
  { method: 'POST', path: 'emergencyReport', handle: create },
  { method: 'GET', path: 'emergencyReport/request/:id', handle: list },
  { method: 'GET', path: 'emergencyReport/:id', handle: reads('emergencyReports', viewOf) },
  { method: 'PUT', path: 'emergencyReport/:id', handle: update },
])
