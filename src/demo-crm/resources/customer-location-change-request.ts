/** Change requests about entry and parking, at most one for each request (crm-contract 4). */
import { type } from 'arktype'
import { ParkingType } from '#schemas/codes.ts'
import { IN_METHOD_MAX, PARKING_METHOD_MAX } from '#schemas/limits.ts'
import { given, maybe, text, textOrNull, withBody } from '#demo-crm/world/body.ts'
import {
  created,
  noContent,
  notFound,
  ok,
  refused,
  rejected,
  type Handler,
  type Route,
} from '#demo-crm/world/call.ts'
import { newId, type OfOrigin } from '#demo-crm/world/rows.ts'
import { MANAGER } from '../seed/done.ts'
import { hash } from '../seed/hash.ts'
import type { SeedVisit } from '../seed/visits.ts'
import { changesOf, RegistrationState, ttsOrderOf, visitFor } from '#demo-crm/world/visit-view.ts'
import type { World } from '#demo-crm/world/world.ts'

/** A missing field means null (crm-contract 2). */
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

const isParkingType = (code: string | null) => code === null || ParkingType.has(code)

const create = withBody(newBody, (sent, _, world) => {
  const visit = visitFor(world, sent.requestId, null)
  if (!visit) return notFound
  if (changesOf(world, visit).customerLocationChangeStatus !== RegistrationState.unregistered)
    return rejected('ec00030')
  if (!isParkingType(sent.parkingType)) return refused('駐車場区分が正しくありません。')
  const id = newId('cl', sent.requestId)
  const loginUserId = sent.loginUserId ?? ''
  const row = { id, ...sent, confirmed: false, loginUserId, origin: 'call' as const }
  world.table('customerLocationChangeRequests').put(id, row)
  return created({ id })
})

const update = withBody(newBody.omit('requestId'), (sent, { params: [id = ''] }, world) => {
  const table = world.table('customerLocationChangeRequests')
  const old = table.get(id)
  if (!old) return notFound
  if (old.confirmed) return refused('ec00008')
  if (!isParkingType(sent.parkingType)) return refused('駐車場区分が正しくありません。')
  table.put(id, { ...old, ...sent, loginUserId: sent.loginUserId ?? old.loginUserId, origin: 'call' })
  return noContent
})

const read: Handler = ({ params: [id = ''] }, world) => {
  const row = world.table('customerLocationChangeRequests').get(id)
  return row ? ok(viewOf(world, row)) : notFound
}

/**
 * Seeds a change request if the request is in slot 4 of its day (`seed/visits.ts`). About half of these are already
 * processed by the office (editStatus NG).
 * @param visits the visits of one request
 */
export function seedCustomerLocationChanges(visits: SeedVisit[]): CustomerLocationChangeRow[] {
  return visits
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
}

export const customerLocationChangeRequestRoutes: Route[] = [
  { method: 'POST', path: 'customerLocationChangeRequest', handle: create },
  { method: 'GET', path: 'customerLocationChangeRequest/:id', handle: read },
  { method: 'PUT', path: 'customerLocationChangeRequest/:id', handle: update },
]
