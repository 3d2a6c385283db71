/** The list's rows as they were when the app was last open: given at once, and made true afterwards (decision 0081). */
import fc from 'fast-check'
import { IDBFactory, IDBKeyRange, IDBObjectStore } from 'fake-indexeddb'
import { NEVER, type Subscription } from 'rxjs'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { until } from '../support/device.ts'
import type { RequestRecord } from '#schemas/request.ts'
import { openDatabase, type Database } from '#data/database.ts'
import { openKeptAnswers, type KeptAnswersTable } from '#data/kept-answers.ts'
import { keepPartsAt, keptPartsOf, type KeptPlace, type PartCodec } from '#data/kept-parts.ts'
import { requestRows$ } from '#data/request-rows.ts'
import { createStorage } from '#data/storage/create-storage.ts'
import type { Row } from '#data/storage/row-codec.ts'
import { digest } from '#sync/lib/digest.ts'
import { requestOn } from '../support/visit-records.ts'

const NAME = 'genba-0123456789abcdef'
const DAY = '2026-11-20'

/** A device: what lies on it outlives the app. */
function device() {
  const settings = { indexedDB: new IDBFactory(), IDBKeyRange }
  const on = { mark: null as string | null, kept: 0, opened: 0, put: 0, confirmed: 0 }
  const codecFor = () => ({
    encode: async (rows: readonly Row[]) => [...rows],
    async decode(rows: readonly Row[]) {
      on.opened += rows.length
      return [...rows]
    },
  })
  let close = async () => undefined as void
  async function open({ version = '1', multiInstance = false } = {}) {
    const storage = createStorage({ ...settings, codecFor })
    const db = await openDatabase({ name: NAME, storage, multiInstance })
    const answers = openKeptAnswers({ databaseName: NAME, now: Date.now, settings })
    const mark: KeptPlace['mark'] = {
      get: () => on.mark,
      set(text) {
        on.mark = text
        if (text !== null) on.kept += 1
      },
    }
    const counted: KeptPlace['answers'] = {
      ...answers,
      put(url, answer) {
        on.put += 1
        answers.put(url, answer)
      },
      confirm(url) {
        on.confirmed += 1
        answers.confirm(url)
      },
    }
    keepPartsAt(db, { answers: counted, mark, version, rest: async () => undefined, digest, settledMs: 20 })
    close = async () => {
      await db.close()
      await answers.written()
      answers.close()
    }
    Object.assign(on, { opened: 0, kept: 0, put: 0, confirmed: 0 })
    return { db, answers }
  }
  /** Writes as another tab. @param isTold whether this one hears of it: a tab may be killed between the two */
  async function fromAnotherTab(db: Database, record: RequestRecord, isTold: boolean) {
    const instance = await createStorage({ ...settings, codecFor }).createStorageInstance<RequestRecord>({
      databaseName: NAME,
      collectionName: 'requests',
      databaseInstanceToken: 'another',
      // as RxDB itself hands it over
      schema: db.requests.schema.jsonSchema as never,
      options: {},
      multiInstance: isTold,
      devMode: false,
    })
    const document = { ...record, _rev: '1-b', _deleted: false, _attachments: {}, _meta: { lwt: Date.now() } }
    const { error } = await instance.bulkWrite([{ document }], 'another tab')
    await instance.close()
    expect(error).toEqual([])
  }
  return { on, open, fromAnotherTab, close: () => close() }
}

let phone: ReturnType<typeof device>
let watching: Subscription[] = []
beforeEach(() => void (phone = device()))
afterEach(async () => {
  vi.restoreAllMocks()
  for (const each of watching.splice(0)) each.unsubscribe()
  await phone.close()
})

/** The list as it is on the screen as long as the app is open: each time it was told. */
function listOf(db: Database) {
  const seen: string[][] = []
  watching.push(
    requestRows$(db).subscribe(({ rows }) => seen.push(rows.map(({ requestCode }) => requestCode))),
  )
  return { first: () => until(() => seen.length > 0).then(() => seen[0]), now: () => seen.at(-1) }
}

const codesIn = async (db: Database) =>
  (await db.requests.find({ sort: [{ sortKey: 'asc' }] }).exec()).map(({ requestCode }) => requestCode)

