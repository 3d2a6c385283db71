/** A database is closed (logout, lock) under live queries: each ends without a word, at whatever step it is. */
import { IDBFactory, IDBIndex, IDBKeyRange, IDBObjectStore } from 'fake-indexeddb'
import { config, map, type Observable } from 'rxjs'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { openDatabase, type Database } from '#data/database/database.ts'
import { outbox$ } from '#data/outbox/outbox.ts'
import { prefetched$, requestRows$, rowsOfDays$ } from '#data/visits/request-rows.ts'
import { createStorage } from '#data/storage/create-storage.ts'
import { visitList$, visitsOfKeys$, visitsOfReports$, visitsOfRequest$ } from '#data/visits/visits.ts'
import { atRest, nextTurn } from '../../support/at-rest.ts'
import { reportOn, requestOn, windowWasRead } from '../../support/visit-records.ts'

const DAY = '2026-11-20'
const { key } = requestOn('1', DAY)

/** How much each says is there: at least one of each is, from the beginning on. */
const QUERIES: Record<string, (db: Database) => Observable<number>> = {
  find: (db) => db.requests.find().$.pipe(map((docs) => docs.length)),
  findOne: (db) => db.requests.findOne(key).$.pipe(map((doc) => (doc ? 1 : 0))),
  findByIds: (db) => db.requests.findByIds([key]).$.pipe(map((docs) => docs.size)),
  count: (db) => db.requests.count({ selector: { workingDate: DAY } }).$,
  'a kind': (db) => db.interests.find().$.pipe(map((docs) => docs.length)),
  'a kind by id': (db) =>
    db.interests.findByIds(['list_requests_window']).$.pipe(map((docs) => docs.size + 1)),
  requestRows: (db) => requestRows$(db).pipe(map(({ rows }) => rows.length)),
  rowsOfDays: (db) => rowsOfDays$(db, { from: DAY, to: DAY }).pipe(map(({ rows }) => rows.length)),
  prefetched: (db) => prefetched$(db).pipe(map(({ size }) => size)),
  outbox: (db) => outbox$(db).pipe(map(({ progress }) => progress.size + 1)),
  visitList: (db) => visitList$(db).pipe(map(({ rows }) => rows.length)),
  visitsOfKeys: (db) => visitsOfKeys$(db, [key]).pipe(map((visits) => visits.length)),
  visitsOfRequest: (db) => visitsOfRequest$(db, '1').pipe(map((visits) => visits.length)),
  visitsOfReports: (db) =>
    visitsOfReports$(db, ['q-1']).pipe(map((found) => found.filter((each) => each?.visit).length)),
}

const uncaught: unknown[] = []
const { onUnhandledError } = config

beforeEach(() => {
  uncaught.length = 0
  config.onUnhandledError = (error) => void uncaught.push(error)
})
afterEach(() => {
  config.onUnhandledError = onUnhandledError
  vi.restoreAllMocks()
  vi.useRealTimers()
})

async function openDevice(): Promise<Database> {
  const storage = createStorage({ indexedDB: new IDBFactory(), IDBKeyRange })
  const db = await openDatabase({
    name: `closing-${crypto.randomUUID()}`,
    storage,
    multiInstance: false,
  })
  await db.requests.insert(requestOn('1', DAY))
  await db.quickReports.insert(reportOn('1'))
  await windowWasRead(db, `${DAY}T11:00:00+09:00`)
  return db
}

/** @returns what each query has said */
function watchAll(db: Database): Map<string, number[]> {
  const said = new Map<string, number[]>(Object.keys(QUERIES).map((name) => [name, []]))
  for (const [name, query] of Object.entries(QUERIES)) query(db).subscribe((n) => said.get(name)?.push(n))
  return said
}

const isRead = (said: ReadonlyMap<string, readonly number[]>) =>
  [...said.values()].every((counts) => counts.length > 0)
const turns = async (count: number) => {
  for (let turn = 0; turn < count; turn += 1) await nextTurn()
}
const saysNone = (said: ReadonlyMap<string, readonly number[]>) =>
  [...said].filter(([, counts]) => counts.includes(0)).map(([name]) => name)
