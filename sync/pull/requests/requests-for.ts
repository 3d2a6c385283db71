/** The requests that the pull of records considers. */
import type { Interest } from '#schemas/device/interest.ts'
import { WINDOW_DAYS_AHEAD, WINDOW_DAYS_BACK } from '#schemas/limits.ts'
import type { RequestRecord } from '#schemas/resources/request.ts'
import type { SyncDatabase } from '#sync/storage/database.ts'
import { readOnce } from '#sync/storage/read-once.ts'
import { whenIdle } from '#sync/lib/yield-to-screen.ts'
import { tokyoDay } from '#sync/lib/tokyo-day.ts'

/** Requests of the window and those that screens requested, by index, because there may be thousands more. */
export async function requestsFor(
  db: SyncDatabase,
  now: number,
  asked: readonly Interest[],
): Promise<RequestRecord[]> {
  const ids = new Set(asked.flatMap(({ requestId }) => requestId ?? []))
  const docs = await Promise.all(
    [...ids].map((id) => db.requests.find({ selector: { id }, sort: [{ workingDate: 'asc' }] }).exec()),
  )
  const window = await requestsOfWindow(db, now)
  await whenIdle()
  const requests = [...window, ...docs.flat().map((doc) => doc.toJSON() as RequestRecord)]
  return [...new Map(requests.map((request) => [request.key, request])).values()]
}

interface Reading {
  day: string
  requests: Promise<RequestRecord[]>
}

/** All collections ask at the same time. One read serves them all until a request is written. */
const readings = new WeakMap<SyncDatabase, { now: Reading | null }>()
const KEPT_MS = 1_000

function requestsOfWindow(db: SyncDatabase, now: number): Promise<RequestRecord[]> {
  const day = tokyoDay(now)
  const latest = readings.get(db) ?? watched(db)
  if (latest.now?.day === day) return latest.now.requests
  const reading: Reading = { day, requests: readWindow(db, now) }
  latest.now = reading
  const forget = () => {
    if (latest.now === reading) latest.now = null
  }
  reading.requests.then(() => setTimeout(forget, KEPT_MS), forget)
  return reading.requests
}

/** In a separate function, so that the permanent subscription does not retain what was read. */
function watched(db: SyncDatabase): { now: Reading | null } {
  const latest = { now: null }
  readings.set(db, latest)
  db.requests.$.subscribe(() => (latest.now = null))
  return latest
}

async function readWindow(db: SyncDatabase, now: number): Promise<RequestRecord[]> {
  const requests: RequestRecord[] = []
  const days = requestsByDay(db, tokyoDay(now, -WINDOW_DAYS_BACK), tokyoDay(now, WINDOW_DAYS_AHEAD))
  for await (const ofDay of days) requests.push(...ofDay)
  return requests
}

/** Few enough not to delay the screen, many enough to read a usual window at once. */
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
