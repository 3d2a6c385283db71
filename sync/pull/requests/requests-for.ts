/** Reads requests from the device, for the pulls of the records that belong to them. */
import { delay, from, merge, take } from 'rxjs'
import type { Interest } from '#schemas/device/interest.ts'
import { WINDOW_DAYS_AHEAD, WINDOW_DAYS_BACK } from '#schemas/limits.ts'
import type { RequestRecord } from '#schemas/resources/request.ts'
import { readOnce, type SyncDatabase } from '#sync/storage/database.ts'
import { whenIdle } from '#sync/lib/slices.ts'
import { tokyoDay } from '#schemas/instant.ts'

/** The requests of the window, and those that screens need. An index is used: the device may have thousands of requests. */
export async function requestsFor(
  db: SyncDatabase,
  now: number,
  fetchRequests: readonly Interest[],
): Promise<RequestRecord[]> {
  const ids = new Set(fetchRequests.flatMap(({ requestId }) => requestId ?? []))
  const read = (id: string) => readOnce(db.requests, { selector: { id }, sort: [{ workingDate: 'asc' }] })
  const opened = await Promise.all([...ids].map(read))
  const window = await requestsOfWindow(db, now)
  await whenIdle()
  const requests = [...window, ...opened.flat()]
  return [...new Map(requests.map((request) => [request.key, request])).values()]
}

/** The last read of the window, shared by all collections until a request is written or a second has passed. */
const windows = new WeakMap<SyncDatabase, { day: string; requests: Promise<RequestRecord[]> }>()
const REUSE_MS = 1_000

function requestsOfWindow(db: SyncDatabase, now: number): Promise<RequestRecord[]> {
  const day = tokyoDay(now)
  const latest = windows.get(db)
  if (latest?.day === day) return latest.requests
  const read = { day, requests: readWindow(db, now) }
  windows.set(db, read)
  const isOver$ = merge(db.requests.$, from(read.requests).pipe(delay(REUSE_MS)))
  const forget = () => void (windows.get(db) === read && windows.delete(db))
  isOver$.pipe(take(1)).subscribe({ next: forget, error: forget })
  return read.requests
}

async function readWindow(db: SyncDatabase, now: number): Promise<RequestRecord[]> {
  const requests: RequestRecord[] = []
  const days = requestsByDay(db, tokyoDay(now, -WINDOW_DAYS_BACK), tokyoDay(now, WINDOW_DAYS_AHEAD))
  for await (const ofDay of days) requests.push(...ofDay)
  return requests
}

/** Maximum number of requests per read: few enough not to delay the screen, enough for a usual window. */
const READ_AT_ONCE = 240

/** Yields the requests of whole days, several days at once. Each read waits until the screen is idle. */
export async function* requestsByDay(
  db: SyncDatabase,
  from = '0',
  to = '9',
): AsyncGenerator<RequestRecord[], void> {
  for (let next = { $gte: from, $lte: to } as object; ;) {
    await whenIdle()
    const sort = [{ workingDate: 'asc' as const }]
    const found = await readOnce(db.requests, { selector: { workingDate: next }, sort, limit: READ_AT_ONCE })
    if (found.length < READ_AT_ONCE) return yield found
    const last = found.at(-1)?.workingDate ?? ''
    // The last day may continue in the next read.
    const days = found.filter(({ workingDate }) => workingDate < last)
    if (days.length > 0) {
      yield days
      next = { $gte: last, $lte: to }
    } else {
      yield await readOnce(db.requests, { selector: { workingDate: last } })
      next = { $gt: last, $lte: to }
    }
  }
}
