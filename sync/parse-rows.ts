/** Rows of a list that was read: each is parsed alone, one bad row does not cost the others (RULES PL2). */
import { type } from 'arktype'
import { wireId } from '#schemas/wire.ts'
import type { LocalRecord, PulledRow, PullResource, RecordList } from './resources/pull-resource.ts'

export interface ParsedRows<R> {
  rows: PulledRow<R>[]
  /** Rows that could not be read although the CRM has them. */
  skippedIds: string[]
  /** A skipped row whose id cannot be told: nothing may be taken for missing. */
  unreadable: boolean
  /** Why a row was skipped: for the error log. */
  problems: string[]
}

const rowId = type({ id: wireId })

export function parseRows<R extends LocalRecord>(
  resource: PullResource<R>,
  raws: readonly unknown[],
  list: RecordList,
): ParsedRows<R> {
  const parsed: ParsedRows<R> = { rows: [], skippedIds: [], unreadable: false, problems: [] }
  for (const raw of raws) {
    const row = resource.row(raw, list)
    if (!(row instanceof type.errors)) {
      parsed.rows.push(row)
      continue
    }
    parsed.problems.push(row.summary)
    const id = rowId(raw)
    if (id instanceof type.errors) parsed.unreadable = true
    else parsed.skippedIds.push(id.id)
  }
  return parsed
}
