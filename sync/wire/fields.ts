/** Small things that the wire mappings share: null for nothing, times, and whether what was read is what was sent. */
import { inTokyo } from '#schemas/wire.ts'

type Fields = Record<string, unknown>

/** The CRM has null for what says nothing (crm-contract 2). */
const normal = (value: unknown) => (value === '' || value === undefined ? null : value)

const isSame = (a: unknown, b: unknown) => JSON.stringify(normal(a)) === JSON.stringify(normal(b))

/** Every field with null for what says nothing. */
export const nullsFor = <F extends object>(fields: F): F =>
  Object.fromEntries(Object.entries(fields).map(([name, value]) => [name, normal(value)])) as F

/**
 * A date-time leaves with +09:00, also one that the device has stored in another form (RULES WR1). It is told by its field's
 * name: words that look like a time stay as they were written.
 */
export const timesInTokyo = <F extends object>(fields: F): F =>
  Object.fromEntries(
    Object.entries(fields).map(([name, value]: [string, unknown]) => [
      name,
      name.endsWith('Time') && typeof value === 'string' ? (inTokyo(value) ?? value) : value,
    ]),
  ) as F

/** Whether everything sent that the read returns is equal (crm-contract 4, reading back). */
export const sameWhereRead = (sent: object, read: object): boolean =>
  Object.entries(sent).every(([name, value]) => {
    const other = normal((read as Fields)[name])
    return other === null || isSame(value, other)
  })

export const orNull = <T>(value: T | null | undefined): T | null => value ?? null
