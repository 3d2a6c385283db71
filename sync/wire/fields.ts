/** Helpers of the wire mappings: null for empty values, and comparisons of sent and read values. */

/** Null for an empty value, as in the CRM (crm-contract 2). */
export const normal = (value: unknown) => (value === '' || value === undefined ? null : value)

/** True if two values have the same JSON, with empty values as null. */
export const isSame = (a: unknown, b: unknown) => JSON.stringify(normal(a)) === JSON.stringify(normal(b))

/** True if two date-times are the same moment. */
export const sameInstant = (a: string | null, b: string | null) =>
  a === b || (a !== null && b !== null && Date.parse(a) === Date.parse(b))

/** The text, or null if it is empty. */
export const textOrNull = (text: string | null | undefined): string | null => text || null

export const orNull = <T>(value: T | null | undefined): T | null => value ?? null
