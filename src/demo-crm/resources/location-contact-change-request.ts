/** Change requests about entry contact (02) and exit contact (03), one of each for a request (crm-contract 4). */
import { type } from 'arktype'
import { ContactType } from '#schemas/codes.ts'
import { CONTACT_MEANS_MAX, CONTACT_TEL_MAX, CONTACT_TEXT_MAX } from '#schemas/limits.ts'
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
import type { LocationContact } from '#demo-crm/seed/locations.ts'
import { type SeedVisit, OTHER } from '../seed/visits.ts'
import { hash } from '../seed/hash.ts'
import { changesOf, RegistrationState, visitFor } from '#demo-crm/world/visit-view.ts'

interface LocationContactChangeRow extends OfOrigin, LocationContact {
  id: string
  requestId: string
  type: string
  confirmed: boolean
  loginUserId: string
}
declare module '#demo-crm/world/rows.ts' {
  interface RecordRows {
    locationContactChangeRequests: LocationContactChangeRow
  }
}

const optional = textOrNull(CONTACT_TEXT_MAX).default(null)
const newBody = type({
  '+': 'delete',
  requestId: given,
  type: given,
  name: text(CONTACT_TEXT_MAX),
  kana: text(CONTACT_TEXT_MAX),
  section: optional,
  class: optional,
  staffName: optional,
  means: textOrNull(CONTACT_MEANS_MAX).default(null),
  email: optional,
  tel1: text(CONTACT_TEL_MAX),
  loginUserId: maybe.default(null),
})

const create = withBody(newBody, (sent, _, world) => {
  const { requestId, type: role } = sent
  if (!ContactType.has(role)) return refused('連絡先の区分が正しくありません。')
  const visit = visitFor(world, requestId, null)
  if (!visit) return notFound
  const changes = changesOf(world, visit)
  const status =
    role === '02' ? changes.inLocationContactChangeStatus : changes.outLocationContactChangeStatus
  if (status !== RegistrationState.unregistered) return rejected('ec00026')
  const id = newId('lc', requestId)
  const loginUserId = sent.loginUserId ?? ''
  const row = { id, ...sent, confirmed: false, loginUserId, origin: 'call' as const }
  world.table('locationContactChangeRequests').put(id, row)
  return created({ id })
})

const update = edits('locationContactChangeRequests', newBody.omit('requestId', 'type'))
const read = reads('locationContactChangeRequests', (_, { confirmed, origin: __, ...fields }) => ({
  ...fields,
  editStatus: confirmed ? 'NG' : 'OK',
}))

/** Seeds a change of the entry contact for each request of slot 5 (`seed/visits.ts`). */
export const seedContactChanges = (visits: SeedVisit[]): LocationContactChangeRow[] =>
  visits
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

export const locationContactChangeRequestRoutes: Route[] = [
  { method: 'POST', path: 'locationContactChangeRequest', handle: create },
  { method: 'GET', path: 'locationContactChangeRequest/:id', handle: read },
  { method: 'PUT', path: 'locationContactChangeRequest/:id', handle: update },
]
