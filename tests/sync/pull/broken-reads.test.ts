/** A browser that breaks off a read of the device for a moment (an iPhone in the background, WebKit's lost connection). */
import { IDBFactory, IDBIndex, IDBKeyRange, IDBObjectStore } from 'fake-indexeddb'
import { firstValueFrom, skip } from 'rxjs'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { openDatabase, type Database } from '#data/database/database.ts'
import { outbox$ } from '#data/outbox/outbox.ts'
import { requestRows$ } from '#data/visits/request-rows.ts'
import { createStorage } from '#data/storage/create-storage.ts'
import { requestOn } from '../../support/visit-records.ts'

const DAY = '2026-11-20'
const [index, store] = [IDBIndex.prototype.getAll, IDBObjectStore.prototype.getAll]
const lost = new DOMException('Connection to Indexed Database server lost', 'UnknownError')

let db: Database
let report: ReturnType<typeof vi.fn<(problem: string) => void>>

beforeEach(async () => {
  report = vi.fn<(problem: string) => void>()
  const storage = createStorage({ indexedDB: new IDBFactory(), IDBKeyRange, report })
  db = await openDatabase({ name: 'broken-reads', storage, multiInstance: false })
  await db.requests.insert(requestOn('1', DAY))
})
afterEach(async () => {
  vi.restoreAllMocks()
  vi.useRealTimers()
  await db.close()
})

/** The next reads end with their transaction: it answers nothing more. */
function breakOff(times: number): void {
  const [ofIndex, ofStore] = [
    vi.spyOn(IDBIndex.prototype, 'getAll'),
    vi.spyOn(IDBObjectStore.prototype, 'getAll'),
  ]
  let left = times
  ofIndex.mockImplementation(function (this: IDBIndex, ...args) {
    const request = index.apply(this, args)
    if ((left -= 1) >= 0) this.objectStore.transaction.abort()
    return request
  })
  ofStore.mockImplementation(function (this: IDBObjectStore, ...args) {
    const request = store.apply(this, args)
    if ((left -= 1) >= 0) this.transaction.abort()
    return request
  })
}

const all = () => db.requests.find()

describe('[trap 21] a read that was broken off is made again', () => {
  test.each<[what: string, read: () => Promise<unknown>]>([
    ['a query', async () => (await all().exec()).length],
    ['a query that is looked at', async () => (await firstValueFrom(all().$)).length],
    ['the rows of the list', async () => (await firstValueFrom(requestRows$(db))).rows.length],
  ])('%s', async (_, read) => {
    breakOff(1)
    expect(await read()).toBe(1)
    expect(report).toHaveBeenCalledOnce()
  })

  test('what is unsent', async () => {
    breakOff(3)
    expect((await firstValueFrom(outbox$(db))).unsent).toBe(0)
  })

  test('a document by its key', async () => {
    const get = vi.spyOn(IDBObjectStore.prototype, 'get').mockImplementationOnce(() => {
      throw lost
    })
    const { storageInstance } = db.requests
    const [doc] = await storageInstance.findDocumentsById([requestOn('1', DAY).key], false)
    expect(doc?.id).toBe('1')
    expect(get).toHaveBeenCalledTimes(2)
  })

  test('and the query is told of what is written afterwards', async () => {
    breakOff(1)
    const rows = firstValueFrom(all().$.pipe(skip(1)))
    await firstValueFrom(all().$)
    await db.requests.insert(requestOn('2', DAY))
    expect(await rows).toHaveLength(2)
  })
})

/** So often the storage itself makes a read. */
const TRIES = 5

describe('[trap 21] after a read that was broken off for longer than that', () => {
  test('who asks the same later is answered', async () => {
    breakOff(TRIES)
    await expect(all().exec()).rejects.toMatchObject({ name: 'AbortError' })
    expect(await all().exec()).toHaveLength(1)
  })

  test('also where it had been read before, and something was written meanwhile', async () => {
    const limited = () => db.requests.find({ sort: [{ workingDate: 'asc' }], limit: 1 })
    const [first] = await limited().exec()
    breakOff(TRIES)
    await first?.remove()
    await expect(limited().exec()).rejects.toMatchObject({ name: 'AbortError' })
    expect(await limited().exec()).toEqual([])
  })

  test.each<[string, () => Promise<unknown>]>([
    ['a query', async () => (await firstValueFrom(all().$)).length],
    ['the rows of the list', async () => (await firstValueFrom(requestRows$(db))).rows.length],
    ['what is unsent', async () => (await firstValueFrom(outbox$(db))).unsent + 1],
  ])('who looks on is told of %s once it can be read', async (_, look) => {
    breakOff(2 * TRIES - 1)
    expect(await look()).toBe(1)
    expect(report).toHaveBeenCalled()
  })
})

describe('[trap 21] it is not made again', () => {
  test('for ever: what goes on is said', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    breakOff(Infinity)
    const reading = all().exec()
    const said = reading.catch((error: unknown) => error)
    for (let turn = 0; turn < 60; turn += 1) {
      await vi.advanceTimersByTimeAsync(10_000)
      await new Promise((resolve) => setImmediate(resolve))
    }
    expect(await said).toMatchObject({ name: 'AbortError' })
    expect(report).toHaveBeenCalledOnce()
  })

  test('where it is no matter of the moment', async () => {
    const spoiled = new Error('spoiled')
    vi.spyOn(IDBIndex.prototype, 'getAll').mockImplementationOnce(() => {
      throw spoiled
    })
    await expect(all().exec()).rejects.toBe(spoiled)
    expect(report).not.toHaveBeenCalled()
  })

  test('once the stores were closed', async () => {
    breakOff(Infinity)
    const reading = all().exec()
    const said = reading.catch((error: unknown) => error)
    await vi.waitFor(() => expect(report).toHaveBeenCalled())
    await db.close()
    expect(await said).toBeInstanceOf(Error)
  })
})
