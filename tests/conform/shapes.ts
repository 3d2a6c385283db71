/** Shapes of answers, in the contract's words; unknown fields are ignored, an absent field and null are the same. */
import { type, type Type } from 'arktype'
import { ID_MAX } from '#schemas/limits.ts'
import { must } from './verdict.ts'

export type Row = Record<string, unknown>

const id = type(`1 <= string <= ${ID_MAX}`)
const code = type('string | number')
const day = type(/^\d{4}-\d{2}-\d{2}$/)
const named = type({ id: 'string' }).or('null')

export const tokens = type({ accessToken: 'string >= 1', refreshToken: 'string >= 1' })
export const signIn = tokens.merge({
  userInfo: {
    id,
    'supplierStaffId?': id.or('null'),
    'supplierId?': id.or('null'),
    userFlag: 'number',
    'loginUserName?': 'string | null',
  },
})
export const requestRow = type({
  id,
  requestCode: 'string >= 1',
  workingDate: day,
  workingDateType: code,
  'workingStartTime?': 'string | null',
  'workingEndTime?': 'string | null',
  'customerLocationChangeStatus?': code.or('null'),
  'inLocationContactChangeStatus?': code.or('null'),
  'outLocationContactChangeStatus?': code.or('null'),
  'customerLocationChangeRequest?': named,
  'safetyStatus?': code.or('null'),
  'safetyDirection?': code.array().or('null'),
  ttsOrder: { orderFlag: code, locationArea: { id, name: 'string' } },
  'quickReport?': type({ id, 'inTime?': 'string | null', 'outTime?': 'string | null' }).or('null'),
})
export const made = type({ id })
export const failure = type({ errors: 'string[] | string' }).or({ error: 'string' })
export const staff = type({ id, name: 'string', supplierId: id, userFlag: 'number' }).array()
export const fileToken = type({ access_token: 'string >= 1', expire: 'number' })
export const folder = type({ success: 'true', node: { id, name: 'string' } })
export const folders = type({ success: 'true', lists: type({ id, name: 'string' }).array() })
const seq = type('string | number').pipe(String)
export const uploaded = type({ success: 'true', file_seq: seq, name: 'string' })
export const files = type({ success: 'true', lists: type({ file_seq: seq, name: 'string' }).array() })
export const address = type({ download_url: 'string >= 1', file_seq: seq, name: 'string' })

/** The value as the shape has it; else the clause is broken. @param what of what, for the message */
export function shaped<T extends Type>(shape: T, value: unknown, what: string): T['infer'] {
  const result: unknown = shape(value)
  must(
    !(result instanceof type.errors),
    `${what}：${result instanceof type.errors ? result.summary.slice(0, 200) : ''}`,
  )
  return result
}

export const isRow = (value: unknown): value is Row =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

export function rowsIn(value: unknown, what: string): Row[] {
  must(Array.isArray(value) && value.every(isRow), `${what}：配列ではありません。`)
  return value
}

export function rowIn(value: unknown, what: string): Row {
  must(isRow(value), `${what}：オブジェクトではありません。`)
  return value
}

/** Absent and null are the same; a code may be a number. */
export const textOf = (row: Row | undefined, name: string): string | null => {
  const value = row?.[name]
  return typeof value === 'string' || typeof value === 'number' ? String(value) : null
}

export const partOf = (row: Row | undefined, name: string): Row | undefined => {
  const value = row?.[name]
  return isRow(value) ? value : undefined
}
