/** The declaration of a paper form, such as KY活動表. Its picture is one of a form's photos (decisions/forms). */
import type { MessageDescriptor } from '@lingui/core'
import type { PHRASES } from '#messages/phrases.ts'

export interface SheetField {
  name: string
  label: MessageDescriptor
  /** `now` is not typed: its value is the trusted time at which the user typed the row's first number. */
  kind: 'line' | 'lines' | 'number' | 'choice' | 'now'
  /** Maximum number of characters; for `number` the maximum value. */
  max: number
  isOptional?: true
  options?: readonly MessageDescriptor[]
  /** For `lines`, the name of the predefined sentences that 定型文 offers. Their texts are loaded later. */
  phrases?: keyof typeof PHRASES
}

interface SheetStart {
  userName: string
}

/** The part of a sheet's declaration that its picture needs. チェックリスト has no form and declares only this part. */
export interface DrawnSheet {
  /** The sheet's name in URLs and in its draft's key. */
  name: string
  heading: MessageDescriptor
  fileName: string
  fields: readonly SheetField[]
  rows: { label: MessageDescriptor; fields: readonly SheetField[] }
  /** Returns the reasons to stop the work. A sheet with such a reason does not tick the item of 安全対策 (`useRecorded`). */
  stopsIn: (values: SheetTexts) => readonly MessageDescriptor[]
}

export interface SheetSpec extends DrawnSheet {
  rows: DrawnSheet['rows'] & { add: MessageDescriptor; most: number }
  /** Returns the initial texts by field name. @param rowIndex index of a new row; undefined for the fields outside rows */
  startOf: (start: SheetStart, rowIndex?: number) => Readonly<Record<string, MessageDescriptor | string>>
  isRepeated: boolean
}

export interface SheetTexts {
  fields: Record<string, string>
  rows: Record<string, string>[]
}

export interface SheetValues extends SheetTexts {
  /** Keys of the photos that show exactly these values. */
  pictures: string[]
}

const isTexts = (value: unknown): value is Record<string, string> =>
  typeof value === 'object' &&
  value !== null &&
  Object.values(value).every((text) => typeof text === 'string')

/** Parses a sheet's draft; null if there is none. Without a schema library, which forms do not load at first. */
export function sheetValuesIn(json: string): SheetValues | null {
  const read = json === '' ? null : (JSON.parse(json) as Partial<SheetValues> | null)
  const { fields, rows, pictures } = read ?? {}
  const isSheet = isTexts(fields) && Array.isArray(rows) && rows.every(isTexts) && Array.isArray(pictures)
  return isSheet ? { fields, rows, pictures } : null
}

/** The error of a text: ec00001 for a missing text, ec00003 for an overlong text, `number` for an invalid number. */
export type FieldProblem = 'ec00001' | 'ec00003' | 'number'

const NUMBER = /^\d{1,6}(?:\.\d{1,3})?$/

/** Returns the error of a text; null for a valid text. */
export function fieldProblem({ kind, max, isOptional }: SheetField, text = ''): FieldProblem | null {
  if (text.trim() === '') return isOptional ? null : 'ec00001'
  if (kind === 'number') return NUMBER.test(text) && Number(text) <= max ? null : 'number'
  return text.length > max ? 'ec00003' : null
}

export const isFilledIn = (spec: SheetSpec, { fields, rows }: SheetValues): boolean =>
  spec.fields.every((field) => !fieldProblem(field, fields[field.name])) &&
  rows.every((row) => spec.rows.fields.every((field) => !fieldProblem(field, row[field.name])))

/** Returns the row with changed texts. Its time is that of its first number. @param now current time, ISO 8601 */
export function withText(
  { fields }: Pick<SheetSpec['rows'], 'fields'>,
  row: Readonly<Record<string, string>>,
  change: Readonly<Record<string, string>>,
  now: string,
): Record<string, string> {
  const next = { ...row, ...change }
  const times = fields.filter(({ kind }) => kind === 'now')
  const hasNumber = fields.some(({ kind, name }) => kind === 'number' && (next[name] ?? '') !== '')
  const timed = times.map(({ name }) => [name, hasNumber ? row[name] || now : ''])
  return { ...next, ...Object.fromEntries(timed) }
}
