/** How a declared record is read: the row's state over what the device has of it, whose changes stay (crm-contract 4). */
import { type } from 'arktype'
import type { PushableRecord } from '#schemas/change.ts'
import type { ContentOf, Declaration, RecordOf, WireOf } from '#schemas/declare/declare.ts'
import { wireOf } from '#schemas/declare/derive.ts'
import { isOurs, serverFromWire } from '../wire/declared.ts'
import type { PulledRow } from '../merge/pulled-row.ts'
import type { RecordList } from './pull-resource.ts'

interface Whose<R> {
  /** The record where the device has none of this row, beside what all have. */
  blank: Omit<R, 'serverId' | 'server' | 'changes' | 'unsent' | 'history'>
  /** What the row says of the record itself, whatever the device has. */
  said?(local: R | undefined): Partial<R>
}

/**
 * @param whose what the row and its list say of where the record belongs
 * @param isFound the list is where a created record is found again: a row may be what a change was to make (RULES PL3)
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
