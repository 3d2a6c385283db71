/** The requests that the pull of records considers. */
import type { Interest } from '#schemas/device/interest.ts'
import { WINDOW_DAYS_AHEAD, WINDOW_DAYS_BACK } from '#schemas/limits.ts'
import type { RequestRecord } from '#schemas/resources/request.ts'
import type { SyncDatabase } from '#sync/storage/database.ts'
import { readOnce } from '#sync/storage/device-rows.ts'
import { whenIdle } from '#sync/lib/slices.ts'
import { tokyoDay } from '#sync/lib/tokyo-day.ts'

/** Requests of the window and those that screens need. Found by index, because there may be thousands more. */
export async function requestsFor(
  db: SyncDatabase,
  now: number,
  questions: readonly Interest[],
): Promise<RequestRecord[]> {
  const ids = new Set(questions.flatMap(({ requestId }) => requestId ?? []))
  const docs = await Promise.all(
    [...ids].map((id) => db.requests.find({ selector: { id }, sort: [{ workingDate: 'asc' }] }).exec()),
  )
  const window = await requestsOfWindow(db, now)
  await whenIdle()
  const requests = [...window, ...docs.flat().map((doc) => doc.toJSON() as RequestRecord)]
  return [...new Map(requests.map((request) => [request.key, request])).values()]
}

interface WindowRead {
  day: string
  requests: Promise<RequestRecord[]>
}

interface Watched {
  /** All collections need the window's requests at the same time. They share one read until one is written. */
  window: WindowRead | null
  /** Number of requests that were removed. */
  removals: number
}
const watched = new WeakMap<SyncDatabase, Watched>()
const REUSE_MS = 1_000

function requestsOfWindow(db: SyncDatabase, now: number): Promise<RequestRecord[]> {
  const day = tokyoDay(now)
  const latest = watchRequests(db)
  if (latest.window?.day === day) return latest.window.requests
  const read: WindowRead = { day, requests: readWindow(db, now) }
  latest.window = read
  const forget = () => {
    if (latest.window === read) latest.window = null
  }
  read.requests.then(() => setTimeout(forget, REUSE_MS), forget)
  return read.requests
}

/** Watches the requests. A separate function, so that the permanent subscription does not retain what was read. */
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

/** Requests per read: few enough not to delay the screen, many enough to read a usual window at once. */
const READ_AT_ONCE = 240

/**
 * Yields whole days, several at once, each while the screen is idle, because thousands of requests at once
 * would block the screen.
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
