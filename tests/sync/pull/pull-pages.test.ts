/** The pages of the window: the next are asked for while one is being worked through. */
import { firstValueFrom } from 'rxjs'
import { afterEach, beforeEach, expect, test } from 'vitest'
import type { Outcome } from '#sync/transport/outcome.ts'
import { NO_FILTER } from '#sync/pull/requests/search.ts'
import type { Database } from '#data/database/database.ts'
import {
  askDetail,
  askRefresh,
  askSearch,
  interest$,
  REFRESH_INTEREST,
  SEARCH_INTEREST,
  windowRead$,
} from '#data/fetch-requests/interests.ts'
import { prefetchKey, WINDOW_LIST } from '#schemas/collections/prefetch.ts'
import { atRest } from '../../support/at-rest.ts'
import { until } from '../../support/device.ts'
import { requestRecord } from '../../support/device-records.ts'
import { page, pullAlone, rowAt } from '../../support/pull-alone.ts'
import { NOW, TODAY } from '../../support/replication.ts'

let alone: Awaited<ReturnType<typeof pullAlone>>
let db: Database

beforeEach(async () => {
  alone = await pullAlone()
  db = alone.db
})
afterEach(() => db.close())

const keysOf = (docs: readonly { id: string }[]) => docs.map(({ id }) => id)
const ids = (from: number, to: number) => Array.from({ length: to - from + 1 }, (_, i) => `r${from + i}`)

test('[PL4][PL5] once the total is known three pages are on their way, never one behind the last', async () => {
  const { pull, asked, answer } = alone
  const first = pull.handler()
  await answer('1', page(1))
  expect(keysOf(await first)).toEqual(ids(1, 50))
  expect(asked).toEqual(['1'])
  const second = pull.handler()
  await until(() => asked.length === 4)
  // what comes first does not go first
  await answer('151', page(151))
  await answer('51', page(51))
  expect(keysOf(await second)).toEqual(ids(51, 100))
  const third = pull.handler()
  await answer('101', page(101))
  expect(keysOf(await third)).toEqual(ids(101, 150))
  const fourth = pull.handler()
  expect(keysOf(await fourth)).toEqual(ids(151, 200))
  const last = pull.handler()
  await answer('201', page(201))
  expect(keysOf(await last)).toEqual(ids(201, 220))
  expect(asked.toSorted((a, b) => Number(a) - Number(b))).toEqual(['1', '51', '101', '151', '201'])
})

test('[PL1b] what a reading of several pages lacks is looked for again at once, and leaves once the second reading lacks it too', async () => {
  const { pull, asked, answer } = alone
  const confirmedAt = new Date(NOW).toISOString()
  const here = ['r1', 'r2', 'r3', 'gone'].map((id) => requestRecord(id, { workingDate: TODAY, confirmedAt }))
  await db.requests.bulkInsert(here)
  async function readWindow() {
    const first = pull.handler()
    await answer('1', { ...page(1), total: 70 } as Outcome)
    const docs = await first
    const second = pull.handler()
    await answer('51', { ...page(201), total: 70 } as Outcome)
    return keysOf([...docs, ...(await second)].filter(({ _deleted }) => _deleted))
  }
  expect(await readWindow()).toEqual([])
  // neither a timer nor a screen asks for it
  expect(await readWindow()).toEqual(['gone'])
  expect(asked).toEqual(['1', '51', '1', '51'])
})

test('[PL1] after a page that failed, those behind it are asked for again', async () => {
  const { pull, asked, answer } = alone
  const first = pull.handler()
  await answer('1', page(1))
  await first
  const second = pull.handler()
  await answer('101', page(101))
  await answer('51', { kind: 'unknown', status: 500 })
  await expect(second).rejects.toThrow('unknown')
  const again = pull.handler()
  await answer('51', page(51))
  expect(keysOf(await again)).toEqual(ids(51, 100))
  const third = pull.handler()
  await answer('101', page(101))
  expect(keysOf(await third)).toEqual(ids(101, 150))
  expect(asked.filter((offset) => offset === '101')).toHaveLength(2)
})

test('[PL5] a page does not take away the details that a screen asked for meanwhile', async () => {
  const { pull, answer } = alone
  const first = pull.handler()
  await answer('1', page(1))
  await first
  await askDetail(db, NOW, 'r60', TODAY)
  const detail = pull.handler()
  await answer('request/r60', {
    kind: 'accepted',
    status: 200,
    body: { ...rowAt(60), goods: [{ id: 'g' }], device: [], safety: [] },
    total: null,
  })
  expect(await detail).toMatchObject([{ id: 'r60', detail: { goods: [{ id: 'g' }] } }])
  const second = pull.handler()
  await answer('51', page(51))
  // the same row again changes nothing of what is known
  expect(keysOf(await second)).toEqual(ids(51, 100).filter((id) => id !== 'r60'))
})

test('[PL5] 更新 during a round is answered by the round after it, not by this one', async () => {
  const { pull, answer } = alone
  const state = async () => (await firstValueFrom(interest$(db, REFRESH_INTEREST)))?.state
  const whole = { ...page(201), total: 20 } as Outcome
  void pull.handler()
  await until(() => alone.asked.length === 1)
  await askRefresh(db, NOW)
  let read = 0
  pull.windowRead$.subscribe(() => (read += 1))
  await answer('1', whole)
  await until(() => read === 1)
  expect(await state()).toBe('asked')
  pull.refetch('user')
  void pull.handler()
  await answer('1', whole)
  await until(async () => (await state()) === 'answered')
})

