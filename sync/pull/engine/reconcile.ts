/**
 * A pull is a snapshot, reconciled with what the device holds (RULES PL1, PL2, PL5): pure decisions over rows.
 */
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
  /** Why a row was skipped: for the error log. */
  problems: string[]
  /** Keys of skipped rows that can still be told: the CRM has them, so they are not missing. */
  skippedKeys: string[]
  /** A skipped row whose key cannot be told: nothing may be taken for missing. */
  unreadable: boolean
}

/** Each row is parsed alone: one bad row does not cost the others (PL2). */
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

/** For what is short, and for tests. */
export const changedRecords = (...page: Parameters<typeof changingRecords>): RequestRecord[] =>
  atOnce(changingRecords(...page))

/**
 * The records a page changes: new rows, changed rows, and those not confirmed for an hour (EX1 needs the time). What was read
 * anew beside it stays (RULES PL9).
 * @param skipped told of a row that no record can be made of
 */
export function* changingRecords(
  rows: readonly RequestWire[],
  local: ReadonlyMap<string, RequestRecord>,
  mark: ReadMark,
  skipped: (problem: string) => void = () => undefined,
): Sliced<RequestRecord[]> {
  const isChanged = (made: RequestRecord, previous: RequestRecord | undefined) =>
    (isNews(made, previous) && (previous?.readStamp ?? '') <= mark.stamp) ||
    // also one that a wrong clock put into the future (RULES EX3)
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

/** Also where it says again what it said before a single read told otherwise, of which the digest says nothing. */
const isNews = (made: RequestRecord, previous: RequestRecord | undefined): boolean =>
  previous?.rowDigest !== made.rowDigest ||
  (Object.keys(made) as (keyof RequestRecord)[]).some(
    (name) => !MARKS.includes(name) && !deepEqual(made[name], previous[name]),
  )

/** Of the read, not of what was read. */
const MARKS: readonly (keyof RequestRecord)[] = ['readStamp', 'confirmedAt', 'detailConfirmedAt']

export interface Snapshot {
  seen: ReadonlySet<string>
  /** Rows counted over all pages, and what the CRM said there are. */
  counted: number
  totals: readonly (number | null)[]
  unreadable: boolean
}

/**
 * A snapshot is complete when every page agreed on the total and all of it was seen (PL1). A row seen twice moved between
 * two pages while they were read, so another one was missed.
 */
export const isComplete = ({ seen, counted, totals, unreadable }: Snapshot) =>
  !unreadable && seen.size === counted && totals.length > 0 && totals.every((total) => total === counted)

/** Whether it was read to its end and nothing contradicts it: what it does not have there is none of, also without a total. */
export const isToItsEnd = ({ seen, counted, totals, unreadable }: Snapshot) =>
  !unreadable && seen.size === counted && totals.every((total) => total === null || total === counted)

/** The keys a complete snapshot no longer has; what something unsent hangs on stays. */
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
  /** ISO 8601: when the user last asked for everything; '' where that was not yet. */
  refreshedAt: string
  /** As in `record-lists.ts`. */
  pausedSince: string
}

type Detailed = Dated & Pick<RequestRecord, 'key' | 'sortKey' | 'detailConfirmedAt' | 'detail'>

/** How urgently the details of a request are to be read; null where they are fresh (PL5, PL10). */
export function detailUrgency(request: Detailed, { now, days, refreshedAt, pausedSince }: DetailClock) {
  const { key, detailConfirmedAt: at } = request
  // a search found it, and nobody has opened it
  if (at === '' && !isInWindow(request, days)) return 'paced'
  // one that is there and changed makes the pause after an outage, one that is not there does not
  if (at === '') return request.detail === null || pausedSince === '' ? 'due' : 'paced'
  const readAt = pastOf(at, now)
  if (readAt < pastOf(refreshedAt, now) && isNear(request, days)) return 'due'
  if (readAt !== '' && now < dueAt(key, Date.parse(readAt), lifeOf('details', [request], days))) return null
  return isTodays(request, days) && pausedSince === '' ? 'due' : 'paced'
}

/**
 * Whose details are to be read, most urgent first. `due`: never read, changed since, today's, or asked for; `paced`: only to
 * be confirmed, or found by a search beyond the window, at the pace of PL10.
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
