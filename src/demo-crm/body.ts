/**
 * Reading the bodies of calls: the CRM's own types, on purpose not the app's mappings, so that it notices when the app
 * sends something else than the contract says. Unknown fields are ignored; a code may come as a number (crm-contract 2).
 */
import { type, type Type } from 'arktype'
import type { Answer } from './call.ts'

/** As the contract wants it sent: with +09:00. */
const dateTime = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(:\d{2}(\.\d+)?)?\+09:00$/

/** A code or id that must be there. */
export const given = type('string | number').pipe(String).to('0 < string <= 64')
/** A code or id that may be null or empty. */
export const maybe = type('string | number | null').pipe((value) =>
  value === null || value === '' ? null : String(value),
)
export const moment = type(dateTime).narrow((text) => !Number.isNaN(Date.parse(text)))
export const momentOrNull = moment.or('null')
export const day = type(/^\d{4}-\d{2}-\d{2}$/)
/** A text of at most so many characters that must say something. */
export const text = (max: number) => type(`1 <= string <= ${max}`)
/** A text of at most so many characters, or null. */
export const textOrNull = (max: number) => type(`string <= ${max} | null`)

export type Parsed<T> = { kind: 'ok'; value: T } | { kind: 'refused'; answer: Answer }

const refusal = (...errors: string[]): { kind: 'refused'; answer: Answer } => ({
  kind: 'refused',
  answer: { status: 422, json: { errors } },
})

/** Parses a JSON body, or says what is wrong with it: 422, one text for each field. */
export function parseBody<T extends Type>(schema: T, body: string): Parsed<T['infer']> {
  let json: unknown
  try {
    json = JSON.parse(body)
  } catch {
    return { kind: 'refused', answer: { status: 400, json: { error: 'JSONが正しくありません。' } } }
  }
  const value: unknown = schema(json)
  if (value instanceof type.errors)
    return refusal(...value.map((error) => `${error.path.join('.') || '本文'}が正しい形式ではありません。`))
  return { kind: 'ok', value: value as T['infer'] }
}
