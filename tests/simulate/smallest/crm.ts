/** What the smallest world needs of the CRM: one request with at most one change request (crm-contract 4). Pure. */
import { RegistrationStatus } from '#schemas/codes.ts'
import type { HttpCall } from '#sync/transport/http.ts'
import type { Answer } from '#sync/transport/outcome.ts'

export const REST = 'http://crm.test/rest'
export const REQUEST = 'r1'
const ID = 'x1'

export interface Content {
  parkingType: string | null
  parkingMethod: string | null
  inMethod: string | null
}

/** The record, and how often one was made. */
export interface CrmState {
  content: Content | null
  made: number
}

const answer = (status: number, body: unknown = null): Answer => ({
  kind: 'answer',
  status,
  body,
  isJson: true,
  total: null,
  retryAfter: null,
})

const contentOf = (text: string): Content => {
  const sent = JSON.parse(text) as Partial<Content>
  const { parkingType = null, parkingMethod = null, inMethod = null } = sent
  return { parkingType, parkingMethod, inMethod }
}

/** The record as a read gives it. */
export const rowOf = (content: Content) => ({ id: ID, requestId: REQUEST, ...content, editStatus: 'OK' })

function read(path: string, { content }: CrmState): Answer {
  if (path.startsWith('customerLocationChangeRequest/'))
    return content ? answer(200, rowOf(content)) : answer(404, { error: '該当するデータがありません。' })
  const registered = {
    customerLocationChangeStatus: RegistrationStatus.code.registered,
    customerLocationChangeRequest: { id: ID },
  }
  const row = { id: REQUEST, requestCode: 'C-1', workingDate: '2026-11-20', ttsOrder: {} }
  return answer(200, content ? { ...row, ...registered } : row)
}

/** @returns the CRM afterwards, and what it answers */
export function act(call: HttpCall, crm: CrmState): { crm: CrmState; answer: Answer } {
  const path = call.url.slice(REST.length + 1)
  if (call.method === 'GET') return { crm, answer: read(path, crm) }
  const content = contentOf(call.body ?? '{}')
  if (call.method === 'PUT')
    return crm.content
      ? { crm: { ...crm, content }, answer: answer(204) }
      : { crm, answer: answer(404, { error: '該当するデータがありません。' }) }
  if (crm.content) return { crm, answer: answer(400, { errors: ['ec00030'] }) }
  return { crm: { content, made: crm.made + 1 }, answer: answer(200, { id: ID }) }
}
