/** Compares the rows of a page of requests with the requests on the device (RULES PL1, PL2, PL5). Pure. */
import { type } from 'arktype'
import { deepEqual } from 'rxdb/plugins/core'
import { ROW_CONFIRM_MS } from '#schemas/limits.ts'
import { visitKey } from '#schemas/resources/visit-key.ts'
import {
  requestRowKey,
  requestWire,
  type RequestRecord,
  type RequestWire,
} from '#schemas/resources/request.ts'
import { parseRowsInSlices, type ParsedRows, attempt } from '#sync/lib/attempt.ts'
import type { Sliced } from '#sync/lib/slices.ts'
import { toRequestRecord, type ReadMark } from '#sync/wire/request.ts'

export function* parseRequestPageInSlices(body: unknown): Sliced<ParsedRows<RequestWire>> {
  if (!Array.isArray(body)) return { rows: [], skipped: [], unreadable: true, problems: ['not a list'] }
  return yield* parseRowsInSlices(
    body,
    (raw) => requestWire(raw),
    (raw) => {
      const key = requestRowKey(raw)
      return key instanceof type.errors ? key : visitKey(key.id, key.workingDate)
    },
  )
}

/**
 * Returns the records that a page changes: new rows, changed rows, and rows that were last confirmed an hour ago,
 * because expiry counts from the confirmation (EX1). A record that was read after this page does not change (PL9).
 * @param skipped called for a row that cannot be converted
 */
export function* changedRecordsInSlices(
  rows: readonly RequestWire[],
  local: ReadonlyMap<string, RequestRecord>,
  mark: ReadMark,
  skipped: (problem: string) => void = () => undefined,
): Sliced<RequestRecord[]> {
  const isChanged = (converted: RequestRecord, previous: RequestRecord | undefined) =>
    !previous ||
    (isDifferent(converted, previous) && previous.readStamp <= mark.stamp) ||
    // `Math.abs`: a wrong clock may have stamped the last confirmation in the future (RULES EX3).
    Math.abs(Date.parse(mark.at) - Date.parse(previous.confirmedAt)) >= ROW_CONFIRM_MS
  const changed: RequestRecord[] = []
  for (const row of rows) {
    yield
    const previous = local.get(visitKey(row.id, row.workingDate))
    const converted = attempt(() => toRequestRecord(row, previous, mark))
    if (converted.kind === 'unreadable') skipped(converted.problem)
    else if (isChanged(converted.value, previous)) changed.push(converted.value)
  }
  return changed
}

/** Compares the fields too, because a read by id changes fields without changing the digest of the row. */
const isDifferent = (converted: RequestRecord, previous: RequestRecord): boolean =>
  previous.rowDigest !== converted.rowDigest ||
  (Object.keys(converted) as (keyof RequestRecord)[]).some(
    (name) => !READ_FIELDS.includes(name) && !deepEqual(converted[name], previous[name]),
  )

/** Fields that describe when the record was read. They differ with every read. */
const READ_FIELDS: readonly (keyof RequestRecord)[] = ['readStamp', 'confirmedAt', 'detailConfirmedAt']
