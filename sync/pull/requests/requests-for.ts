/** Reads requests from the device, for the pulls of the records that belong to them. */
import type { Interest } from '#schemas/device/interest.ts'
import { WINDOW_DAYS_AHEAD, WINDOW_DAYS_BACK } from '#schemas/limits.ts'
import type { RequestRecord } from '#schemas/resources/request.ts'
import type { SyncDatabase } from '#sync/storage/database.ts'
import { readOnce } from '#sync/storage/device-rows.ts'
import { whenIdle } from '#sync/lib/slices.ts'
import { tokyoDay } from '#sync/lib/tokyo-day.ts'

/** The requests of the window, and those that screens need. An index is used: the device may have thousands of requests. */
export async function requestsFor(
  db: SyncDatabase,
  now: number,
  fetchRequests: readonly Interest[],
): Promise<RequestRecord[]> {
  const ids = new Set(fetchRequests.flatMap(({ requestId }) => requestId ?? []))
  const docs = await Promise.all(
    [...ids].map((id) => db.requests.find({ selector: { id }, sort: [{ workingDate: 'asc' }] }).exec()),
  )
  const window = await requestsOfWindow(db, now)
  await whenIdle()
  const requests = [...window, ...docs.flat().map((doc) => doc.toJSON() as RequestRecord)]
  return [...new Map(requests.map((request) => [request.key, request])).values()]
}

interface Watched {
  /**
   * The last read of the window. All collections need its requests at the same time, so they share one read, until a
   * request is written or a second has passed. Null if there is none.
   */
  window: { day: string; requests: Promise<RequestRecord[]> } | null
  /** Number of requests that were removed. */
  removals: number
}
const watched = new WeakMap<SyncDatabase, Watched>()
const REUSE_MS = 1_000

function requestsOfWindow(db: SyncDatabase, now: number): Promise<RequestRecord[]> {
  const day = tokyoDay(now)
  const latest = watchRequests(db)
  if (latest.window?.day === day) return latest.window.requests
  const read = { day, requests: readWindow(db, now) }
  latest.window = read
  const forget = () => {
    if (latest.window === read) latest.window = null
  }
  read.requests.then(() => setTimeout(forget, REUSE_MS), forget)
  return read.requests
}

/** Watches the requests. The subscription is permanent, so this function's scope must contain no requests. */
export function watchRequests(db: SyncDatabase): Watched {
  const known = watched.get(db)
  if (known) return known
  const latest: Watched = { window: null, removals: 0 }
  watched.set(db, latest)
  db.requests.$.subscribe(({ operation }) => {
    latest.window = null
    if (operation === 'DELETE') latest.removals += 1
  })
  return latest
}

async function readWindow(db: SyncDatabase, now: number): Promise<RequestRecord[]> {
  const requests: RequestRecord[] = []
  const days = requestsByDay(db, tokyoDay(now, -WINDOW_DAYS_BACK), tokyoDay(now, WINDOW_DAYS_AHEAD))
  for await (const ofDay of days) requests.push(...ofDay)
  return requests
}

/** Maximum number of requests per read: few enough not to delay the screen, enough for a usual window. */
const READ_AT_ONCE = 240

/**
 * Yields the requests of whole days, several days at once. Each read waits until the screen is idle, because thousands
 * of requests at once would block it.
 */
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
