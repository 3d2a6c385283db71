/** Parses the rows of a list one by one, so that a bad row does not cost the others (RULES PL2). */
import { type } from 'arktype'
import { wireId } from '#schemas/declare/wire.ts'
import type { Sliced } from '#sync/lib/slices.ts'
import { attempt, readOrNull } from '#sync/lib/attempt.ts'
import type { LocalRecord, PulledRow } from '#sync/merge/pulled-row.ts'
import type { PullResource, RecordList } from '#sync/resources/pull-resource.ts'

export interface ParsedRows<R> {
  rows: PulledRow<R>[]
  /** Ids of rows that could not be read, although the CRM has them. */
  skippedIds: string[]
  /** True if a skipped row's id is unknown: no record may then count as missing. */
  unreadable: boolean
  /** Why rows were skipped, for the error log. */
  problems: string[]
}

const rowId = type({ id: wireId })

export function* parseRowsInSlices<R extends LocalRecord>(
  resource: PullResource<R>,
  raws: readonly unknown[],
  list: RecordList,
): Sliced<ParsedRows<R>> {
  const parsed: ParsedRows<R> = { rows: [], skippedIds: [], unreadable: false, problems: [] }
  for (const raw of raws) {
    yield
    // Also converts the row once, so that an exception skips only this row, and not later all rows.
    const row = attempt(() => {
      const read = resource.row(raw, list)
      if (!(read instanceof type.errors)) read.record(undefined, '')
      return read
    })
    if (row.kind === 'read') {
      parsed.rows.push(row.value)
      continue
    }
    parsed.problems.push(row.problem)
    const id = readOrNull(() => rowId(raw))
    if (id === null) parsed.unreadable = true
    else parsed.skippedIds.push(id.id)
  }
  return parsed
}
