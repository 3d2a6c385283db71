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
import { atOnce, type Sliced } from '#sync/lib/slices.ts'
import { attempt, readOrNull } from '#sync/lib/attempt.ts'
import {
  dueAt,
  isInWindow,
  isNear,
  isTodays,
  lifeOf,
  pastOf,
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
export const parseRequestPage = (body: unknown): ParsedPage => atOnce(parsingRequestPage(body))

export function* parsingRequestPage(body: unknown): Sliced<ParsedPage> {
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

/** Runs `changingRecords` at once, for short lists and tests. */
export const changedRecords = (...page: Parameters<typeof changingRecords>): RequestRecord[] =>
  atOnce(changingRecords(...page))

/**
 * The records that a page changes: new rows, changed rows, and rows that were not confirmed for an hour (EX1
 * needs the time). Records that were read again meanwhile stay (RULES PL9).
 * @param skipped called for a row that no record can be built from
 */
export function* changingRecords(
  rows: readonly RequestWire[],
  local: ReadonlyMap<string, RequestRecord>,
  mark: ReadMark,
  skipped: (problem: string) => void = () => undefined,
): Sliced<RequestRecord[]> {
  const isChanged = (made: RequestRecord, previous: RequestRecord | undefined) =>
    (isNews(made, previous) && (previous?.readStamp ?? '') <= mark.stamp) ||
    // Also true for a time that a wrong clock put into the future (RULES EX3).
    Math.abs(Date.parse(mark.at) - Date.parse(previous?.confirmedAt ?? '')) >= ROW_CONFIRM_MS
  const changed: RequestRecord[] = []
  for (const row of rows) {
    yield
    const previous = local.get(visitKey(row.id, row.workingDate))
    const made = attempt(() => toRequestRecord(row, previous, mark))
    if (made.kind === 'unreadable') skipped(made.problem)
    else if (isChanged(made.value, previous)) changed.push(made.value)
  }
  return changed
}

/**
 * True if the record differs from the device's. The digest alone is not enough: a row may repeat an old state
 * that a single read has replaced.
 */
const isNews = (made: RequestRecord, previous: RequestRecord | undefined): boolean =>
  previous?.rowDigest !== made.rowDigest ||
  (Object.keys(made) as (keyof RequestRecord)[]).some(
    (name) => !MARKS.includes(name) && !deepEqual(made[name], previous[name]),
  )

/** Fields that describe the read, not the request. */
const MARKS: readonly (keyof RequestRecord)[] = ['readStamp', 'confirmedAt', 'detailConfirmedAt']

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
 * True if it was read to its end and nothing contradicts it, also without a total: other rows do not exist.
 */
export const isToItsEnd = ({ seen, counted, totals, unreadable }: Snapshot) =>
  !unreadable && seen.size === counted && totals.every((total) => total === null || total === counted)

/** Local keys that a complete snapshot lacks, without those that something unsent depends on. */
export function missingKeys(
  snapshot: Snapshot,
  localKeys: readonly string[],
  hangsOn: ReadonlySet<string>,
): string[] {
  if (!isComplete(snapshot)) return []
  return localKeys.filter((key) => !snapshot.seen.has(key) && !hangsOn.has(key))
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
  // Found by a search, and nobody has opened it.
  if (at === '' && !isInWindow(request, days)) return 'paced'
  // Details that exist and changed wait for the pause after an outage; missing details do not.
  if (at === '') return request.detail === null || pausedSince === '' ? 'due' : 'paced'
  const readAt = pastOf(at, now)
  if (readAt < pastOf(refreshedAt, now) && isNear(request, days)) return 'due'
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
  for (const some of [found.due, found.paced]) some.sort((a, b) => (order(a) < order(b) ? -1 : 1))
  return found
}
