/**
 * Schemas of the simple values in the CRM's answers (crm-contract 2). An absent field equals `null`, a code may be a
 * number, a date is `YYYY-MM-DD`, a date-time is ISO 8601 with any offset. Unknown fields are allowed.
 */
import { type, type Type } from 'arktype'
import { TOKYO_AHEAD_MS, TOKYO_OFFSET } from '#schemas/instant.ts'
import { ID_MAX } from '#schemas/limits.ts'
import { legible } from '#schemas/text.ts'

/** `YYYY-MM-DD` of a day that exists. */
export const isoDate = type(/^\d{4}-\d{2}-\d{2}$/).narrow(
  (s, ctx) => isRealDate(s) || ctx.mustBe('a day that exists'),
)

const isRealDate = (s: string) => {
  const midnight = new Date(`${s}T00:00:00Z`)
  return !Number.isNaN(midnight.getTime()) && midnight.toISOString().startsWith(s)
}

export const isoDateTime = type(
  /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(:\d{2}(\.\d+)?)?(Z|[+-]\d{2}:?\d{2})$/,
).narrow(
  // `Date.parse` alone would read 30 February as 2 March.
  (s, ctx) => (isRealDate(s.slice(0, 10)) && inTokyo(s) !== null) || ctx.mustBe('a date-time that exists'),
)

/**
 * Converts a date-time to the CRM's form (crm-contract 2, sync RULES WR1): `+09:00`, with milliseconds only if it has
 * any. Some browsers require the colon in the offset.
 * @returns null for another text, or a year without four digits
 */
export function inTokyo(text: string): string | null {
  const shifted = new Date(Date.parse(text.replace(/([+-]\d{2})(\d{2})$/, '$1:$2')) + TOKYO_AHEAD_MS)
  if (Number.isNaN(shifted.getTime())) return null
  const local = shifted.toISOString()
  return /^\d{4}-/.test(local) ? `${local.replace(/(\.000)?Z$/, '')}${TOKYO_OFFSET}` : null
}

/** True for a number so large that JSON.parse may have rounded it. As an id it would name another record. */
const isRounded = (value: unknown) => typeof value === 'number' && Math.abs(value) > Number.MAX_SAFE_INTEGER

const idNumber = type('number').narrow(
  (id, ctx) => Number.isSafeInteger(id) || ctx.mustBe('an integer that JSON has not rounded'),
)

/** An opaque id; a number becomes text. */
export const wireId = type('string').or(idNumber).pipe(String).to(`1 <= string <= ${ID_MAX}`)

/** A text for screens; null if absent. */
export const wireText = type('string | number | null | undefined')
  .narrow((text, ctx) => !isRounded(text) || ctx.mustBe('a number that JSON has not rounded'))
  .pipe((v) => (v == null ? null : legible(String(v))))

/** A code as a string; null if absent or empty. */
export const wireCode = type('string | number | null | undefined').pipe((v) =>
  v == null ? null : legible(String(v)) || null,
)

/** Schemas of stored texts, which are null without a value. */
export const textFields = <N extends string>(names: readonly N[]) =>
  type.raw(Object.fromEntries(names.map((name) => [name, 'string | null']))) as Type<Record<N, string | null>>

/** Schemas of the same fields in a CRM row, where each may be absent. */
export const wireFields = <N extends string>(names: readonly N[], value = wireText) =>
  type.raw(Object.fromEntries(names.map((name) => [`${name}?`, value]))) as Type<{ [K in N]?: string | null }>

/** An empty text counts as no value, so that the row still parses (sync RULES PL2). */
const NOTHING = "null | undefined | ''"
export const wireDate = isoDate.or(NOTHING).pipe((v) => v || null)
/** A number, also as text; null if absent or empty. */
export const wireNumber = type('number | string.numeric.parse')
  .or(NOTHING)
  .pipe((v) => (v === '' ? null : (v ?? null)))
/** A date-time in the form in which the CRM expects it, because it may be sent back. */
export const wireDateTime = isoDateTime.or(NOTHING).pipe((v) => (v ? inTokyo(v) : null))
const isNothing = (value: unknown) => value === null || value === undefined || value === ''

/**
 * Returns a parser that turns a reference without an id into null, so that the row still parses (sync RULES PL2).
 * @param others fields that must be empty too
 */
export const orNone =
  (...others: readonly string[]) =>
  (value: unknown): unknown => {
    const isObject = typeof value === 'object' && !Array.isArray(value)
    const isEmpty = (name: string) => isNothing(Reflect.get(Object(value), name))
    return value === undefined || (isObject && ['id', ...others].every(isEmpty)) ? null : value
  }
export const wireRef = type('unknown')
  .pipe(orNone())
  .to(type({ id: wireId }).or('null'))
/** An id that may be absent or empty. */
export const wireIdOrNone = type('string | null | undefined')
  .or(idNumber)
  .pipe((v) => (isNothing(v) ? null : String(v)))
  .to(`1 <= string <= ${ID_MAX} | null`)