const request = (at: number, requestCode = `R26-${at}`) => requestOn(`r-${at}`, DAY, { requestCode })
const isKept = () => until(() => phone.on.kept > 0)

/** A day on which these came, until they are kept. */
async function dayBefore(records = [1, 2, 3].map((at) => request(at))) {
  const { db } = await phone.open()
  await db.requests.bulkInsert(records)
  await listOf(db).first()
  await isKept()
  await phone.close()
}

/** Of the pieces that a mark names, in their order. */
const tagsOf = (mark: string | null) => (JSON.parse(mark ?? '[]') as string[]).slice(2)

/** Reads of many documents at once, of the store of requests. */
function bulkReads() {
  const getAll = vi.spyOn(IDBObjectStore.prototype, 'getAll')
  return () =>
    (getAll.mock.contexts as IDBObjectStore[]).filter((store) =>
      store.transaction.db.name.endsWith('--requests'),
    ).length
}

test('[decision 0115] the next start has the rows, and looks at no document where none was written since', async () => {
  await dayBefore()
  const reads = bulkReads()
  const { db } = await phone.open()
  expect(await listOf(db).first()).toEqual(['R26-1', 'R26-2', 'R26-3'])
  await until(() => phone.on.confirmed > 0)
  expect(reads()).toBe(0)
  expect(phone.on).toMatchObject({ opened: 0, put: 0 })
  // the next one neither: what is kept stays true
  await phone.close()
  const third = await phone.open()
  expect(await listOf(third.db).first()).toEqual(['R26-1', 'R26-2', 'R26-3'])
  await until(() => phone.on.confirmed > 0)
  expect(reads()).toBe(0)
})

test('[decision 0115] a start after which something is written keeps it, and the next one looks at no document', async () => {
  await dayBefore()
  const second = await phone.open()
  const list = listOf(second.db)
  expect(await list.first()).toHaveLength(3)
  await second.db.requests.insert(request(9))
  await isKept()
  await phone.close()
  const reads = bulkReads()
  const { db } = await phone.open()
  expect(await listOf(db).first()).toEqual(['R26-1', 'R26-2', 'R26-3', 'R26-9'])
  await until(() => phone.on.confirmed > 0)
  expect(reads()).toBe(0)
})

test('[decision 0115] what was written without being told of is found by the next start', async () => {
  await dayBefore()
  const { mark } = phone.on
  const second = await phone.open()
  await second.db.requests.findOne(request(2).key).remove()
  await phone.close()
  phone.on.mark = mark
  const { db } = await phone.open()
  const list = listOf(db)
  await list.first()
  await until(() => list.now()?.join() === 'R26-1,R26-3')
})

test.each([true, false])(
  '[decision 0115] another tab writes, and is heard of (%s): the next start has it, and looks only where it was not',
  async (isTold) => {
    await dayBefore()
    const second = await phone.open({ multiInstance: true })
    const list = listOf(second.db)
    expect(await list.first()).toHaveLength(3)
    await phone.fromAnotherTab(second.db, request(8), isTold)
    if (isTold) await until(() => list.now()?.length === 4)
    await second.db.requests.insert(request(9))
    await until(() => phone.on.mark !== null)
    await phone.close()
    const reads = bulkReads()
    const { db } = await phone.open()
    const next = listOf(db)
    await until(() => next.now()?.join() === 'R26-1,R26-2,R26-3,R26-8,R26-9')
    if (isTold) await until(() => phone.on.confirmed > 0)
    expect(reads() > 0).toBe(!isTold)
  },
)

test('[decision 0115] of many rows only the pieces are written in which one has changed', async () => {
  const many = Array.from({ length: 2_600 }, (_, at) => request(at + 1_000))
  await dayBefore(many)
  const before = tagsOf(phone.on.mark)
  const pieces = before.length
  expect(pieces).toBeGreaterThan(1)
  const { db, answers } = await phone.open()
  const list = listOf(db)
  expect(await list.first()).toHaveLength(many.length)
  await db.requests.upsert(request(1_000, 'R26-changed'))
  await db.requests.findOne(request(1_001).key).remove()
  await isKept()
  // all of them at the start, and the others again
  expect(phone.on).toMatchObject({ put: 1, confirmed: pieces + pieces - 1 })
  const old = before.filter((tag) => !tagsOf(phone.on.mark).includes(tag))
  expect(old).toHaveLength(1)
  for (const tag of old) expect(await answers.get(`parts:requests/${tag}`)).toBeUndefined()
})

