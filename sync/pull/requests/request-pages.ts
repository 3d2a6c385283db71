/**
 * The reads of search pages: those of a round's window, and those of a screen's search (RULES PL1, PL5, PL7).
 */
import type { WithDeleted } from 'rxdb'
import { isoOf } from '#schemas/instant.ts'
import { PAGE_SIZE } from '#schemas/limits.ts'
import type { RequestRecord } from '#schemas/resources/request.ts'
import { visitIn } from '#schemas/resources/visit-key.ts'
import {
  changedRecordsInSlices,
  isReadToEnd,
  parseRequestPageInSlices,
  type ParsedPage,
} from '#sync/pull/engine/reconcile.ts'
import { NONE_REMOVED, type createRequestRemovals } from './request-removals.ts'
import { inSlices } from '#sync/lib/slices.ts'
import type { PullClock } from '#sync/lib/trusted-clock.ts'
import type { PullApi } from '#sync/scheduler/api.ts'
import type { PullGate } from '#sync/scheduler/scheduler.ts'
import type { ReadOptions } from '#sync/scheduler/scheduler.ts'
import { reportProblems } from '#sync/lib/attempt.ts'
import type { ReadMark } from '#sync/wire/request.ts'
import type { Merged, Reading } from '#sync/pull/engine/engine-work.ts'
import type { QuestionAnswer, MergeHow } from '#sync/pull/engine/engine-state.ts'
import { readable } from '#sync/scheduler/read-backoff.ts'
import { isNotList } from '#sync/scheduler/read-pages.ts'
import type { RequestMemory } from './request-memory.ts'
import type { Range } from './rounds.ts'
import { pageOf, readNextPage, searchQuery, type Search } from './search-paging.ts'
import type { Snapshot } from '#sync/pull/engine/reconcile.ts'

type Doc = WithDeleted<RequestRecord>

export interface PageParts {
  api: PullApi
  gate: PullGate
  clock: PullClock
  supplierStaffId: string
  report: (problem: string) => void
  memory: RequestMemory
  removals: Pick<ReturnType<typeof createRequestRemovals>, 'of'>
  range: () => Range
  /** The pages so far. */
  snapshotOf: (name: string) => Snapshot
  /** Called with the keys of the records that a page changes. */
  gives: (search: Search, keys: readonly string[]) => void
  /**
   * Called when the search has ended.
   * @returns the answer to its question
   */
  finish: (search: Search, end: SearchEnd) => QuestionAnswer | undefined
}

export interface SearchEnd {
  state: 'answered' | 'failed'
  isDoubted: boolean
  isRereadNow: boolean
  /** Number of rows, by the CRM's count if it has one. */
  total: number
  /** False if there may be more rows than were read. */
  isReadToEnd: boolean
}

/**
 * Reads one page and the records that it changes. The last page of a complete search removes what the search
 * lacks.
 */
export async function readPage(
  parts: PageParts,
  search: Search,
  options: ReadOptions,
): Promise<Reading<Doc>> {
  const { api, gate, clock, supplierStaffId, report } = parts
  const query = { supplierStaffId, ...searchQuery(search.filter), limit: PAGE_SIZE }
  const soFar = parts.snapshotOf(search.name)
  const { read, outcome } = await readNextPage(search, soFar, async (offset) => {
    const asOf = { stamp: clock.stamp(), at: isoOf(clock.now()) }
    return { read: asOf, outcome: await api.read('request/search', { ...query, offset }, options) }
  })
  const answer = readable(gate, outcome)
  if (answer.kind !== 'accepted' || isNotList(answer.body)) {
    report(`request/search: ${answer.status}`)
    const end: SearchEnd = { ...FAILED, total: totalOf(soFar), isReadToEnd: false }
    return { merge: async () => ({ docs: [], answer: parts.finish(search, end) }) }
  }
  const parsed = await inSlices(parseRequestPageInSlices(answer.body))
  reportProblems(report, 'request/search', parsed.problems)
  // None of the rows can be parsed. This counts as a failure, because no screen may say that there are no
  // requests (RULES PL2, PL4).
  const isUnreadable = answer.body !== null && parsed.rows.length === 0 && parsed.problems.length > 0
  const page = { ...parsed, unreadable: parsed.unreadable || isUnreadable }
  const state = isUnreadable ? 'failed' : 'answered'
  return {
    page: pageOf(page, answer.total),
    merge: (how) => mergePage(parts, search, { page, state, read, how }),
  }
}

const FAILED = { state: 'failed', isDoubted: false, isRereadNow: false } as const

interface ParsedRead {
  page: ParsedPage
  state: SearchEnd['state']
  read: ReadMark
  how: MergeHow
}

async function mergePage(parts: PageParts, search: Search, parsedRead: ParsedRead): Promise<Merged<Doc>> {
  const { page, state, read, how } = parsedRead
  const { memory, removals, report, range, gives, finish } = parts
  const reportProblem = (problem: string) => report(`request/search: ${problem}`)
  const { keys } = pageOf(page, null)
  const local = await memory.local(keys)
  if (how.isEndless) reportProblem('pages without an end')
  for (const key of page.skippedKeys) search.unreadDays.add(visitIn(key)?.workingDate ?? '')
  const records = await inSlices(changedRecordsInSlices(page.rows, local, read, reportProblem))
  const changed = records.map((record): Doc => ({ ...record, _deleted: false }))
  memory.give(changed)
  gives(
    search,
    changed.map(({ key }) => key),
  )
  if (!how.isLast) return { docs: changed }
  const { snapshot } = how
  const removed = how.removes ? await removals.of({ ...search, snapshot }, range()) : NONE_REMOVED
  const end: SearchEnd = {
    state,
    isDoubted: removed.isDoubted,
    isRereadNow: removed.isRereadNow,
    total: totalOf(snapshot),
    isReadToEnd: isReadToEnd(snapshot),
  }
  return { docs: [...changed, ...removed.docs], answer: finish(search, end) }
}

const totalOf = ({ totals, counted }: Snapshot): number => totals.at(-1) ?? counted