test.each<[string, Outcome]>([
  ['its last page came', { ...page(201), total: 20 } as Outcome],
  ['the CRM refused it', { kind: 'refused', status: 400, reasons: [] }],
])('[PL5] the window is being read until %s', async (_, outcome) => {
  const { pull, answer } = alone
  let told = 0
  pull.windowRead$.subscribe(() => (told += 1))
  expect(pull.isReadingWindow()).toBe(true)
  void pull.handler()
  await answer('1', outcome)
  await until(() => told === 1)
  expect(pull.isReadingWindow()).toBe(false)
  pull.refetch('user')
  expect(pull.isReadingWindow()).toBe(true)
})

test('[OC7] a search that is answered 200 in JSON that is no list has failed: nobody is told that there is none', async () => {
  const { pull, answer } = alone
  const window = pull.handler()
  await answer('1', { ...page(201), total: 20 } as Outcome)
  await window
  await askSearch(db, NOW, { ...NO_FILTER, requestCode: 'R26' })
  void pull.handler()
  await answer('1', { kind: 'accepted', status: 200, body: { message: 'maintenance' }, total: null })
  const state = async () => (await firstValueFrom(interest$(db, SEARCH_INTEREST)))?.state ?? 'asked'
  expect(await until(async () => (await state()) !== 'asked' && state())).toBe('failed')
})

const spoiltAt = (n: number) => ({ ...rowAt(n), workingStartTime: 'soon' })

test('[PL2][PL4] a search of which no row can be read has failed: nobody is told that there is none', async () => {
  const { pull, answer } = alone
  const window = pull.handler()
  await answer('1', { ...page(201), total: 20 } as Outcome)
  await window
  await askSearch(db, NOW, { ...NO_FILTER, requestCode: 'R26' })
  void pull.handler()
  await answer('1', { kind: 'accepted', status: 200, body: [spoiltAt(1)], total: 1 })
  const state = async () => (await firstValueFrom(interest$(db, SEARCH_INTEREST)))?.state ?? 'asked'
  expect(await until(async () => (await state()) !== 'asked' && state())).toBe('failed')
})

test('[PL2][PL4] the window says of which days a row could not be read', async () => {
  const { pull, answer } = alone
  const rows = [rowAt(1), spoiltAt(2), { ...spoiltAt(3), workingDate: '2026-11-22' }]
  const last = pull.handler()
  await answer('1', { kind: 'accepted', status: 200, body: rows, total: 3 })
  for (const row of await last) pull.wrote(row)
  await until(async () => (await receipt()) !== null)
  expect((await firstValueFrom(windowRead$(db)))?.unreadDays).toEqual([TODAY, '2026-11-22'])
})

const receipt = () => db.interests.findOne(prefetchKey(WINDOW_LIST.collection, WINDOW_LIST.owner)).exec()

test('[PL4] that the window was read is said once the rows of its last page are on the device', async () => {
  const { pull, answer } = alone
  const last = pull.handler()
  await answer('1', { ...page(201), total: 20 } as Outcome)
  const rows = await last
  expect(rows).toHaveLength(20)
  for (const row of rows.slice(1)) pull.wrote(row)
  await atRest()
  expect(await receipt()).toBeNull()
  for (const row of rows.slice(0, 1)) pull.wrote(row)
  await until(async () => (await receipt()) !== null)
  expect((await receipt())?.toJSON()).toMatchObject({
    kind: 'prefetch',
    state: 'answered',
    answeredAt: new Date(NOW).toISOString(),
  })
})

test('[PL4][ST4] nor while a row of an earlier page is not there: a nearly full device writes what is small', async () => {
  const { pull, answer } = alone
  const first = pull.handler()
  await answer('1', { ...page(1), total: 70 } as Outcome)
  const [refused, ...written] = await first
  const second = pull.handler()
  await answer('51', { ...page(201), total: 70 } as Outcome)
  for (const row of [...written, ...(await second)]) pull.wrote(row)
  await atRest()
  expect(await receipt()).toBeNull()
  if (refused) pull.wrote(refused)
  await until(async () => (await receipt()) !== null)
})

test.each<[string, Outcome, boolean]>([
  ['is empty', { kind: 'accepted', status: 200, body: [], total: 0 }, true],
  ['is empty, without a total', { kind: 'accepted', status: 200, body: [], total: null }, true],
  ['has fewer rows than it says', { kind: 'accepted', status: 200, body: [], total: 3 }, false],
  ['is no list', { kind: 'accepted', status: 200, body: {}, total: null }, false],
  ['is nothing at all', { kind: 'accepted', status: 200, body: null, total: null }, false],
  [
    'has rows, none of which can be read',
    { kind: 'accepted', status: 200, body: [{ ...rowAt(1), workingStartTime: 'soon' }], total: 1 },
    false,
  ],
  ['was refused', { kind: 'refused', status: 400, reasons: [] }, false],
])('[PL4] a window that %s: what is said of it', async (_, outcome, isSaid) => {
  const { pull, answer } = alone
  let ended = 0
  pull.windowRead$.subscribe(() => (ended += 1))
  void pull.handler()
  await answer('1', outcome)
  await until(() => ended === 1)
  await atRest()
  expect((await receipt()) !== null).toBe(isSaid)
})

test('[PL4][PL5] a round of what is near says nothing of the window', async () => {
  const { pull, answer, asked } = alone
  let ended = 0
  pull.windowRead$.subscribe(() => (ended += 1))
  const empty: Outcome = { kind: 'accepted', status: 200, body: [], total: 0 }
  void pull.handler()
  await answer('1', empty)
  await until(async () => (await receipt()) !== null)
  await (await receipt())?.remove()
  pull.refetch('recovered')
  void pull.handler()
  await until(() => asked.length === 2)
  await answer('1', empty)
  await until(() => ended === 2)
  await atRest()
  expect(await receipt()).toBeNull()
})
