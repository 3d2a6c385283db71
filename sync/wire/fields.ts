/** Small things that the wire mappings share: null for nothing, and whether what was read is what was sent. */

/** The CRM has null for what says nothing (crm-contract 2). */
export const normal = (value: unknown) => (value === '' || value === undefined ? null : value)

export const isSame = (a: unknown, b: unknown) => JSON.stringify(normal(a)) === JSON.stringify(normal(b))

export const sameInstant = (a: string | null, b: string | null) =>
  a === b || (a !== null && b !== null && Date.parse(a) === Date.parse(b))

/** A text that says something, or null: a CRM may write an empty one where it has nothing to say. */
export const textOrNull = (text: string | null | undefined): string | null => text || null

export const orNull = <T>(value: T | null | undefined): T | null => value ?? null
