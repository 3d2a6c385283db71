/**
 * The declaration of a sheet, a small form that becomes a picture among the photos of a record (decisions/forms). The
 * sheet's form, checks, picture and storage follow from its declaration.
 */
import type { MessageDescriptor } from '@lingui/core'
import type { PHRASES } from '#messages/phrases.ts'

export interface SheetField {
  name: string
  label: MessageDescriptor
  /** `now` is the time at which the row's first number was typed, by the trusted clock; nobody types it. */
  kind: 'line' | 'lines' | 'number' | 'choice' | 'now'
  /** Maximum number of characters; for a `number` the maximum value. */
  max: number
  required: boolean
  /** The options of a `choice`. */
  options?: readonly MessageDescriptor[]
  /** For `lines`, the name of the sentences that 定型文 offers beside the user's own. Their texts are loaded later. */
  phrases?: keyof typeof PHRASES
}

/** The facts that a sheet's initial texts are made of. */
interface SheetStart {
  userName: string
}

/** The part of a sheet's declaration that its picture needs. A sheet that nobody fills in has only this part. */
export interface DrawnSheet {
  /** Name in URLs and in the key of the sheet's draft. */
  name: string
  heading: MessageDescriptor
  /** The picture's file name, without its time. */
  fileName: string
  fields: readonly SheetField[]
  /** The fields of each row, and the label of a row. */
  rows: { label: MessageDescriptor; fields: readonly SheetField[] }
  /** Returns the reasons to stop the work. A sheet with such a reason does not count as a safety measure. */
  stopsIn: (values: SheetTexts) => readonly MessageDescriptor[]
}

export interface SheetSpec extends DrawnSheet {
  rows: DrawnSheet['rows'] & { add: MessageDescriptor; most: number }
  /** Returns initial texts by field. @param rowIndex index of a new row; undefined for the fields outside of rows */
  startOf: (start: SheetStart, rowIndex?: number) => Readonly<Record<string, MessageDescriptor | string>>
  /** True if the sheet can begin with the texts of the last visit to the same place. */
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

/**
 * Parses the values of a sheet's draft; null if there are none. It uses no schema library, because forms load none at
 * first.
 */
export function sheetValuesIn(json: string): SheetValues | null {
  const read = json === '' ? null : (JSON.parse(json) as Partial<SheetValues> | null)
  const { fields, rows, pictures } = read ?? {}
  const isSheet = isTexts(fields) && Array.isArray(rows) && rows.every(isTexts) && Array.isArray(pictures)
  return isSheet ? { fields, rows, pictures } : null
}

/** The error of a text: ec00001 if it is required, ec00003 if it is too long, `number` if it is not a valid number. */
export type FieldProblem = 'ec00001' | 'ec00003' | 'number'

const NUMBER = /^\d{1,6}(?:\.\d{1,3})?$/

/** Returns the error of a text; null if it is valid. */
export function fieldProblem({ kind, max, required }: SheetField, text = ''): FieldProblem | null {
  if (text.trim() === '') return required ? 'ec00001' : null
  if (kind === 'number') return NUMBER.test(text) && Number(text) <= max ? null : 'number'
  return text.length > max ? 'ec00003' : null
}

/** True if all texts of the sheet are valid. */
export const isFilledIn = (spec: SheetSpec, { fields, rows }: SheetValues): boolean =>
  spec.fields.every((field) => !fieldProblem(field, fields[field.name])) &&
  rows.every((row) => spec.rows.fields.every((field) => !fieldProblem(field, row[field.name])))

/**
 * Returns a row with changed texts. The row's time is the time at which its first number was typed; a row without a number
 * has no time.
 * @param now current time, ISO 8601
 */
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
