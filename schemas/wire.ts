/**
 * The primitives of everything that comes from outside (crm-contract 2): an absent field and `null` mean the same,
 * a code may come as a number, a date is `YYYY-MM-DD`, a date-time ISO 8601 with any offset. Unknown fields pass.
 */
import { type } from 'arktype'
import { ID_MAX } from './limits.ts'

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
  (s, ctx) =>
    (isRealDate(s.slice(0, 10)) && !Number.isNaN(Date.parse(s))) || ctx.mustBe('a date-time that exists'),
)

/** An opaque id; a number is read as text. */
export const wireId = type('string | number').pipe(String).to(`1 <= string <= ${ID_MAX}`)

/** A text, or null when absent. */
export const wireText = type('string | number | null | undefined').pipe((v) => (v == null ? null : String(v)))

/** A code as a string, or null when absent or empty. */
export const wireCode = type('string | number | null | undefined').pipe((v) =>
  v == null || v === '' ? null : String(v),
)

export const wireDate = isoDate.or('null | undefined').pipe((v) => v ?? null)
export const wireDateTime = isoDateTime.or('null | undefined').pipe((v) => v ?? null)
export const wireRef = type({ id: wireId })
  .or('null | undefined')
  .pipe((v) => v ?? null)
