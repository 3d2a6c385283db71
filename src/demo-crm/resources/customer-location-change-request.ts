/** Change requests for entry and parking: at most one per request (crm-contract 4). */
import { type } from 'arktype'
import { ParkingType } from '#schemas/codes.ts'
import { IN_METHOD_MAX, PARKING_METHOD_MAX } from '#schemas/limits.ts'
import { given, maybe, parseBody, text, textOrNull } from '#demo-crm/world/body.ts'
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

interface CustomerLocationChangeRow extends OfOrigin {
  id: string
  requestId: string
  parkingType: string | null
  parkingMethod: string | null
  inMethod: string
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

const newBody = type({
  requestId: given,
  'parkingType?': maybe,
  'parkingMethod?': textOrNull(PARKING_METHOD_MAX),
  inMethod: text(IN_METHOD_MAX),
  'loginUserId?': maybe,
})

const isParkingType = (code: string | null | undefined) =>
  code === null || code === undefined || ParkingType.has(code)

const create: Handler = ({ text: sent }, world) => {
  const body = parseBody(newBody, sent)
  if (body.kind === 'refused') return body.answer
  const { requestId, parkingType, parkingMethod, inMethod, loginUserId } = body.value
  const visit = visitFor(world, requestId, null)
  if (!visit) return notFound
  if (changesOf(world, visit).customerLocationChangeStatus !== RegistrationState.unregistered)
    return rejected('ec00030')
  if (!isParkingType(parkingType)) return refused('駐車場区分が正しくありません。')
  const id = newId('cl', requestId)
  world.table('customerLocationChangeRequests').put(id, {
    id,
    requestId,
    inMethod,
    parkingType: parkingType ?? null,
    parkingMethod: parkingMethod ?? null,
    confirmed: false,
    loginUserId: loginUserId ?? '',
    origin: 'call',
  })
  return created({ id })
}

/** A missing field means null (crm-contract 2). */
const changeBody = newBody.omit('requestId')

const update: Handler = ({ params: [id = ''], text: sent }, world) => {
  const body = parseBody(changeBody, sent)
  if (body.kind === 'refused') return body.answer
  const table = world.table('customerLocationChangeRequests')
  const old = table.get(id)
  if (!old) return notFound
  if (old.confirmed) return refused('ec00008')
  const { parkingType, parkingMethod, inMethod, loginUserId } = body.value
  if (!isParkingType(parkingType)) return refused('駐車場区分が正しくありません。')
  table.put(id, {
    ...old,
    inMethod,
    parkingType: parkingType ?? null,
    parkingMethod: parkingMethod ?? null,
    loginUserId: loginUserId ?? old.loginUserId,
    origin: 'call',
  })
  return noContent
}

const read: Handler = ({ params: [id = ''] }, world) => {
  const row = world.table('customerLocationChangeRequests').get(id)
  return row ? ok(viewOf(world, row)) : notFound
}

/**
 * Seeds one change request for a request whose first visit is in slot 4. In about half of them the office has already
 * processed it (editStatus NG).
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
