/** Compares a snapshot of requests with the device (RULES PL1, PL2, PL5). Pure. */
import { deepEqual } from 'rxdb/plugins/core'
import { ROW_CONFIRM_MS } from '#schemas/limits.ts'
import { visitKey } from '#schemas/resources/visit-key.ts'
import {
  requestRowKey,
  requestWire,
  type RequestRecord,
  type RequestWire,
} from '#schemas/resources/request.ts'
import type { Sliced } from '#sync/lib/slices.ts'
import { attempt, readOrNull } from '#sync/lib/attempt.ts'
import {
  dueAt,
  isInWindow,
  isNear,
  isTodays,
  lifeOf,
  pastOrEmpty,
  readingOrder,
  type Dated,
  type Days,
} from '#sync/pull/engine/freshness.ts'
import { toRequestRecord, type ReadMark } from '#sync/wire/request.ts'

export interface ParsedPage {
  rows: RequestWire[]
  /** Why rows were skipped, for the error log. */
  problems: string[]
  /** Keys of skipped rows, if known: the CRM has them, so they are not missing. */
  skippedKeys: string[]
  /** True if a skipped row's key is unknown: no request may then count as missing. */
  unreadable: boolean
}

/** Parses a page. Each row is parsed separately, so that a bad row does not cost the others (PL2). */
export function* parseRequestPageInSlices(body: unknown): Sliced<ParsedPage> {
  const page: ParsedPage = { rows: [], problems: [], skippedKeys: [], unreadable: false }
  if (!Array.isArray(body)) return { ...page, problems: ['not a list'], unreadable: true }
  for (const raw of body) {
    yield
    const row = attempt(() => requestWire(raw))
    if (row.kind === 'read') {
      page.rows.push(row.value)
      continue
    }
    page.problems.push(row.problem)
    const key = readOrNull(() => requestRowKey(raw))
    if (key === null) page.unreadable = true
    else page.skippedKeys.push(visitKey(key.id, key.workingDate))
  }
  return page
}

/**
 * The records that a page changes: new rows, changed rows, and rows whose last confirmation is an hour old,
 * because expiry counts from it (EX1). Records that were read again after this page are unchanged (PL9).
 * @param skipped called for a row that cannot be converted
 */
export function* changedRecordsInSlices(
  rows: readonly RequestWire[],
  local: ReadonlyMap<string, RequestRecord>,
  mark: ReadMark,
  skipped: (problem: string) => void = () => undefined,
): Sliced<RequestRecord[]> {
  const isChanged = (converted: RequestRecord, previous: RequestRecord | undefined) =>
    (isDifferent(converted, previous) && (previous?.readStamp ?? '') <= mark.stamp) ||
    // `Math.abs`: a wrong clock may have stamped the last confirmation in the future (RULES EX3).
    Math.abs(Date.parse(mark.at) - Date.parse(previous?.confirmedAt ?? '')) >= ROW_CONFIRM_MS
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

/**
 * True if the record differs from the device's. Comparing the rows' digests is not enough: a read by id may
 * have changed the record since, and then an unchanged row must change it back.
 */
const isDifferent = (converted: RequestRecord, previous: RequestRecord | undefined): boolean =>
  previous?.rowDigest !== converted.rowDigest ||
  (Object.keys(converted) as (keyof RequestRecord)[]).some(
    (name) => !READ_FIELDS.includes(name) && !deepEqual(converted[name], previous[name]),
  )

/** Fields that describe when the record was read. They differ with every read. */
const READ_FIELDS: readonly (keyof RequestRecord)[] = ['readStamp', 'confirmedAt', 'detailConfirmedAt']

export interface Snapshot {
  seen: ReadonlySet<string>
  /** Number of rows over all pages, and the CRM's totals. */
  counted: number
  totals: readonly (number | null)[]
  unreadable: boolean
}

/**
 * A snapshot is complete if all pages agreed on the total and all rows were seen (PL1). A row seen twice has
 * moved between two pages, so another row was missed.
 */
export const isComplete = ({ seen, counted, totals, unreadable }: Snapshot) =>
  !unreadable && seen.size === counted && totals.length > 0 && totals.every((total) => total === counted)

/**
 * True if all pages were read and no total contradicts the number of rows. Unlike `isComplete` it does not
 * require a total.
 */
export const isReadToEnd = ({ seen, counted, totals, unreadable }: Snapshot) =>
  !unreadable && seen.size === counted && totals.every((total) => total === null || total === counted)

/**
 * Local keys that a complete snapshot lacks; none if it is incomplete.
 * @param dependedOn keys that something unsent depends on; they are never returned
 */
export function missingKeys(
  snapshot: Snapshot,
  localKeys: readonly string[],
  dependedOn: ReadonlySet<string>,
): string[] {
  if (!isComplete(snapshot)) return []
  return localKeys.filter((key) => !snapshot.seen.has(key) && !dependedOn.has(key))
}

interface DetailClock {
  now: number
  days: Days
  /** When the user last requested everything, ISO 8601; '' if never. */
  refreshedAt: string
  /** As in `record-lists.ts`. */
  pausedSince: string
}

type Detailed = Dated & Pick<RequestRecord, 'key' | 'sortKey' | 'detailConfirmedAt' | 'detail'>

/** How urgently the details of a request are to be read; null if they are fresh (PL5, PL10). */
export function detailUrgency(request: Detailed, { now, days, refreshedAt, pausedSince }: DetailClock) {
  const { key, detailConfirmedAt: at } = request
  // A visit beyond the window that a search has found and nobody has opened.
  if (at === '' && !isInWindow(request, days)) return 'paced'
  // Details that exist and changed wait for the pause after an outage; missing details do not.
  if (at === '') return request.detail === null || pausedSince === '' ? 'due' : 'paced'
  const readAt = pastOrEmpty(at, now)
  if (readAt < pastOrEmpty(refreshedAt, now) && isNear(request, days)) return 'due'
  if (readAt !== '' && now < dueAt(key, Date.parse(readAt), lifeOf('details', [request], days))) return null
  return isTodays(request, days) && pausedSince === '' ? 'due' : 'paced'
}

/**
 * The requests whose details are to be read, most urgent first. `due`: never read, changed, of today, or
 * requested. `paced`: only to be confirmed, or found by a search beyond the window; these go at the pace of
 * PL10.
 */
export function detailsDue<R extends Detailed>(
  records: readonly R[],
  clock: DetailClock,
): { due: R[]; paced: R[] } {
  const order = (record: R) => readingOrder(record, clock.days)
  const found: { due: R[]; paced: R[] } = { due: [], paced: [] }
  for (const record of records) {
    const urgency = detailUrgency(record, clock)
    if (urgency) found[urgency].push(record)
  }
  for (const requests of [found.due, found.paced]) requests.sort((a, b) => (order(a) < order(b) ? -1 : 1))
  return found
}
