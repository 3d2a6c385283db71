/** Which requests the pull of records looks at. */
import type { Interest } from '#schemas/interest.ts'
import { WINDOW_DAYS_AHEAD, WINDOW_DAYS_BACK } from '#schemas/limits.ts'
import type { RequestRecord } from '#schemas/request.ts'
import type { SyncDatabase } from './database.ts'
import { readOnce } from './read-once.ts'
import { nextTask } from './slices.ts'
import { tokyoDay } from './tokyo-day.ts'

/** The requests of the window, and those that screens asked for: by index, for there may be thousands beside them. */
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
  await nextTask()
  const requests = [...window, ...docs.flat().map((doc) => doc.toJSON() as RequestRecord)]
  return [...new Map(requests.map((request) => [request.key, request])).values()]
}

interface Reading {
  day: string
  requests: Promise<RequestRecord[]>
}

/** All collections ask at the same moments: until a request is written, one reading serves them all. */
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

/** In a function of its own: what listens for ever must not hold what was read. */
function watched(db: SyncDatabase): { now: Reading | null } {
  const latest = { now: null }
  readings.set(db, latest)
  db.requests.$.subscribe(() => (latest.now = null))
  return latest
}

/** Day by day: one answer of thousands would hold up what is on the screen. */
async function readWindow(db: SyncDatabase, now: number): Promise<RequestRecord[]> {
  const requests: RequestRecord[] = []
  for (let day = -WINDOW_DAYS_BACK; day <= WINDOW_DAYS_AHEAD; day++)
    requests.push(...(await readOnce(db.requests, { selector: { workingDate: tokyoDay(now, day) } })))
  return requests
}
