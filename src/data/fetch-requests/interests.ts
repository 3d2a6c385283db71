/**
 * Fetch requests: a screen writes an `Interest` for the records that it needs, and the sync reads these from the CRM
 * when it can (schemas/device/interest). The screen does not wait. The parameter `now` is epoch ms.
 */
import { map, type Observable } from 'rxjs'
import type { Interest, RequestFilter } from '#schemas/device/interest.ts'
import {
  prefetchKey,
  UNREAD_DAYS_BY,
  WINDOW_LIST,
  type PrefetchedCollection,
} from '#schemas/collections/prefetch.ts'
import type { Database } from '#data/database/database.ts'

/**
 * Writes a fetch request. Uses `upsert`, because a failed incremental upsert leaves a rejection that cannot be
 * caught. Errors are ignored while a logout closes the database.
 */
export async function ask(
  db: Database,
  now: number,
  interest: Pick<Interest, 'key' | 'kind'> & Partial<Interest>,
): Promise<void> {
  const askedAt = new Date(now).toISOString()
  const asked: Interest = { total: 0, answeredAt: '', ...interest, askedAt, state: 'asked' }
  await db.interests.upsert(asked).catch((error: unknown) => {
    if (!db.closed) throw error
  })
}

export const SEARCH_INTEREST = 'search'

/** Requests a search in the CRM. The sync stores the requests that it finds, and the list then shows them. */
export const askSearch = (db: Database, now: number, filter: RequestFilter) =>
  ask(db, now, { key: SEARCH_INTEREST, kind: 'search', filter })

export const askDetail = (db: Database, now: number, requestId: string, workingDate: string) =>
  ask(db, now, { key: detailInterest(requestId, workingDate), kind: 'detail', requestId, workingDate })

export const detailInterest = (requestId: string, workingDate: string) => `detail_${requestId}_${workingDate}`

export const askRecord = (db: Database, now: number, collection: FetchableCollection, id: string) =>
  ask(db, now, { key: recordInterest(collection, id), kind: 'detail', resource: collection, recordKey: id })

export type FetchableCollection = PrefetchedCollection | 'quickReports'
export const recordInterest = (collection: FetchableCollection, id: string) => `record_${collection}_${id}`

export const askList = (db: Database, now: number, { collection, owner, ...more }: ListFetchRequest) =>
  ask(db, now, {
    key: listInterest(collection, owner),
    kind: 'list',
    resource: collection,
    recordKey: owner,
    ...more,
  })

export interface ListFetchRequest {
  collection: PrefetchedCollection
  owner: string
  /** Id of a request for which the CRM returns the list, if it returns the list only by request. */
  requestId?: string
  /** Number of pages to read, if more than the default. */
  pages?: number
}

export const listInterest = (collection: PrefetchedCollection, owner: string) => `list_${collection}_${owner}`

/** Emits true if the whole list is on the device. The sync stores a document of kind `prefetch` for each such list. */
export const isListRead$ = (db: Database, { collection, owner }: ListFetchRequest): Observable<boolean> =>
  interest$(db, prefetchKey(collection, owner)).pipe(map((prefetch) => prefetch !== null))

export type WindowRead = NonNullable<ReturnType<typeof windowReadOf>>

/** Emits the last complete read of all requests of the days that the app keeps on the device; null if there was none. */
export const windowRead$ = (db: Database): Observable<WindowRead | null> =>
  interest$(db, prefetchKey(WINDOW_LIST.collection, WINDOW_LIST.owner)).pipe(map(windowReadOf))

function windowReadOf(prefetch: Interest | null) {
  if (!prefetch) return null
  const { answeredAt, because = '' } = prefetch
  // `unreadDays`: days (`YYYY-MM-DD`) of which a row did not parse and is missing on the device.
  return { at: answeredAt, unreadDays: because.split(UNREAD_DAYS_BY).filter(Boolean) }
}

/** Asks the sync to send and to read at once (今すぐ送信, データを今すぐ更新). */
export const askRefresh = (db: Database, now: number) =>
  ask(db, now, { key: REFRESH_INTEREST, kind: 'refresh' })

export const REFRESH_INTEREST = 'refresh'

/** Repeats all failed fetch requests at once (再読み込み, sync RULES PL8). */
export async function askAgain(db: Database, now: number): Promise<void> {
  for (const doc of await db.interests.find({ selector: { state: 'failed' } }).exec()) {
    const { total: _total, answeredAt: _answeredAt, ...interest } = doc.toMutableJSON()
    await ask(db, now, interest)
  }
}

/** Emits a fetch request with its state; null if it was never made. */
export const interest$ = (db: Database, key: string): Observable<Interest | null> =>
  db.interests.findOne(key).$.pipe(map((doc) => doc?.toMutableJSON() ?? null))

/** Reason why a list or the details of a request are not on the device. */
export type Absence = 'reading' | 'absent' | 'failed'

/**
 * The state of a list on a screen. A list is shown as empty only after it was read (sync RULES PL4). `reading`: the
 * device or the CRM is being read. `none`: empty. `absent`: not on the device, without a signal. `failed`: the CRM
 * did not deliver it. `rows`: the device has rows; `rest` is the reason why others are missing, or null.
 */
export type ListState = { state: Absence | 'none' } | { state: 'rows'; rest: Absence | null }

interface KnownOfList {
  count: number | undefined
  /** True if the whole list is on the device (`isListRead$`); undefined until this is known. */
  isRead: boolean | undefined
  fetchState: Interest['state'] | null | undefined
  online: boolean
}

export function listState({ count, isRead, fetchState, online }: KnownOfList): ListState {
  if (count === undefined || isRead === undefined) return { state: 'reading' }
  if (count > 0) return { state: 'rows', rest: isRead ? null : absenceOf(fetchState, online) }
  return { state: isRead ? 'none' : absenceOf(fetchState, online) }
}

/** Returns why a list is not on the device. With a signal, a list is `reading` unless the fetch request has failed. */
export function absenceOf(fetchState: KnownOfList['fetchState'], online: boolean): Absence {
  if (fetchState === undefined) return 'reading'
  if (!online) return 'absent'
  return fetchState === 'failed' || fetchState === 'missing' ? 'failed' : 'reading'
}
