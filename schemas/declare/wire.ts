/**
 * The primitives of everything that comes from outside (crm-contract 2): an absent field and `null` mean the same,
 * a code may come as a number, a date is `YYYY-MM-DD`, a date-time ISO 8601 with any offset. Unknown fields pass.
 */
import { type } from 'arktype'
import { TOKYO_AHEAD_MS, TOKYO_OFFSET } from '#schemas/instant.ts'
import { ID_MAX } from '#schemas/limits.ts'
import { legible } from '#schemas/text.ts'

/** `YYYY-MM-DD`, a day that exists. */
export const isoDate = type(/^\d{4}-\d{2}-\d{2}$/).narrow(
  (s, ctx) => isRealDate(s) || ctx.mustBe('a day that exists'),
)

const isRealDate = (s: string) => {
  const at = new Date(`${s}T00:00:00Z`)
  return !Number.isNaN(at.getTime()) && at.toISOString().startsWith(s)
}

/** ISO 8601 with `Z` or an offset. */
export const isoDateTime = type(
  /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(:\d{2}(\.\d+)?)?(Z|[+-]\d{2}:?\d{2})$/,
).narrow(
  // Date.parse alone takes 30 February for 2 March
  (s, ctx) => (isRealDate(s.slice(0, 10)) && inTokyo(s) !== null) || ctx.mustBe('a date-time that exists'),
)

/**
 * The same moment as the CRM wants it (crm-contract 2, sync RULES WR1): with `+09:00`, to the second, or to the millisecond
 * where it has any. Not every browser reads an offset without a colon.
 * @returns null for what is no date-time, or has no year of four digits in Tokyo
 */
export function inTokyo(text: string): string | null {
  const at = new Date(Date.parse(text.replace(/([+-]\d{2})(\d{2})$/, '$1:$2')) + TOKYO_AHEAD_MS)
  if (Number.isNaN(at.getTime())) return null
  const local = at.toISOString()
  return /^\d{4}-/.test(local) ? `${local.replace(/(\.000)?Z$/, '')}${TOKYO_OFFSET}` : null
}

/** JSON rounds an integer beyond 2 to the 53rd: it would be the id of another record. */
const isRounded = (value: unknown) => typeof value === 'number' && Math.abs(value) > Number.MAX_SAFE_INTEGER

const idNumber = type('number').narrow(
  (id, ctx) => Number.isSafeInteger(id) || ctx.mustBe('an integer that JSON has not rounded'),
)

/** An opaque id; a number is read as text. */
export const wireId = type('string').or(idNumber).pipe(String).to(`1 <= string <= ${ID_MAX}`)

/** A text as it is shown, or null when absent. */
export const wireText = type('string | number | null | undefined')
  .narrow((text, ctx) => !isRounded(text) || ctx.mustBe('a number that JSON has not rounded'))
  .pipe((v) => (v == null ? null : legible(String(v))))

/** A code as a string, or null when absent or empty. */
export const wireCode = type('string | number | null | undefined').pipe((v) =>
  v == null ? null : legible(String(v)) || null,
)

/** An empty text is no day and no moment, as it is no code: a row is not lost for it (sync RULES PL2). */
const NOTHING = "null | undefined | ''"
export const wireDate = isoDate.or(NOTHING).pipe((v) => v || null)
/** A number, also as a text; null when absent or empty. */
export const wireNumber = type('number | string.numeric.parse')
  .or(NOTHING)
  .pipe((v) => (v === '' ? null : (v ?? null)))
/** In one form, whatever form the CRM writes: what is copied from a record into a call goes back as the contract wants it. */
export const wireDateTime = isoDateTime.or(NOTHING).pipe((v) => (v ? inTokyo(v) : null))

const isNothing = (value: unknown) => value === null || value === undefined || value === ''

/**
 * What refers to something by its id. One without an id refers to nothing, and costs its row nothing (sync RULES PL2): an
 * absent field and null mean the same, and so do a reference of which every field is null and no reference.
 * @param said its fields that would say that there is something all the same: it is then no reference that can be read
 */
export const orNone =
  (...said: readonly string[]) =>
  (value: unknown): unknown => {
    const isObject = typeof value === 'object' && !Array.isArray(value)
    const saysNothing = (name: string) => isNothing(Reflect.get(Object(value), name))
    return value === undefined || (isObject && ['id', ...said].every(saysNothing)) ? null : value
  }
export const wireRef = type('unknown')
  .pipe(orNone())
  .to(type({ id: wireId }).or('null'))
/** The id of what need not have one. */
export const wireIdOrNone = type('string | null | undefined')
  .or(idNumber)
  .pipe((v) => (isNothing(v) ? null : String(v)))
  .to(`1 <= string <= ${ID_MAX} | null`)