/** More than any of the queries takes. */
const TURNS = Array.from({ length: 8 }, (_, turn) => turn)

/** Writes that all of the queries are told of. */
const write = (db: Database) =>
  Promise.allSettled([
    db.requests.bulkInsert([requestOn('2', DAY), requestOn('3', DAY)]),
    db.quickReports.insert(reportOn('2')),
    windowWasRead(db, `${DAY}T11:30:00+09:00`),
  ])

describe('[trap 26] a database that is closed under live queries ends them without a word', () => {
  test.each(TURNS)('while they are read for the first time, %i turns after', async (after) => {
    const db = await openDevice()
    const said = watchAll(db)
    await turns(after)
    expect(await closing(db, said)).toEqual(QUIET)
  })

  test.each(TURNS)('while they are told of a write, %i turns after', async (after) => {
    const db = await openDevice()
    const said = watchAll(db)
    await vi.waitFor(() => expect(isRead(said)).toBe(true))
    const written = write(db)
    await turns(after)
    expect(await closing(db, said)).toEqual(QUIET)
    await written
  })

  // RxDB reads once more, after a timer, what was written to while it was read: on a busy machine, long after
  test.each(TURNS)('while they are read anew for a write that was begun %i turns before', async (before) => {
    const db = await openDevice()
    lateRereads()
    const written = write(db)
    await turns(before)
    const said = watchAll(db)
    await written
    expect(await closing(db, said)).toEqual(QUIET)
  })

  test.each(TURNS)('those that begin while it is being closed, too: %i turns after', async (after) => {
    const db = await openDevice()
    const { requests, quickReports, interests } = db
    const said: number[] = []
    const closed = db.close()
    await turns(after)
    if (!requests.closed) {
      requests.find().$.subscribe((docs) => said.push(docs.length))
      quickReports.find().$.subscribe((docs) => said.push(docs.length))
      interests.find().$.subscribe((docs) => said.push(docs.length))
    }
    await closed
    await atRest(20)
    expect(said).not.toContain(0)
    expect(uncaught).toEqual([])
  })

  test('while they wait for a device that breaks off every read', async () => {
    const db = await openDevice()
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    const reads = breakOff()
    const said = watchAll(db)
    const pass = async (ms: number) => {
      await vi.advanceTimersByTimeAsync(ms)
      await nextTurn()
    }
    // the storage's own tries are over, and the queries wait for theirs
    for (let turn = 0; turn < 60; turn += 1) await pass(50)
    const closed = db.close()
    while (!db.closed) await pass(1)
    await closed
    const before = reads()
    for (let turn = 0; turn < 60; turn += 1) await pass(1_000)
    expect(reads()).toBe(before)
    expect({ saysNone: saysNone(said), uncaught }).toEqual(QUIET)
  })
})

/** What waits for these 20 ms waits longer than a database takes to close. */
function lateRereads(): void {
  const { setTimeout: after } = globalThis
  vi.spyOn(globalThis, 'setTimeout').mockImplementation((run: () => void, ms = 0) =>
    after(run, ms === 20 ? 200 : ms),
  )
}

const QUIET = { saysNone: [], uncaught: [] }

/** Closes it, and waits until nothing is done any more. */
async function closing(db: Database, said: ReadonlyMap<string, readonly number[]>): Promise<object> {
  await db.close()
  await atRest(250)
  return { saysNone: saysNone(said), uncaught }
}

/** Every read ends with its transaction. @returns how many there were */
function breakOff(): () => number {
  const [index, store] = [IDBIndex.prototype.getAll, IDBObjectStore.prototype.getAll]
  const ofIndex = vi.spyOn(IDBIndex.prototype, 'getAll').mockImplementation(function (
    this: IDBIndex,
    ...args
  ) {
    const request = index.apply(this, args)
    this.objectStore.transaction.abort()
    return request
  })
  const ofStore = vi.spyOn(IDBObjectStore.prototype, 'getAll').mockImplementation(function (
    this: IDBObjectStore,
    ...args
  ) {
    const request = store.apply(this, args)
    this.transaction.abort()
    return request
  })
  return () => ofIndex.mock.calls.length + ofStore.mock.calls.length
}
