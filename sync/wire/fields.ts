/** Helpers of the wire mappings: null for empty values, and comparisons of sent and read values. */

/** Null for an empty value, as in the CRM (crm-contract 2). */
export const emptyToNull = (value: unknown) => (value === '' || value === undefined ? null : value)

/** True if two values have the same JSON after empty values became null. */
export const isSame = (a: unknown, b: unknown) =>
  JSON.stringify(emptyToNull(a)) === JSON.stringify(emptyToNull(b))

/** True if two date-times are the same moment. */
export const sameInstant = (a: string | null, b: string | null) =>
  a === b || (a !== null && b !== null && Date.parse(a) === Date.parse(b))

/** The text; null if it is empty or absent. */
export const textOrNull = (text: string | null | undefined): string | null => text || null

/** Texts by these names; null for a text that is empty or absent. */
export const textsOf = <N extends string>(
  row: { [K in N]?: string | null | undefined },
  names: readonly N[],
) => Object.fromEntries(names.map((name) => [name, textOrNull(row[name])])) as Record<N, string | null>

export const undefinedToNull = <T>(value: T | null | undefined): T | null => value ?? null
