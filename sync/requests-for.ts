/** Which requests the pull of records looks at. */
import type { Interest } from '#schemas/interest.ts'
import { WINDOW_DAYS_AHEAD, WINDOW_DAYS_BACK } from '#schemas/limits.ts'
import type { RequestRecord } from '#schemas/request.ts'
import type { SyncDatabase } from './database.ts'
import { tokyoDay } from './tokyo-day.ts'

/** The requests of the window, and those that screens asked for: by index, for there may be thousands beside them. */
export async function requestsFor(
  db: SyncDatabase,
  now: number,
  asked: readonly Interest[],
): Promise<RequestRecord[]> {
  const [from, to] = [tokyoDay(now, -WINDOW_DAYS_BACK), tokyoDay(now, WINDOW_DAYS_AHEAD)]
  const ids = new Set(asked.flatMap(({ requestId }) => requestId ?? []))
  const docs = await Promise.all([
    db.requests.find({ selector: { workingDate: { $gte: from, $lte: to } } }).exec(),
    ...[...ids].map((id) => db.requests.find({ selector: { id }, sort: [{ workingDate: 'asc' }] }).exec()),
  ])
  const requests = docs.flat().map((doc) => doc.toJSON() as RequestRecord)
  return [...new Map(requests.map((request) => [request.key, request])).values()]
}