test('[decision 0081] what is written, on whatever screen, puts the mark out: the next start reads the documents', async () => {
  await dayBefore()
  const second = await phone.open()
  await second.db.requests.insert(request(9))
  expect(phone.on.mark).toBeNull()
  await phone.close()
  const { db } = await phone.open()
  expect(await listOf(db).first()).toEqual(['R26-1', 'R26-2', 'R26-3', 'R26-9'])
})

test('[decision 0081] rows of a mark that a crash brought back are made true, whatever had changed, and what changes meanwhile stays', async () => {
  const change = fc.record({ at: fc.nat(12), code: fc.constantFrom('R26-a', 'R26-b', null) })
  const changes = fc.array(change, { maxLength: 6 })
  await fc.assert(
    fc.asyncProperty(changes, changes, async (before, meanwhile) => {
      phone = device()
      await dayBefore(Array.from({ length: 10 }, (_, at) => request(at)))
      const { mark } = phone.on
      const made = async (db: Database, { at, code }: { at: number; code: string | null }) =>
        code ? db.requests.upsert(request(at, code)) : db.requests.findOne(request(at).key).remove()
      const second = await phone.open()
      for (const each of before) await made(second.db, each)
      await phone.close()
      phone.on.mark = mark
      const { db } = await phone.open()
      const list = listOf(db)
      expect(await list.first()).toHaveLength(10)
      for (const each of meanwhile) await made(db, each)
      const wanted = await codesIn(db)
      await until(() => list.now()?.join() === wanted.join())
      // killed before or after they were kept again
      await phone.close()
      const last = listOf((await phone.open()).db)
      await until(() => last.now()?.join() === wanted.join())
      await phone.close()
    }),
    { numRuns: 15 },
  )
})

const firstPiece = () => `parts:requests/${tagsOf(phone.on.mark)[0]}`

test.each<[string, (answers: KeptAnswersTable) => unknown, string]>([
  ['another build has kept them', () => undefined, '2'],
  ['a piece is gone', (answers) => answers.remove(firstPiece()), '1'],
  ['a piece is another', (answers) => answers.put(firstPiece(), { etag: '', text: '[]', total: null }), '1'],
])('[decision 0081] %s: the documents are read', async (_, spoil, version) => {
  await dayBefore()
  const { db, answers } = await phone.open({ version })
  spoil(answers)
  expect(await listOf(db).first()).toEqual(['R26-1', 'R26-2', 'R26-3'])
  expect(phone.on.opened).toBe(3)
})

test('[decision 0081] nothing is kept before all was read, however long that takes', async () => {
  vi.useFakeTimers()
  try {
    const put = vi.fn<KeptPlace['answers']['put']>()
    const answers = {
      get: async () => undefined,
      put,
      confirm: () => undefined,
      remove: () => undefined,
      written: async () => undefined,
    }
    const mark = { get: () => null, set: () => undefined }
    const db = { requests: { $: NEVER } } as unknown as Database
    keepPartsAt(db, { answers, mark, version: '1', rest: async () => undefined, digest })
    const codec: PartCodec<string> = {
      toValues: (part) => [part],
      ofValues: ([part]) => String(part),
      keyOf: (part) => part,
      sortKeyOf: (part) => part,
      groupOf: () => '',
    }
    const kept = keptPartsOf(db, 'requests', async () => codec)
    kept?.changed()
    await vi.advanceTimersByTimeAsync(60_000)
    expect(put).not.toHaveBeenCalled()
    const parts = new Map([['of a', { rev: '1-x', part: 'of a' }]])
    kept?.settled(async () => ({ parts, stand: null }), false)
    await vi.advanceTimersByTimeAsync(60_000)
    expect(put.mock.calls.map(([, { text }]) => text)).toEqual(['[["1-x","of a"],[[0,1]]]'])
  } finally {
    vi.useRealTimers()
  }
})
