/**
 * What a sheet is: a small form that becomes a picture in the folder of its record (decisions/forms). A sheet is one
 * declaration; form, checks, picture and storage follow from it.
 */
import type { MessageDescriptor } from '@lingui/core'
import type { PHRASES } from '#messages/phrases.ts'

export interface SheetField {
  name: string
  label: MessageDescriptor
  /** `now`: the time of the row's first number, by the trusted clock; nobody types it. */
  kind: 'line' | 'lines' | 'number' | 'choice' | 'now'
  /** Characters; of a `number` the largest value. */
  max: number
  required: boolean
  /** Of a `choice`. */
  options?: readonly MessageDescriptor[]
  /** Of `lines`: the sentences that 定型文 offers beside the user's own. By name, which is loaded before its texts. */
  phrases?: keyof typeof PHRASES
}

/** Values that a sheet begins with. */
interface SheetStart {
  userName: string
}

/** What the picture of a sheet needs. It is the whole declaration of a sheet that nobody types. */
export interface DrawnSheet {
  /** Part of the draft's key. */
  name: string
  heading: MessageDescriptor
  /** The picture's file name, without its time. */
  fileName: string
  fields: readonly SheetField[]
  /** The repeated part. */
  rows: { label: MessageDescriptor; fields: readonly SheetField[] }
  /** Reasons to stop the work; a sheet with one of them is no safety measure. */
  stopsIn: (values: SheetTexts) => readonly MessageDescriptor[]
}

export interface SheetSpec extends DrawnSheet {
  rows: DrawnSheet['rows'] & { add: MessageDescriptor; most: number }
  /** Texts that fields begin with. @param at index of a new row; undefined for the fields outside of rows */
  startOf: (start: SheetStart, at?: number) => Readonly<Record<string, MessageDescriptor | string>>
  /** True if a visit can begin with the sheet of the last visit to the same place. */
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

/** Returns the values of a sheet in a draft, which are JSON; null if it has none. Needs no schema library on a form. */
export function sheetValuesIn(json: string): SheetValues | null {
  const read = json === '' ? null : (JSON.parse(json) as Partial<SheetValues> | null)
  const { fields, rows, pictures } = read ?? {}
  const isSheet = isTexts(fields) && Array.isArray(rows) && rows.every(isTexts) && Array.isArray(pictures)
  return isSheet ? { fields, rows, pictures } : null
}

/** What is wrong with a text: ec00001 required, ec00003 too long, `number`: not a number or above the largest. */
export type FieldProblem = 'ec00001' | 'ec00003' | 'number'

const NUMBER = /^\d{1,6}(?:\.\d{1,3})?$/

export function fieldProblem({ kind, max, required }: SheetField, text = ''): FieldProblem | null {
  if (text.trim() === '') return required ? 'ec00001' : null
  if (kind === 'number') return NUMBER.test(text) && Number(text) <= max ? null : 'number'
  return text.length > max ? 'ec00003' : null
}

/** True if nothing is wrong with any text of the sheet. */
export const isFilledIn = (spec: SheetSpec, { fields, rows }: SheetValues): boolean =>
  spec.fields.every((field) => !fieldProblem(field, fields[field.name])) &&
  rows.every((row) => spec.rows.fields.every((field) => !fieldProblem(field, row[field.name])))

/**
 * Returns a row with a text changed. Its time is set with its first number, and is empty without one.
 * @param now ISO 8601
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
