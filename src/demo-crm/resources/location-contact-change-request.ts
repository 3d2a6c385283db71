/**
 * Change requests for the entry contact (02) and the exit contact (03): at most one each per request (crm-contract 4).
 */
import { type } from 'arktype'
import { ContactType } from '#schemas/codes.ts'
import { CONTACT_MEANS_MAX, CONTACT_TEL_MAX, CONTACT_TEXT_MAX } from '#schemas/limits.ts'
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
import type { LocationContact } from '../seed/contacts.ts'
import { OTHER } from '../seed/done.ts'
import { hash } from '../seed/hash.ts'
import type { SeedVisit } from '../seed/visits.ts'
import { changesOf, RegistrationState, visitFor } from '#demo-crm/world/visit-view.ts'

interface LocationContactChangeRow extends OfOrigin, LocationContact {
  id: string
  requestId: string
  /** `02` entry, `03` exit. */
  type: string
  confirmed: boolean
  loginUserId: string
}
declare module '#demo-crm/world/rows.ts' {
  interface RecordRows {
    locationContactChangeRequests: LocationContactChangeRow
  }
}

const optional = textOrNull(CONTACT_TEXT_MAX)
const newBody = type({
  requestId: given,
  type: given,
  name: text(CONTACT_TEXT_MAX),
  kana: text(CONTACT_TEXT_MAX),
  'section?': optional,
  'class?': optional,
  'staffName?': optional,
  'means?': textOrNull(CONTACT_MEANS_MAX),
  'email?': optional,
  tel1: text(CONTACT_TEL_MAX),
  'loginUserId?': maybe,
})

/** A missing field means null (crm-contract 2). */
const contactOf = (sent: Omit<typeof newBody.infer, 'requestId' | 'type'>) => ({
  name: sent.name,
  kana: sent.kana,
  section: sent.section ?? null,
  class: sent.class ?? null,
  staffName: sent.staffName ?? null,
  means: sent.means ?? null,
  email: sent.email ?? null,
  tel1: sent.tel1,
})

const create: Handler = ({ text: sent }, world) => {
  const body = parseBody(newBody, sent)
  if (body.kind === 'refused') return body.answer
  const { requestId, type: role, loginUserId } = body.value
  if (!ContactType.has(role)) return refused('連絡先の区分が正しくありません。')
  const visit = visitFor(world, requestId, null)
  if (!visit) return notFound
  const changes = changesOf(world, visit)
  const status =
    role === '02' ? changes.inLocationContactChangeStatus : changes.outLocationContactChangeStatus
  if (status !== RegistrationState.unregistered) return rejected('ec00026')
  const row: LocationContactChangeRow = {
    id: newId('lc', requestId),
    requestId,
    type: role,
    ...contactOf(body.value),
    confirmed: false,
    loginUserId: loginUserId ?? '',
    origin: 'call',
  }
  world.table('locationContactChangeRequests').put(row.id, row)
  return created({ id: row.id })
}

const changeBody = newBody.omit('requestId', 'type')

/** The type cannot change: an entry contact does not become an exit contact. */
const update: Handler = ({ params: [id = ''], text: sent }, world) => {
  const body = parseBody(changeBody, sent)
  if (body.kind === 'refused') return body.answer
  const table = world.table('locationContactChangeRequests')
  const old = table.get(id)
  if (!old) return notFound
  if (old.confirmed) return refused('ec00008')
  const loginUserId = body.value.loginUserId ?? old.loginUserId
  table.put(id, { ...old, ...contactOf(body.value), loginUserId, origin: 'call' })
  return noContent
}

const read: Handler = ({ params: [id = ''] }, world) => {
  const row = world.table('locationContactChangeRequests').get(id)
  if (!row) return notFound
  const { confirmed, origin: _, ...fields } = row
  return ok({ ...fields, editStatus: confirmed ? 'NG' : 'OK' })
}

/** Seeds a change of the entry contact for slot 5. */
export function seedContactChanges(visits: SeedVisit[]): LocationContactChangeRow[] {
  return visits
    .slice(0, 1)
    .filter((visit) => visit.slot === 5)
    .map((visit) => ({
      id: `lc.${visit.id}.1`,
      requestId: visit.id,
      type: '02',
      name: `${visit.area.building} 管理事務所`,
      kana: 'ｶﾝﾘｼﾞﾑｼｮ',
      section: '管理課',
      class: '係長',
      staffName: '原田 圭',
      means: '電話（平日9:00〜17:00）',
      email: null,
      tel1: '03-5550-0187',
      confirmed: hash(`lc ${visit.id}`) % 2 === 0,
      loginUserId: OTHER,
      origin: 'seed' as const,
    }))
}

export const locationContactChangeRequestRoutes: Route[] = [
  { method: 'POST', path: 'locationContactChangeRequest', handle: create },
  { method: 'GET', path: 'locationContactChangeRequest/:id', handle: read },
  { method: 'PUT', path: 'locationContactChangeRequest/:id', handle: update },
]
