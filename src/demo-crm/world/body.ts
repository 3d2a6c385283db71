/**
 * Parses the bodies of calls. The demo CRM has its own types, so that it detects calls of the app that break the
 * contract. Unknown fields are ignored, and codes may be numbers (crm-contract 2).
 */
import { type, type Type } from 'arktype'
import type { Call, DemoResponse, Handler } from './call.ts'
import type { World } from './world.ts'

/** Matches a date-time with +09:00, as the contract requires. */
const dateTime = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(:\d{2}(\.\d+)?)?\+09:00$/

/** A required code or id. */
export const given = type('string | number').pipe(String).to('0 < string <= 64')
/** A code or id that may be null or empty. */
export const maybe = type('string | number | null').pipe((value) =>
  value === null || value === '' ? null : String(value),
)
export const moment = type(dateTime).narrow((text) => !Number.isNaN(Date.parse(text)))
export const momentOrNull = moment.or('null')
export const day = type(/^\d{4}-\d{2}-\d{2}$/)
/** A required text of at most `max` characters. */
export const text = (max: number) => type(`1 <= string <= ${max}`)
/** A text of at most `max` characters, or null. */
export const textOrNull = (max: number) => type(`string <= ${max} | null`)

export type Parsed<T> = { kind: 'ok'; value: T } | { kind: 'refused'; answer: DemoResponse }

const refusal = (...errors: string[]): { kind: 'refused'; answer: DemoResponse } => ({
  kind: 'refused',
  answer: { status: 422, json: { errors } },
})

/** Parses a JSON body. The error is a 422 with one text for each invalid field, or a 400 if the body is not JSON. */
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

/** Makes a handler that parses the body first. An invalid body gets the error response of `parseBody`. */
export const withBody =
  <T extends Type>(
    schema: T,
    handle: (sent: T['infer'], call: Call, world: World) => ReturnType<Handler>,
  ): Handler =>
  (call, world) => {
    const body = parseBody(schema, call.text)
    return body.kind === 'refused' ? body.answer : handle(body.value, call, world)
  }
