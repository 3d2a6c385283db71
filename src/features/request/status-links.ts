/** The four status links of 依頼詳細 (spec 2): 未登録 leads to adding, 登録済 to the record, 登録不可 nowhere. */
import { RegistrationStatus } from '#schemas/codes.ts'
import type { RequestRecord } from '#schemas/request.ts'

export interface StatusTarget {
  status: 'todo' | 'done' | 'barred'
  /** null: plain text, no link */
  path: string | null
}

interface Paths {
  add: string
  /** null where the record's id is not known */
  view: string | null
}

/** @param online adding needs the CRM: offline, 未登録 is plain text */
function target(status: string | null, { add, view }: Paths, online: boolean): StatusTarget {
  switch (status) {
    case RegistrationStatus.code.unregistered:
      return { status: 'todo', path: online ? add : null }
    case RegistrationStatus.code.registered:
      return { status: 'done', path: view }
    default:
      return { status: 'barred', path: null }
  }
}

const withId = (base: string, id: string | null, end = '') =>
  id === null ? null : `${base}/${encodeURIComponent(id)}${end}`

export function statusLinks(request: RequestRecord, online: boolean) {
  const id = encodeURIComponent(request.id)
  const change = '/customerLocationChangeRequest'
  const contact = '/locationContactChangeRequest'
  return {
    customerLocation: target(
      request.customerLocationChangeStatus,
      { add: `${change}/add/${id}`, view: withId(change, request.customerLocationChangeRequestId) },
      online,
    ),
    inContact: target(
      request.inLocationContactChangeStatus,
      {
        add: `${contact}/add/${id}/type1`,
        view: withId(contact, request.inLocationContactChangeRequestId, '/type1'),
      },
      online,
    ),
    outContact: target(
      request.outLocationContactChangeStatus,
      {
        add: `${contact}/add/${id}/type2`,
        view: withId(contact, request.outLocationContactChangeRequestId, '/type2'),
      },
      online,
    ),
    note: target(
      request.noteLocationAreaStatus,
      { add: `/noteLocationArea/add/${id}`, view: notesPath(request) },
      online,
    ),
  }
}

/** 現場メモ一覧 of the request's location. */
export function notesPath(request: RequestRecord): string {
  const query = new URLSearchParams({
    type: '1',
    requestId: request.id,
    workingDate: request.workingDate,
  })
  return `/noteLocationArea/${encodeURIComponent(request.locationAreaId ?? request.id)}?${query.toString()}`
}
