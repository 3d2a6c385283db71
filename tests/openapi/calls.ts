/** Addresses of the demo's configuration, and what the tables of calls have in common. */
import { PAGE_SIZE } from '#schemas/limits.ts'
import type { Query, Success } from './operation.ts'
import { id, integer, list, ref, type Schema } from './schema.ts'

const API = '/api/v1'
export const CRM = `${API}/crm`
export const SECURITY = `${API}/security`
export const REST = `${API}/crm-rest/spa`

export const whoAsks: Query = { name: 'loginUserId', schema: id, description: '読む人の loginUserId' }
export const paging = (limit: number): Query[] => [
  {
    name: 'limit',
    schema: { ...integer, minimum: 1, default: PAGE_SIZE },
    description: `一度に返す件数。アプリは ${limit} を送ります（B3）`,
  },
  {
    name: 'offset',
    schema: { ...integer, minimum: 1, default: 1 },
    description: '最初の行の番号。1 から数えます：1、51、101 …（B2）',
  },
]

export const json = (schema: Schema) => ({ media: 'application/json', schema }) as const
export const ok = (description: string, schema: Schema): Success => ({ status: 200, description, schema })
export const made = (schema: Schema): Success => ({ status: 201, description: '登録した', schema })
export const done: Success = { status: 204, description: '変更した' }
export const page = (description: string, item: string): Success => ({
  ...ok(description, list(ref(item))),
  counted: true,
})

export const EDIT_REFUSED = { ec00008: '編集できない（editStatus が NG）' }
