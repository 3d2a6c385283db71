/** Change requests about entry and parking, at most one for each request (crm-contract 4). */
import { type } from 'arktype'
import { ParkingType } from '#schemas/codes.ts'
import { IN_METHOD_MAX, PARKING_METHOD_MAX } from '#schemas/limits.ts'
import { edits, field, reads, reply, withBody } from '#demo-crm/world/call.ts'
import { type SeedVisit, MANAGER } from '../seed/visits.ts'
import { hash } from '../seed/hash.ts'
import { changesOf, ofVisits, RegistrationState, ttsOrderOf, visitFor } from '#demo-crm/world/visit-view.ts'
import { newId, type World } from '#demo-crm/world/world.ts'

const newBody = type({
  '+': 'delete',
  requestId: field.given,
  parkingType: field.maybe,
  parkingMethod: field.textOrNull(PARKING_METHOD_MAX),
  inMethod: field.text(IN_METHOD_MAX),
  loginUserId: field.user,
})
type CustomerLocationChangeRow = typeof newBody.infer & { id: string; confirmed: boolean }
declare module '#demo-crm/world/world.ts' {
  interface RecordRows {
    customerLocationChangeRequests: CustomerLocationChangeRow
  }
}

function viewOf(world: World, row: CustomerLocationChangeRow) {
  const visit = visitFor(world, row.requestId, null)
  const { confirmed, loginUserId: _, ...fields } = row
  return {
    ...fields,
    parkingTypeName: row.parkingType === null ? null : ParkingType.label(row.parkingType),
    editStatus: confirmed ? 'NG' : 'OK',
    customerLocationChangeStatus: RegistrationState.registered,
    ttsOrder: visit ? ttsOrderOf(visit) : null,
  }
}

const isWrong = (sent: { parkingType: string | null }) =>
  sent.parkingType !== null &&
  !ParkingType.has(sent.parkingType) &&
  reply.refused('駐車場区分が正しくありません。')

const update = edits('customerLocationChangeRequests', newBody.omit('requestId'), (sent) => isWrong(sent))

const create = withBody(newBody, (sent, _, world) => {
  const visit = visitFor(world, sent.requestId, null)
  if (!visit) return reply.notFound
  if (changesOf(world, visit).customerLocationChangeStatus !== RegistrationState.unregistered)
    return reply.rejected('ec00030')
  const wrong = isWrong(sent)
  if (wrong) return wrong
  const id = newId('cl', sent.requestId)
  world.table('customerLocationChangeRequests').put(id, { id, ...sent, confirmed: false })
  return reply.created({ id })
})

/** Seeds a change request for slot 4 (`seed/visits.ts`). The office has processed about half (editStatus NG). */
const seed = (visits: SeedVisit[]): CustomerLocationChangeRow[] =>
  visits
    .slice(0, 1)
    .filter((visit) => visit.slot === 4)
    .map((visit) => ({
      id: `cl.${visit.id}.1`,
      requestId: visit.id,
      parkingType: '2',
      parkingMethod: '敷地内は満車のため、東側コインパーキングを利用。',
      inMethod: '通用口の暗証番号が変わりました。管理室で新しい番号を確認してください。',
      confirmed: hash(`cl ${visit.id}`) % 2 === 0,
      loginUserId: MANAGER,
    }))

export const customerLocationChangeRequests = ofVisits(seed, [
  { method: 'POST', path: 'customerLocationChangeRequest', handle: create },
  {
    method: 'GET',
    path: 'customerLocationChangeRequest/:id',
    handle: reads('customerLocationChangeRequests', viewOf),
  },
  { method: 'PUT', path: 'customerLocationChangeRequest/:id', handle: update },
])
