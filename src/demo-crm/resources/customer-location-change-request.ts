/** Change requests about entry and parking, at most one for each request (crm-contract 4). */
import { type } from 'arktype'
import { ParkingType } from '#schemas/codes.ts'
import { IN_METHOD_MAX, PARKING_METHOD_MAX } from '#schemas/limits.ts'
import {
  created,
  notFound,
  refused,
  rejected,
  type Route,
  given,
  maybe,
  text,
  textOrNull,
  withBody,
  edits,
  reads,
} from '#demo-crm/world/call.ts'
import { newId, type OfOrigin } from '#demo-crm/world/rows.ts'
import { type SeedVisit, MANAGER } from '../seed/visits.ts'
import { hash } from '../seed/hash.ts'
import { changesOf, RegistrationState, ttsOrderOf, visitFor } from '#demo-crm/world/visit-view.ts'
import type { World } from '#demo-crm/world/world.ts'

const newBody = type({
  '+': 'delete',
  requestId: given,
  parkingType: maybe.default(null),
  parkingMethod: textOrNull(PARKING_METHOD_MAX).default(null),
  inMethod: text(IN_METHOD_MAX),
  loginUserId: maybe.default(null),
})
type NewBody = typeof newBody.infer

interface CustomerLocationChangeRow extends OfOrigin, Omit<NewBody, 'loginUserId'> {
  id: string
  confirmed: boolean
  loginUserId: string
}
declare module '#demo-crm/world/rows.ts' {
  interface RecordRows {
    customerLocationChangeRequests: CustomerLocationChangeRow
  }
}

function viewOf(world: World, row: CustomerLocationChangeRow) {
  const visit = visitFor(world, row.requestId, null)
  return {
    id: row.id,
    requestId: row.requestId,
    parkingType: row.parkingType,
    parkingTypeName: row.parkingType === null ? null : ParkingType.label(row.parkingType),
    parkingMethod: row.parkingMethod,
    inMethod: row.inMethod,
    editStatus: row.confirmed ? 'NG' : 'OK',
    customerLocationChangeStatus: RegistrationState.registered,
    ttsOrder: visit ? ttsOrderOf(visit) : null,
  }
}

const isWrong = (sent: { parkingType: string | null }) =>
  sent.parkingType !== null && !ParkingType.has(sent.parkingType) && refused('駐車場区分が正しくありません。')

const create = withBody(newBody, (sent, _, world) => {
  const visit = visitFor(world, sent.requestId, null)
  if (!visit) return notFound
  if (changesOf(world, visit).customerLocationChangeStatus !== RegistrationState.unregistered)
    return rejected('ec00030')
  const wrong = isWrong(sent)
  if (wrong) return wrong
  const id = newId('cl', sent.requestId)
  const loginUserId = sent.loginUserId ?? ''
  const row = { id, ...sent, confirmed: false, loginUserId, origin: 'call' as const }
  world.table('customerLocationChangeRequests').put(id, row)
  return created({ id })
})

const update = edits('customerLocationChangeRequests', newBody.omit('requestId'), (sent) => isWrong(sent))
const read = reads('customerLocationChangeRequests', viewOf)

/** Seeds a change request for slot 4 (`seed/visits.ts`). The office has processed about half (editStatus NG). */
export const seedCustomerLocationChanges = (visits: SeedVisit[]): CustomerLocationChangeRow[] =>
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
      origin: 'seed' as const,
    }))

export const customerLocationChangeRequestRoutes: Route[] = [
  { method: 'POST', path: 'customerLocationChangeRequest', handle: create },
  { method: 'GET', path: 'customerLocationChangeRequest/:id', handle: read },
  { method: 'PUT', path: 'customerLocationChangeRequest/:id', handle: update },
]
