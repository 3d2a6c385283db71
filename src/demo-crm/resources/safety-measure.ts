/** Safety measures, one for each request, working day and type (crm-contract 4). There is no `PUT`. */
import { type } from 'arktype'
import { SafetyNeedFlag, SafetyType } from '#schemas/codes.ts'
import { field, reads, reply, withBody } from '#demo-crm/world/call.ts'
import { type World, folderNamed, newId } from '#demo-crm/world/world.ts'
import { endTime, startTime, type SeedVisit, isDone, MANAGER } from '../seed/visits.ts'
import { displayName } from '../seed/people.ts'
import { addDays, atTime, tokyoTime } from '#demo-crm/seed/tokyo-day.ts'
import { ofVisits, visitFor } from '#demo-crm/world/visit-view.ts'

const newBody = type({
  '+': 'delete',
  requestId: field.given,
  needFlag: field.given,
  safetyType: field.given,
  workingDate: field.day,
  workingStartTime: field.momentOrNull,
  workingEndTime: field.momentOrNull,
  loginUserId: field.user,
})
type SafetyMeasureRow = typeof newBody.infer & { id: string; createdAt: string; name: string }
declare module '#demo-crm/world/world.ts' {
  interface RecordRows {
    safety: SafetyMeasureRow
  }
}

const folderOf = (requestId: string) => `sf-${requestId}`

export function safetyView(world: World, row: SafetyMeasureRow) {
  const safetyFolderId = folderOf(row.requestId)
  const { loginUserId, ...fields } = row
  return {
    ...fields,
    type: row.safetyType,
    typeName: SafetyType.label(row.safetyType),
    createdDisplayName: displayName(loginUserId),
    filePath: folderNamed(world, safetyFolderId, row.name)?.id ?? null,
    safetyFolderId,
  }
}

const create = withBody(newBody, (sent, _, world) => {
  const { requestId, needFlag, safetyType, workingDate } = sent
  if (!SafetyNeedFlag.has(needFlag) || !SafetyType.has(safetyType))
    return reply.refused('安全対策の区分が正しくありません。')
  const visit = visitFor(world, requestId, workingDate)
  if (!visit) return reply.notFound
  const table = world.table('safety')
  const isSame = (row: SafetyMeasureRow) => row.safetyType === safetyType && row.workingDate === workingDate
  if (table.of(requestId).some(isSame)) return reply.refused('ec00027')
  const row: SafetyMeasureRow = {
    id: newId('sm', requestId),
    ...sent,
    createdAt: tokyoTime(world.now),
    name: `安全対策_${visit.requestCode}_${workingDate}_${safetyType}`,
  }
  table.put(row.id, row)
  return reply.created({ id: row.id, name: row.name, safetyFolderId: folderOf(requestId) })
})

/** Returns the safety types that a visit requires: its directions 1 to 5. Directions 6 and 7 require none. */
export const neededSafety = (visit: SeedVisit) => visit.directions.filter((code) => code <= '5')

/** Seeds all measures of finished visits. Other visits in slot 6 get one, written by a colleague. */
const seed = (visits: SeedVisit[], now: number): SafetyMeasureRow[] =>
  visits.flatMap((visit) => {
    const needed = neededSafety(visit)
    const types = isDone(visit, now) ? needed : visit.slot === 6 ? needed.slice(0, 1) : []
    return types.map((safetyType) => ({
      id: `sm.${visit.id}.${visit.workingDate.replaceAll('-', '')}${safetyType}`,
      requestId: visit.id,
      needFlag: '1',
      safetyType,
      workingDate: visit.workingDate,
      workingStartTime: startTime(visit),
      workingEndTime: endTime(visit),
      createdAt: atTime(addDays(visit.workingDate, visit.slot === 6 ? -1 : 0), visit.start),
      name: `安全対策_${visit.requestCode}_${visit.workingDate}_${safetyType}`,
      loginUserId: MANAGER,
    }))
  })

export const safety = ofVisits(seed, [
  { method: 'POST', path: 'safety', handle: create },
  { method: 'GET', path: 'safety/:id', handle: reads('safety', safetyView) },
])
