/**
 * How a declared record is read: the row's state replaces the device's, and local changes stay (crm-contract
 * 4).
 */
import { type } from 'arktype'
import type { PushableRecord } from '#schemas/change.ts'
import type { ContentOf, Declaration, RecordOf, WireOf } from '#schemas/declare/declare.ts'
import { wireOf } from '#schemas/declare/derive.ts'
import { isOurs, serverFromWire } from '../wire/declared.ts'
import type { PulledRow } from '../merge/pulled-row.ts'
import type { RecordList } from './pull-resource.ts'

interface Whose<R> {
  /** A new record's fields, if the device has none for this row. */
  blank: Omit<R, 'serverId' | 'server' | 'changes' | 'unsent' | 'history'>
  /** Fields of the record itself that the row sets. */
  said?(local: R | undefined): Partial<R>
}

/**
 * Creates the row reader of a declared resource.
 * @param whose derives from a row and its list where the record belongs
 * @param isFound true if created records are found again in the list: a row may then be what a pending change
 * has created (RULES PL3)
 */
export function declaredRow<D extends Declaration>(
  declaration: D,
  whose: (wire: WireOf<D>, list: RecordList) => Whose<RecordOf<D>>,
  { isFound = false } = {},
) {
  type R = RecordOf<D> & PushableRecord
  const parse = wireOf(declaration)
  return (raw: unknown, list: RecordList): PulledRow<R> | type.errors => {
    const wire = parse(raw)
    if (wire instanceof type.errors) return wire
    const row = wire as WireOf<D>
    const { blank, said } = whose(row, list)
    return {
      id: row.id,
      key: (blank as { key: string }).key,
      record: (local, stamp) =>
        ({
          ...(local ?? { ...blank, changes: [], unsent: 'no' }),
          ...said?.(local),
          serverId: row.id,
          server: { ...serverFromWire(declaration, row), stamp },
        }) as R,
      ...(isFound && {
        isOf: (record: R, fields: object, loginUserId: string) =>
          isOurs(declaration, { ...record, loginUserId }, fields as ContentOf<D>, row),
      }),
    }
  }
}
