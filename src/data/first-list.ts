/**
 * The usual list as it is kept for the next start, which draws it before the database is open (decision 0105):
 *
 *     list and counts settled ─→ what of them the usual list shows ─→ kept
 *     start: kept ─→ a list that answers ─→ the database gives its own: told the same ─→ it stays │ else it is drawn anew
 *
 * Only what the rows show is in it, so nothing else can be drawn of it. What storage gives back is not trusted.
 */
import type { SendState } from '#schemas/change-queue.ts'
import { searchText } from '#schemas/text.ts'
import { isSame } from '#lib/is-same.ts'
import { tokyoToday } from '#lib/tokyo-time.ts'
import { carriedDay } from '#lib/working-day.ts'
import { keptRow, type ListedRequest, type RowValues } from './request-row.ts'
import type { Outbox } from './outbox.ts'
import type { ListedReport, VisitList, VisitRow, VisitState } from './visits.ts'

/** What badge, tabs and rail say of what is unsent; whether it could go is of the moment. */
export type Counted = Pick<Outbox, 'unsent' | 'failed'>

/** The days of the usual list: today, and the one that the night carries into it. */
interface FirstDays {
  today: string
  carried: string | null
}

export interface FirstList extends FirstDays {
  list: VisitList
  counted: Counted
  /** Whether the list of the database tells of these days what this one does. */
  isAs(list: VisitList): boolean
}

interface KeptList extends FirstDays {
  counted: [unsent: number, failed: boolean]
  visits: KeptVisit[]
}

type KeptVisit = [
  key: string,
  row: RowValues,
  state: VisitState,
  report: KeptReport | null,
  isUsable: boolean,
  hasUnsent: boolean,
]
type KeptReport = [
  id: string,
  inTime: string | null,
  outTime: string | null,
  unsent: [SendState, number] | null,
  changedByOthers: boolean,
]

const { toValues, ofValues } = keptRow((text) => text)

/** More are the database's: they would be long in coming out of what was kept, too. */
const MOST_VISITS = 8_000

/** @param now epoch ms @returns null where it is too long to be kept */
export function keptList(list: VisitList, { unsent, failed }: Counted, now: number): KeptList | null {
  const days = { today: tokyoToday(now), carried: carriedDay(now) }
  const visits = visitsOf(list, days, atRest)
  return visits.length > MOST_VISITS ? null : { ...days, counted: [unsent, failed], visits }
}

/** At the next start nothing is being sent, so a call does not invalidate the stored copy (`list-dependencies.ts`). */
const atRest = (state: SendState): SendState => (state === 'sending' ? 'waiting' : state)

function visitsOf(
  list: VisitList,
  { today, carried }: FirstDays,
  said = (state: SendState) => state,
): KeptVisit[] {
  const isShown = (row: ListedRequest) =>
    row.workingDate === today || (row.workingDate === carried && list.stateOf(row) !== 'out')
  return list.rows.filter(isShown).map((row): KeptVisit => {
    const { report, state, usableOffline } = list.visitOf(row)
    // the lists that its screens need are asked for with its details; here it counts whether all are there
    const values = toValues({ ...row, needs: null })
    return [row.key, values, state, report && reportValues(report, said), usableOffline, list.hasUnsent(row)]
  })
}

const reportValues = (
  { id, inTime, outTime, unsent, changedByOthers }: ListedReport,
  said: (state: SendState) => SendState,
): KeptReport => [id, inTime, outTime, unsent && [said(unsent.state), unsent.count], changedByOthers]

/** @param kept what storage has given back @returns null where it is no such list */
export function firstListOf(kept: unknown): FirstList | null {
  if (!isKeptList(kept)) return null
  const { today, carried, counted, visits } = kept
  const [unsent, failed] = counted
  return {
    today,
    carried,
    counted: { unsent, failed },
    list: listOf(visits),
    isAs: (list) => isSame(visitsOf(list, { today, carried }), visits),
  }
}

function listOf(visits: readonly KeptVisit[]): VisitList {
  const known = new Map<ListedRequest, { visit: VisitRow; hasUnsent: boolean }>()
  for (const [key, values, state, report, usableOffline, hasUnsent] of visits) {
    const request = ofValues(key, values)
    known.set(request, {
      visit: { request, state, report: report && reportOf(report), usableOffline },
      hasUnsent,
    })
  }
  const of = (row: ListedRequest) => known.get(row)
  return {
    rows: [...known.keys()],
    fold: searchText,
    // only its own rows are asked for
    visitOf: (row) => of(row)?.visit ?? { request: row, state: 'none', report: null, usableOffline: false },
    stateOf: (row) => of(row)?.visit.state ?? 'none',
    isUsable: (row) => of(row)?.visit.usableOffline === true,
    hasUnsent: (row) => of(row)?.hasUnsent === true,
  }
}

const reportOf = ([id, inTime, outTime, unsent, changedByOthers]: KeptReport): ListedReport => ({
  id,
  inTime,
  outTime,
  unsent: unsent && { state: unsent[0], count: unsent[1] },
  changedByOthers,
})

type Check = (value: unknown) => boolean

const isText: Check = (value) => typeof value === 'string'
const isFlag: Check = (value) => typeof value === 'boolean'
const isCount: Check = (value) => typeof value === 'number' && value >= 0
const isTime: Check = (value) => typeof value === 'string' && !Number.isNaN(Date.parse(value))
const isObject: Check = (value) => typeof value === 'object' && value !== null
const oneOf =
  (...words: unknown[]): Check =>
  (value) =>
    words.some((word) => word === value)
const orNull =
  (check: Check): Check =>
  (value) =>
    value === null || check(value)
const tupleOf =
  (...checks: Check[]): Check =>
  (value) =>
    Array.isArray(value) && value.length === checks.length && checks.every((check, at) => check(value[at]))

const texts = [isText, isText, isText, isText]
const textsOrNull = [orNull(isText), orNull(isText), orNull(isText)]
const times = [orNull(isTime), orNull(isTime)]
const last = [orNull(isObject), orNull(isText), orNull(isText), orNull(Array.isArray)]
const isRowOf = ({ today, carried }: Record<keyof FirstDays, unknown>) =>
  tupleOf(oneOf(today, carried), ...texts, ...textsOrNull, isFlag, ...times, isText, ...last)
const isUnsent = tupleOf(oneOf('waiting', 'failed', 'expired'), isCount)
const isReport = tupleOf(isText, orNull(isTime), orNull(isTime), orNull(isUnsent), isFlag)
const isCounted = tupleOf(isCount, isFlag)

function isKeptList(kept: unknown): kept is KeptList {
  const { today, carried, counted, visits } = Object(kept) as Partial<Record<keyof KeptList, unknown>>
  // whether they are the days of now is asked when it is drawn
  if (!isText(today) || !orNull(isText)(carried) || !isCounted(counted) || !Array.isArray(visits))
    return false
  const isRow = isRowOf({ today, carried })
  return visits.every(tupleOf(isText, isRow, oneOf('none', 'in', 'out'), orNull(isReport), isFlag, isFlag))
}
