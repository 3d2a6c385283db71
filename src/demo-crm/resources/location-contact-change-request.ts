/** Change requests about entry contact (02) and exit contact (03), one of each for a request (crm-contract 4). */
import { type } from 'arktype'
import { ContactType } from '#schemas/codes.ts'
import { CONTACT_MEANS_MAX, CONTACT_TEL_MAX, CONTACT_TEXT_MAX } from '#schemas/limits.ts'
import { edits, field, reads, reply, withBody } from '#demo-crm/world/call.ts'
import { type SeedVisit, OTHER } from '../seed/visits.ts'
import { hash } from '../seed/hash.ts'
import { changesOf, ofVisits, RegistrationState, visitFor } from '#demo-crm/world/visit-view.ts'
import { newId } from '#demo-crm/world/world.ts'

const optional = field.textOrNull(CONTACT_TEXT_MAX)
const newBody = type({
  '+': 'delete',
  requestId: field.given,
  type: field.given,
  name: field.text(CONTACT_TEXT_MAX),
  kana: field.text(CONTACT_TEXT_MAX),
  section: optional,
  class: optional,
  staffName: optional,
  means: field.textOrNull(CONTACT_MEANS_MAX),
  email: optional,
  tel1: field.text(CONTACT_TEL_MAX),
  loginUserId: field.user,
})
type LocationContactChangeRow = typeof newBody.infer & { id: string; confirmed: boolean }
declare module '#demo-crm/world/world.ts' {
  interface RecordRows {
    locationContactChangeRequests: LocationContactChangeRow
  }
}

const create = withBody(newBody, (sent, _, world) => {
  const { requestId, type: role } = sent
  if (!ContactType.has(role)) return reply.refused('連絡先の区分が正しくありません。')
  const visit = visitFor(world, requestId, null)
  if (!visit) return reply.notFound
  const changes = changesOf(world, visit)
  const status =
    role === '02' ? changes.inLocationContactChangeStatus : changes.outLocationContactChangeStatus
  if (status !== RegistrationState.unregistered) return reply.rejected('ec00026')
  const id = newId('lc', requestId)
  world.table('locationContactChangeRequests').put(id, { id, ...sent, confirmed: false })
  return reply.created({ id })
})

const update = edits('locationContactChangeRequests', newBody.omit('requestId', 'type'))
const read = reads('locationContactChangeRequests', (_, { confirmed, ...fields }) => ({
  ...fields,
  editStatus: confirmed ? 'NG' : 'OK',
}))

/** Seeds a change of the entry contact for each request of slot 5 (`seed/visits.ts`). */
const seed = (visits: SeedVisit[]): LocationContactChangeRow[] =>
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
    }))

export const locationContactChangeRequests = ofVisits(seed, [
  { method: 'POST', path: 'locationContactChangeRequest', handle: create },
  { method: 'GET', path: 'locationContactChangeRequest/:id', handle: read },
  { method: 'PUT', path: 'locationContactChangeRequest/:id', handle: update },
])
