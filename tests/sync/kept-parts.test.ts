/** The list's rows as they were when the app was last open: given at once, and made true afterwards (decision 0081). */
import fc from 'fast-check'
import { IDBFactory, IDBKeyRange } from 'fake-indexeddb'
import { NEVER, type Subscription } from 'rxjs'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { until } from '../support/device.ts'
import { openDatabase, type Database } from '#data/database.ts'
import { openKeptAnswers, type KeptAnswersTable } from '#data/kept-answers.ts'
import { keepPartsAt, keptPartsOf, type KeptPlace } from '#data/kept-parts.ts'
import { keptRow, type ListedRequest } from '#data/request-row.ts'
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
  const on = { mark: null as string | null, kept: 0, opened: 0 }
  const codecFor = () => ({
    encode: async (rows: readonly Row[]) => [...rows],
    async decode(rows: readonly Row[]) {
      on.opened += rows.length
      return [...rows]
    },
  })
  let close = async () => undefined as void
  async function open({ version = '1' } = {}) {
    const storage = createStorage({ ...settings, codecFor })
    const db = await openDatabase({ name: NAME, storage, conflictHandlers: {}, multiInstance: false })
    const answers = openKeptAnswers({ databaseName: NAME, now: Date.now, settings })
    const mark: KeptPlace['mark'] = {
      get: () => on.mark,
      set(text) {
        on.mark = text
        if (text !== null) on.kept += 1
      },
    }
    keepPartsAt(db, { answers, mark, version, rest: async () => undefined, digest, settledMs: 20 })
    close = async () => {
      await db.close()
      await answers.written()
      answers.close()
    }
    on.opened = 0
    on.kept = 0
    return { db, answers }
  }
  return { on, open, close: () => close() }
}

let phone: ReturnType<typeof device>
let watching: Subscription[] = []
beforeEach(() => void (phone = device()))
afterEach(async () => {
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

test('[decision 0081] the next start has the rows, opens no document for them, and none afterwards where none has changed', async () => {
  await dayBefore()
  const { db } = await phone.open()
  expect(await listOf(db).first()).toEqual(['R26-1', 'R26-2', 'R26-3'])
  await isKept()
  expect(phone.on.opened).toBe(0)
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
      await isKept()
      const wanted = await codesIn(db)
      await until(() => list.now()?.join() === wanted.join())
      await phone.close()
    }),
    { numRuns: 15 },
  )
})

test.each<[string, (answers: KeptAnswersTable) => unknown, string]>([
  ['another build has kept them', () => undefined, '2'],
  ['a piece is gone', (answers) => answers.remove('parts:requests/3'), '1'],
  [
    'a piece is another',
    (answers) => answers.put('parts:requests/3', { etag: '', text: '[]', total: null }),
    '1',
  ],
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
      written: async () => undefined,
    }
    const mark = { get: () => null, set: () => undefined }
    const db = { requests: { $: NEVER } } as unknown as Database
    keepPartsAt(db, { answers, mark, version: '1', rest: async () => undefined, digest })
    const kept = keptPartsOf<string>(db, 'requests', { toValues: (part) => [part], ofValues: (key) => key })
    kept?.changed()
    await vi.advanceTimersByTimeAsync(60_000)
    expect(put).not.toHaveBeenCalled()
    kept?.settled(() => new Map([['a', { rev: '1-x', part: 'of a' }]]))
    await vi.advanceTimersByTimeAsync(60_000)
    expect(put.mock.calls.map(([, { text }]) => text)).toContain('[["a","1-x","of a"]]')
  } finally {
    vi.useRealTimers()
  }
})

test('[decision 0081] a row comes back as it was kept', () => {
  const same = (text: string) => text
  const { toValues, ofValues } = keptRow(same)
  const row: ListedRequest = {
    ...{ key: 'k', id: 'i', workingDate: 'd', sortKey: 's', requestCode: 'c', locationName: 'n' },
    ...{ locationAreaId: 'a', customerName: 'u', orderFlag: 'f', emergency: true, workingStartTime: 'b' },
    ...{ workingEndTime: 'e', confirmedAt: 'o', quickReport: null, address: 'h', tel: 't', needs: ['l'] },
  }
  expect(ofValues('k', JSON.parse(JSON.stringify(toValues(row))) as unknown[])).toEqual(row)
})
